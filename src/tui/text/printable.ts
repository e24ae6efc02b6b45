/**
 * What must not reach a terminal as it is: control characters, what turns the reading direction around, what takes no
 * room or ends a line, halves of characters, and letters that look like nothing.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u115f\u1160\u2800\u3164\uffa0]|\u034f|\u17b4|\u17b5/gu;

/** The text with such characters spelled out as JSON would escape them. Traffic is hostile: they never reach a screen. */
export function printable(text: string): string {
  return isPlain(text) ? text : text.replaceAll(UNPRINTABLE, spelledOut);
}

const PLAIN = /^[ -~]*$/;

/** Whether every character is one cell wide and harmless, so that nothing has to be measured. */
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
