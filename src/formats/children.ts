import { ChildScanner, type JsonChild } from '../json/child-scanner.ts';
import { decodeUtf8, findInvalidUtf8 } from '../json/lines.ts';
import { ObjectView } from '../json/object-view.ts';
import { OPEN_BRACE, OPEN_BRACKET } from '../json/punctuation.ts';
import { documentSpan } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';
import { CUT_DOCUMENT } from './cut-off.ts';
import type { ReadProblem, Source } from './format.ts';
import { UnknownFieldKeeper } from './unknown-fields.ts';

/** A byte range of a source. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the elements of the JSON array at this range, in batches. Calls `onFault` if the array is invalid or cut off.
 */
export async function* elementsIn(
  source: Source,
  { start, end }: ByteRange,
  onFault: (fault: string) => void,
): AsyncGenerator<readonly JsonChild[]> {
  const scanner = new ChildScanner();
  for await (const chunk of source.read(start, end)) {
    const children = scanner.push(chunk);
    if (children.length > 0) yield start === 0 ? children : children.map((child) => movedBy(start, child));
    if (scanner.fault !== undefined) break;
  }
  const fault = faultOf(scanner, start);
  if (fault !== undefined) onFault(fault);
}

/** Returns whether the range starts with an array. */
export async function isArray(source: Source, { start }: ByteRange): Promise<boolean> {
  for await (const chunk of source.read(start, start + 1)) return chunk[0] === OPEN_BRACKET;
  return false;
}

/** Returns whether the range starts with an object. */
export async function isObject(source: Source, { start }: ByteRange): Promise<boolean> {
  for await (const chunk of source.read(start, start + 1)) return chunk[0] === OPEN_BRACE;
  return false;
}

/** Parses a child as an object. Returns a description of the problem if it is not one. */
export function childView(child: JsonChild): ObjectView | string {
  const bytes = child.bytes ?? new Uint8Array(0);
  const text = decodeUtf8(bytes);
  if (text === undefined) return `not UTF-8 at byte ${child.start + findInvalidUtf8(bytes)}`;
  const view = ObjectView.of(text);
  if (view !== undefined) return view;
  return text.startsWith('{') ? 'not valid JSON' : 'not an object';
}

/** The location of an object's member, and its bytes if they were requested. */
export interface TopLevelMember extends ByteRange {
  readonly bytes: Uint8Array | undefined;
}

/** The structure of a document, or of an object within one, as found in one pass. */
export interface TopLevel {
  readonly container: '{' | '[' | undefined;
  readonly members: ReadonlyMap<string, TopLevelMember>;
  /** The keys that occur more than once. The last member of such a key is read. */
  readonly repeated: ReadonlySet<string>;
  /** Why the document is invalid or cut off, if it is. */
  readonly fault: string | undefined;
}

/**
 * Scans the object at this range once and returns its members with their locations. A cut-off last member ends where
 * the range ends.
 */
export async function scanTopLevel(
  source: Source,
  wants: (key: string) => boolean,
  { start, end }: ByteRange = { start: 0, end: source.size },
): Promise<TopLevel> {
  const members = new Map<string, TopLevelMember>();
  const repeated = new Set<string>();
  const scanner = new ChildScanner({ wants: (key) => key !== undefined && wants(key) });
  for await (const chunk of source.read(start, end)) {
    for (const child of scanner.push(chunk)) {
      if (child.key === undefined) continue;
      if (members.has(child.key)) repeated.add(child.key);
      members.set(child.key, movedBy(start, child));
    }
    if (scanner.fault !== undefined || scanner.container === '[') break;
  }
  const cut = scanner.unfinished;
  if (cut?.key !== undefined) members.set(cut.key, { start: start + cut.start, end, bytes: undefined });
  // An array is only read until it is recognized as one.
  const fault = scanner.container === '[' ? undefined : faultOf(scanner, start);
  return { container: scanner.container, members, repeated, fault };
}

function movedBy(offset: number, child: JsonChild): JsonChild {
  return { ...child, start: child.start + offset, end: child.end + offset };
}

function faultOf({ fault, complete }: ChildScanner, start: number): string | undefined {
  if (fault !== undefined) return `${fault.what} at byte ${start + fault.offset}`;
  return complete ? undefined : CUT_DOCUMENT;
}

/** Creates the problem for a document, or an array in one, that is invalid or cut off. */
export function notWhole(place: string, fault: string): ReadProblem {
  return { place, what: `${fault}; the rest is not read`, contract: `invalid JSON in the ${place}: ${fault}` };
}

/** Describes a document, for error messages about an unexpected one. */
export function describeDocument({ container, members }: TopLevel): string {
  if (container !== '{') return 'no object';
  const keys = [...members.keys()];
  const shown = keys.slice(0, 5).map((key) => JSON.stringify(key.slice(0, 40)));
  const named = `${keys.length === 1 ? 'the key' : 'the keys'} ${shown.join(', ')}${keys.length > 5 ? ', …' : ''}`;
  return `an object with ${keys.length === 0 ? 'no keys' : named}`;
}

/**
 * Returns the members whose texts were requested, as an object. Members that are not valid JSON are omitted and added
 * to `unreadable`.
 */
export function requestedMembers(top: TopLevel, unreadable: string[]): JsonText {
  const keeper = new UnknownFieldKeeper();
  for (const [key, { bytes }] of top.members) {
    if (bytes === undefined) continue;
    const text = decodeUtf8(bytes);
    if (text !== undefined && documentSpan(text) !== undefined) keeper.keep(key, text);
    else unreadable.push(key);
  }
  return keeper.text ?? '{}';
}
