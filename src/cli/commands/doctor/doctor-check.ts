/** How something stands: as it should, worth knowing, or to be mended. */
export type Mark = 'ok' | 'note' | 'wrong';

/** What was looked at. */
export type Topic = 'node' | 'state folder' | 'permissions' | 'clients' | 'sessions';

/** One thing that was checked. */
export interface Check {
  readonly topic: Topic;
  readonly mark: Mark;
  readonly what: string;
  /** What to do about it: most often a command to type. */
  readonly mend?: string;
}

/** Makes the checks of one topic. */
export interface Checks {
  ok(what: string): Check;
  note(what: string, mend?: string): Check;
  wrong(what: string, mend: string): Check;
}

export function checksOf(topic: Topic): Checks {
  return {
    ok: (what) => ({ topic, mark: 'ok', what }),
    note: (what, mend) => ({ topic, mark: 'note', what, ...(mend !== undefined && { mend }) }),
    wrong: (what, mend) => ({ topic, mark: 'wrong', what, mend }),
  };
}
