/** The screen works one part in so many of the time while a session is busy: whoever talks has the processors. */
const PARTS = 40;
/** Longer than this nobody has to wait to see what came. */
const MAX_MS = 500;

/** How long to do nothing after work on traffic that took so long. */
export function restAfter(tookMs: number): number {
  return Math.max(0, Math.min(MAX_MS, tookMs * (PARTS - 1)));
}
