/**
 * While a session is busy, the screen works one part in this many of the time. The rest of the CPU is for the session.
 */
const PARTS = 40;
/** The longest pause before new traffic is shown. */
const MAX_MS = 500;

/** How long to pause after work on traffic that took `tookMs`. */
export function restAfter(tookMs: number): number {
  return Math.max(0, Math.min(MAX_MS, tookMs * (PARTS - 1)));
}
