/** Shows a text with the time since the start, until it is closed. */
export function showProgress(
  describe: () => string,
  stream?: { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown },
): { close(): void };
