/** No timer of Node's waits longer, which is 24 days: with more it would not wait at all. */
export const MAX_WAIT_MS: number = 2 ** 31 - 1;

/** Resolves with whether the work ended in time. */
export async function endsWithin(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, limitMs, false);
  });
  const ended = await Promise.race([work.then(() => true), limit]);
  clearTimeout(timer);
  return ended;
}
