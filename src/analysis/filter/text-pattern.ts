/** Text search in JSON, both in the raw text and with escapes decoded. */

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g;
const MEANINGS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** The text with each escape decoded. */
export function withoutEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(ESCAPE, (_, code: string | undefined, short = '') =>
    code === undefined ? (MEANINGS[short] ?? short) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Characters that have a short escape besides `\u`. */
const SHORT_ESCAPED = /["\\/\b\f\n\r\t]/;

/** The escape that a text must contain for decoding to reveal `requested`. */
export function escapeHiding(requested: string): string {
  return SHORT_ESCAPED.test(requested) ? '\\' : '\\u';
}

/** A case-insensitive name test; `*` matches any characters unless the pattern is quoted. */
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
