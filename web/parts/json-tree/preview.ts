import { scanObject, scanString, skipSpace } from '../../../src/json/scan.ts';
import { cutText } from '../../../src/present/text-head.ts';
import type { JsonSource } from './json-source.ts';

const LONGEST = 64;
const MAX_SCALAR = 32;

/** A short preview of a closed container: `{ resource: "Search", field: "q", … }`. */
export function previewOf(source: JsonSource, start: number): string {
  return source.text.charAt(start) === '{' ? previewObject(source, start) : previewArray(source, start);
}

function previewObject(source: JsonSource, start: number): string {
  const { text } = source;
  const parts: string[] = [];
  let room = LONGEST;
  let isCut = false;
  scanObject(text, start, (_, from, keyStart) => {
    if (room <= 0) {
      isCut = true;
      // A negative result stops the scan: megabytes may follow.
      return ~from;
    }
    const key = cut(text.slice(keyStart + 1, scanString(text, keyStart) - 1));
    const part = `${key}: ${glimpse(source, from)}`;
    parts.push(part);
    room -= part.length;
    return source.endOf(from);
  });
  if (isCut) parts.push('…');
  return parts.length === 0 ? '' : `{ ${parts.join(', ')} }`;
}

function previewArray(source: JsonSource, start: number): string {
  const { text } = source;
  const parts: string[] = [];
  let room = LONGEST;
  for (let at = skipSpace(text, start + 1); text.charAt(at) !== ']'; at = skipSpace(text, at + 1)) {
    // Only the first of several objects is previewed.
    if (text.charAt(at) === '{') return [...parts, previewObject(source, at)].join(', ');
    if (room <= 0) return `${parts.join(', ')}, …`;
    const part = glimpse(source, at);
    parts.push(part);
    room -= part.length;
    at = skipSpace(text, source.endOf(at));
    if (text.charAt(at) === ']') break;
  }
  return parts.join(', ');
}

function glimpse(source: JsonSource, start: number): string {
  const { text } = source;
  const c = text.charAt(start);
  if (c === '{') return '{…}';
  if (c === '[') return '[…]';
  const literal = text.slice(start, source.endOf(start));
  if (literal.length <= MAX_SCALAR) return literal;
  return c === '"' ? `${cut(literal)}"` : cut(literal);
}

function cut(text: string): string {
  return text.length <= MAX_SCALAR ? text : cutText(text, MAX_SCALAR - 1);
}
