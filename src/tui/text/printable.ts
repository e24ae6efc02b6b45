/**
 * Characters that must not reach a terminal unescaped: control characters, direction changes, invisible characters,
 * line separators, lone surrogates and blank letters.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u115f\u1160\u2800\u3164\uffa0]|\u034f|\u17b4|\u17b5/gu;

/** The text with such characters escaped as in JSON. Traffic may be hostile, so they must never reach a screen. */
export function printable(text: string): string {
  return isPlain(text) ? text : text.replaceAll(UNPRINTABLE, spelledOut);
}

const PLAIN = /^[ -~]*$/;

/** Whether every character is harmless and one cell wide, so that nothing has to be measured. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function spelledOut(char: string): string {
  const short = SHORT[char];
  if (short !== undefined) return short;
  const code = (char.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
