/** The severity of a check: as it should be, worth knowing, or a problem to fix. */
export type CheckMark = 'ok' | 'note' | 'wrong';

export type CheckTopic = 'node' | 'state folder' | 'permissions' | 'journal' | 'clients' | 'sessions';

export interface DoctorCheck {
  readonly topic: CheckTopic;
  readonly mark: CheckMark;
  readonly what: string;
  /** How to fix it, usually a command to run. */
  readonly mend?: string;
}

/** Creates the checks of one topic. */
export interface DoctorChecks {
  ok(what: string): DoctorCheck;
  note(what: string, fix?: string): DoctorCheck;
  wrong(what: string, fix: string): DoctorCheck;
}

export function checksOf(topic: CheckTopic): DoctorChecks {
  return {
    ok: (what) => ({ topic, mark: 'ok', what }),
    note: (what, fix) => ({ topic, mark: 'note', what, ...(fix !== undefined && { mend: fix }) }),
    wrong: (what, fix) => ({ topic, mark: 'wrong', what, mend: fix }),
  };
}
