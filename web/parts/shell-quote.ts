/** Characters that a terminal may act on or a person cannot see: controls, line breaks, direction overrides. */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb]|(?!\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}/gu;
const PLAIN = /^[\w@%+=:,./-]+$/;

/** Quotes a text for a shell. The word means exactly this text, and looks like it. */
export function shellQuote(text: string): string {
  if (PLAIN.test(text)) return text;
  if (text.search(UNSAFE) < 0) return `'${text.replaceAll("'", `'\\''`)}'`;
  const escaped = text.replaceAll(/['\\]/g, '\\$&').replaceAll(UNSAFE, (c) => hexBytes(c));
  return `$'${escaped}'`;
}

/** The same JSON with the invisible characters of its strings escaped, so that it can be pasted anywhere. */
export function visibleJson(text: string): string {
  return text.replaceAll(UNSAFE, (c) => (isSpace(c) ? c : unicodeEscapes(c)));
}

/** White space between tokens; inside strings it is already escaped. */
function isSpace(c: string): boolean {
  return c === '\n' || c === '\r' || c === '\t';
}

function hexBytes(c: string): string {
  return Array.from(new TextEncoder().encode(c), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}

function unicodeEscapes(c: string): string {
  return Array.from({ length: c.length }, (_, i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
}
