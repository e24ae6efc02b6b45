/** A time in which a person was asked; it has no end as long as they are. */
export interface ServerQuestion {
  readonly sinceMs: number;
  untilMs: number;
}

export function beginQuestion(atMs: number): ServerQuestion {
  return { sinceMs: atMs, untilMs: Number.POSITIVE_INFINITY };
}

/** How long at least one of the questions was open, up to `endMs`. */
export function timeRequested(questions: readonly ServerQuestion[], endMs: number): number {
  let requested = 0;
  let countedUntilMs = Number.NEGATIVE_INFINITY;
  for (const { sinceMs, untilMs } of questions) {
    // They stand in the order in which they began.
    const fromMs = Math.max(sinceMs, countedUntilMs);
    const toMs = Math.min(untilMs, endMs);
    if (toMs > fromMs) requested += toMs - fromMs;
    countedUntilMs = Math.max(countedUntilMs, toMs);
  }
  return requested;
}
