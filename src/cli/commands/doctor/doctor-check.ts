/** How something stands: as it should, worth knowing, or to be mended. */
export type CheckMark = 'ok' | 'note' | 'wrong';

/** What was looked at. */
export type CheckTopic = 'node' | 'state folder' | 'permissions' | 'clients' | 'sessions';

/** One thing that was checked. */
export interface DoctorCheck {
  readonly topic: CheckTopic;
  readonly mark: CheckMark;
  readonly what: string;
  /** What to do about it: most often a command to type. */
  readonly mend?: string;
}

/** Makes the checks of one topic. */
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
