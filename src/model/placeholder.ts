/** What every placeholder begins with that stands for a value that was removed. */
export const PLACEHOLDER_START = '[REDACTED:';

/** Whether something was removed from a text, so that it is not what was sent. */
export function isRedacted(text: string): boolean {
  return text.includes(PLACEHOLDER_START);
}
