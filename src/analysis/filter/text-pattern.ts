/** Looking for text in JSON: as it was sent, or as it reads once its escapes are undone. */

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g;
const MEANINGS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** The text with each escape replaced by what it stands for. */
export function withoutEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(ESCAPE, (_, code: string | undefined, short = '') =>
    code === undefined ? (MEANINGS[short] ?? short) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Characters that have an escape of their own beside the one by number. */
const SHORT_ESCAPED = /["\\/\b\f\n\r\t]/;

/** The escape without which undoing escapes cannot bring this text to light. */
export function escapeHiding(requested: string): string {
  return SHORT_ESCAPED.test(requested) ? '\\' : '\\u';
}

/** Whether a name is this one, in any case; `*` stands for any characters unless the pattern is quoted. */
export function namePattern(pattern: string, quoted: boolean): (name: string) => boolean {
  const requested = pattern.toLowerCase();
  const [first = '', ...others] = quoted ? [requested] : requested.split('*');
  const last = others.pop();
  if (last === undefined) return (name) => name.toLowerCase() === requested;
  return (name) => {
    const lowered = name.toLowerCase();
    if (!lowered.startsWith(first)) return false;
    let at = first.length;
    for (const part of others) {
      const found = lowered.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return lowered.length - last.length >= at && lowered.endsWith(last);
  };
}
