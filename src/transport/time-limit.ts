/** The longest delay of a Node timer (24 days). With a longer one, it would fire at once. */
export const MAX_WAIT_MS: number = 2 ** 31 - 1;

/** Waits for work with a time limit. Resolves with whether the work finished in time. */
export async function endsWithin(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, limitMs, false);
  });
  const ended = await Promise.race([work.then(() => true), limit]);
  clearTimeout(timer);
  return ended;
}
