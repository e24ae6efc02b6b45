/**
 * A time of day that never goes back, so that nothing in a session takes less than no time. It follows a clock that is set
 * forward, as after the machine has slept; when that is set back it goes on as before.
 *
 * @param wallMs The time of day.
 * @param elapsedMs A count of the time that passes, which nobody can set.
 */
export function steadyClock(wallMs: () => number, elapsedMs: () => number): () => number {
  let ahead = Number.NEGATIVE_INFINITY;
  return () => {
    const elapsed = elapsedMs();
    ahead = Math.max(ahead, wallMs() - elapsed);
    return Math.floor(ahead + elapsed);
  };
}
