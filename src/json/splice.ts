import {
  decodeString,
  documentSpan,
  type JsonMember,
  scanMembers,
  scanString,
  scanValue,
  skipSpace,
  type TextSpan,
} from './scan.ts';

/** Reads and edits values at a path in JSON text and leaves all other characters unchanged. */

/** The path to a value inside a document: object keys and array indexes. */
export type JsonPath = readonly (string | number)[];

/**
 * The span of the value at a path; `undefined` if the path does not exist. The empty path is the whole document. It
 * takes one pass for a path of any length, so a deep text cannot make it slow.
 */
export function locate(text: string, path: JsonPath): TextSpan | undefined {
  const document = documentSpan(text);
  if (document === undefined || path.length === 0) return document;
  let found: TextSpan | undefined;
  // One entry per open container on the path: the number of its children scanned so far.
  const passed: number[] = [];
  let i = document.start;
  if (opensFor(path[0], text[i])) passed.push(0);

  while (passed.length > 0) {
    // Here `i` is at the bracket or comma after which the innermost open container continues.
    if (text[i] !== '}' && text[i] !== ']') i = skipSpace(text, i + 1);
    if (text[i] === '}' || text[i] === ']') {
      passed.pop();
      i = skipSpace(text, i + 1);
      continue;
    }
    const level = passed.length - 1;
    const index = passed[level] ?? 0;
    passed[level] = index + 1;
    let step: string | number = index;
    if (typeof path[level] === 'string') {
      const keyEnd = scanString(text, i);
      step = decodeString(text.slice(i, keyEnd));
      i = skipSpace(text, skipSpace(text, keyEnd) + 1);
    }
    const onPath = step === path[level];
    // The last of duplicate keys counts, even if the first one matched.
    if (onPath) found = undefined;
    if (onPath && opensFor(path[level + 1], text[i])) {
      passed.push(0);
      continue;
    }
    const end = scanValue(text, i);
    if (onPath && level + 1 === path.length) found = { start: i, end };
    i = skipSpace(text, end);
  }
  return found;
}

/** Whether a value that begins with this character is a container of the kind that the step needs. */
function opensFor(step: string | number | undefined, first: string | undefined): boolean {
  return step !== undefined && first === (typeof step === 'string' ? '{' : '[');
}

/** The exact text of the value at a path. */
export function sliceAt(text: string, path: JsonPath): string | undefined {
  const span = locate(text, path);
  return span && text.slice(span.start, span.end);
}

/**
 * Replaces the value at `path` and leaves every other character unchanged. A missing last key is added as the object's
 * last member. Returns `undefined` if the path does not exist.
 */
export function spliceAt(text: string, path: JsonPath, value: string): string | undefined {
  const span = locate(text, path);
  if (span !== undefined) return text.slice(0, span.start) + value + text.slice(span.end);
  const key = path.at(-1);
  if (typeof key !== 'string') return undefined;
  const parentStart = locate(text, path.slice(0, -1))?.start;
  return parentStart === undefined ? undefined : appendMember(text, parentStart, `${JSON.stringify(key)}:${value}`);
}

/** The text without the member at `path` and its comma. All of duplicate keys are removed. */
export function removeAt(text: string, path: JsonPath): string | undefined {
  const key = path.at(-1);
  const parentStart = locate(text, path.slice(0, -1))?.start;
  if (typeof key !== 'string' || parentStart === undefined) return undefined;
  const members = membersAt(text, parentStart);
  const [first] = members ?? [];
  if (members === undefined || first === undefined) return undefined;
  const parts = [text.slice(0, first.keyStart)];
  /** After the last member that stays, and where the one after that began. */
  let [end, next] = [first.keyStart, first.keyStart];
  let isFound = false;
  for (const [index, member] of members.entries()) {
    if (member.key === key) isFound = true;
    else {
      parts.push(text.slice(end, next), text.slice(member.keyStart, member.end));
      end = member.end;
      next = members[index + 1]?.keyStart ?? end;
    }
  }
  return isFound ? parts.join('') + text.slice(members.at(-1)?.end) : undefined;
}

function appendMember(text: string, objectStart: number, member: string): string | undefined {
  const members = membersAt(text, objectStart);
  if (members === undefined) return undefined;
  const last = members.at(-1);
  if (last === undefined) return `${text.slice(0, objectStart + 1)}${member}${text.slice(objectStart + 1)}`;
  return `${text.slice(0, last.end)},${member}${text.slice(last.end)}`;
}

function membersAt(text: string, at: number): JsonMember[] | undefined {
  const members: JsonMember[] = [];
  return scanMembers(text, at, (member) => members.push(member)) < 0 ? undefined : members;
}
