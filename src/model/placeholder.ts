/** The prefix of every placeholder that replaces a redacted value. */
export const PLACEHOLDER_START = '[REDACTED:';

/** Whether a text contains a redacted value and so differs from the text that was sent. */
export function isRedacted(text: string): boolean {
  return text.includes(PLACEHOLDER_START);
}
