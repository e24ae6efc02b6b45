/** The prefix of every placeholder that replaces a redacted value. */
export const PLACEHOLDER_START = '[REDACTED:';

/** Whether a text contains a redacted value and so differs from the text that was sent. */
export function isRedacted(text: string): boolean {
  return text.includes(PLACEHOLDER_START);
}

/** Returns a text with placeholders without their digits, which differ in each recording. */
export function withoutDigits(text: string): string {
  return text.replaceAll(/(\[REDACTED:[a-z0-9-]{1,64}):[0-9a-f]{8}\]/g, '$1]');
}
