import { decodeString, scanString } from '../../../src/json/scan.ts';
import { forEachToken } from '../../../src/json/tokens.ts';
import type { JsonSource } from './json-source.ts';
import { embeddedIn } from './node-facts.ts';

/** A node on the path to a match, linked to its parent. */
export interface WayTo {
  readonly id: string;
  /** Its index among its parent's children. */
  readonly index: number;
  readonly up: WayTo | undefined;
}

/** The search stops after this many matches; the user needs a narrower search then. */
const MAX_FOUND = 1000;

/** Finds the values that contain these words in their text or key, in order, including JSON inside strings. */
export function findIn(source: JsonSource, words: string): WayTo[] {
  const requested = words.toLowerCase();
  const found: WayTo[] = [];
  if (requested !== '') search(source, requested, found, undefined);
  return found;
}

function search(source: JsonSource, requested: string, found: WayTo[], above: WayTo | undefined): void {
  const { text, prefix } = source;
  let up = above;
  /** The number of children seen in each open container; the innermost is last. */
  const counts = [0];
  let keyMatches = false;
  forEachToken(text, (kind, start, end) => {
    if (found.length >= MAX_FOUND) return;
    if (kind === ',' || kind === ':') return;
    if (kind === '}' || kind === ']') {
      counts.pop();
      up = up?.up;
      return;
    }
    const literal = kind === '"' || kind === 'v' ? text.slice(start, end) : '';
    if (kind === '"' && isKey(text, end)) {
      keyMatches = holds(literal, requested);
      return;
    }
    const at = counts.length - 1;
    const index = counts[at] ?? 0;
    counts[at] = index + 1;
    const way: WayTo = { id: `${prefix}${start}`, index, up };
    const inner = kind === '"' ? embeddedIn({ source, start, end }, '') : undefined;
    if (keyMatches || (inner === undefined && holds(literal, requested))) found.push(way);
    keyMatches = false;
    if (inner !== undefined) search(inner.source, requested, found, way);
    if (kind === '{' || kind === '[') {
      up = way;
      counts.push(0);
    }
  });
}

function isKey(text: string, end: number): boolean {
  let at = end;
  while (at < text.length && ' \n\r\t'.includes(text.charAt(at))) at++;
  return text.charAt(at) === ':';
}

function holds(literal: string, requested: string): boolean {
  if (literal.toLowerCase().includes(requested)) return true;
  const isEscaped = literal.startsWith('"') && literal.includes('\\') && scanString(literal, 0) === literal.length;
  return isEscaped && decodeString(literal).toLowerCase().includes(requested);
}
