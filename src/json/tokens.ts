import { documentSpan, scanString } from './scan.ts';

/** The kind of a token, by its first character: a bracket, `,`, `:`, `"` for a string, `v` for any other scalar. */
export type TokenKind = '{' | '}' | '[' | ']' | ',' | ':' | '"' | 'v';

/**
 * Visits the tokens of a JSON text in one pass, without recursion. Returns false, without visiting any token, if the
 * text is not JSON.
 */
export function forEachToken(text: string, visit: (kind: TokenKind, start: number, end: number) => void): boolean {
  const document = documentSpan(text);
  if (document === undefined) return false;
  let i = document.start;
  while (i < document.end) {
    const c = text[i];
    let end = i + 1;
    switch (c) {
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        break;
      case '{':
      case '}':
      case '[':
      case ']':
      case ',':
      case ':':
        visit(c, i, end);
        break;
      case '"':
        end = scanString(text, i);
        visit(c, i, end);
        break;
      default:
        end = scalarEnd(text, i);
        visit('v', i, end);
    }
    i = end;
  }
  return true;
}

/** In valid JSON a number, `true`, `false` or `null` ends at the first character that cannot be part of one. */
function scalarEnd(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    const c = text.charCodeAt(i);
    const belongs =
      (c >= 0x30 && c <= 0x39) || (c >= 0x61 && c <= 0x7a) || c === 0x45 || c === 0x2b || c === 0x2d || c === 0x2e;
    if (!belongs) return i;
  }
  return text.length;
}
