/** The prefix of every placeholder that replaces a redacted value. */
export const PLACEHOLDER_START = '[REDACTED:';

/** Whether a text contains a redacted value and so differs from the text that was sent. */
export function isRedacted(text: string): boolean {
  return text.includes(PLACEHOLDER_START);
}

/** Removes the digits from placeholders, because they are salted differently for each recording. */
export function withoutDigits(text: string): string {
  return isRedacted(text) ? text.replaceAll(/(\[REDACTED:[a-z0-9-]{1,64}):[0-9a-f]{8}\]/g, '$1]') : text;
}
