/**
 * Escapes the lone surrogates in a JSON text, which cannot be written to a file as UTF-8. The value stays the same,
 * because a lone surrogate can only occur inside a string.
 */
export function escapeLoneSurrogates(text: string): string {
  return text.replace(/\p{Surrogate}/gu, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
}
