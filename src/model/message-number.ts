/** Formats a message number for display, such as `#004`, from its position in the session. */
export function numberText(sequence: number): string {
  return `#${String(sequence).padStart(3, '0')}`;
}
