/** `#004`: how a message is named for people, by its place among the messages of its session. */
export function numberText(sequence: number): string {
  return `#${String(sequence).padStart(3, '0')}`;
}
