/**
 * A JSON text in which every half of a character stands as its escape. It means the same, because a half can stand in a
 * string alone, and as itself it could not be written to any file.
 */
export function escapeLoneSurrogates(text: string): string {
  return text.replace(/\p{Surrogate}/gu, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
}
