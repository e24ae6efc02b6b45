/**
 * A wall clock that never goes back, so that no duration in a session is negative.
 * It follows the system clock when that is set forward, as after sleep, and ignores it when it is set back.
 *
 * @param wallMs The time of day.
 * @param elapsedMs A monotonic clock.
 */
export function steadyClock(wallMs: () => number, elapsedMs: () => number): () => number {
  let ahead = Number.NEGATIVE_INFINITY;
  return () => {
    const elapsed = elapsedMs();
    ahead = Math.max(ahead, wallMs() - elapsed);
    return Math.floor(ahead + elapsed);
  };
}
