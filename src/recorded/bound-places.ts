import { placeWithin, type ValuePlace } from '../analysis/diff/volatile.ts';
import { decodeString } from '../json/scan.ts';
import { forEachToken } from '../json/tokens.ts';
import type { JsonText } from '../model/entry.ts';

/** A string or a number of a message, and what it can be known by. */
export interface BoundPlace {
  /** Where it stands, the same for two messages of one form. */
  readonly path: string;
  /** What it names: `cursor`, `task`, …; `member` where its member is called like a name; `undefined` for any other. */
  readonly kind: string | undefined;
  /** What its member is called. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Members by which the protocol names what one side has made up and the other sends back. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['cursor', 'cursor'],
  ['nextCursor', 'cursor'],
  ['requestState', 'state'],
  ['taskId', 'task'],
  ['elicitationId', 'elicitation'],
  ['progressToken', 'progress'],
  ['io.modelcontextprotocol/subscriptionId', 'subscription'],
]);

const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/** Members of a tool's own data that are called like names of something. */
const NAMING =
  /^(?:id|uuid|guid|uri|url|href|key|token|cursor|handle|ref|number)$|(?:Id|_id|-id|Uri|Token|_token|Key|_key|_number)$/;

interface NestingLevel {
  readonly place: ValuePlace;
  readonly path: string;
  readonly name: string;
  readonly isObject: boolean;
  key: string | undefined;
  index: number;
}

/**
 * Visits the strings and numbers of a message's params, result or error, in order. `place` is where the text stands: the
 * whole message, or data for JSON that a text holds.
 */
export function forEachBoundPlace(
  text: JsonText,
  visit: (place: BoundPlace) => void,
  begin: ValuePlace = 'message',
): boolean {
  const open: NestingLevel[] = [];
  const arrive = (): { place: ValuePlace; path: string; name: string } => {
    const level = open.at(-1);
    if (level === undefined) return { place: begin, path: '', name: '' };
    const step = level.isObject ? (level.key ?? '') : level.index;
    const path = `${level.path}/${level.isObject ? JSON.stringify(step) : step}`;
    // An element is called what its list is called: `ids: [1, 2]`.
    const name = level.isObject ? (level.key ?? '') : level.name;
    return { place: placeWithin(level.place, step), path, name };
  };
  const passed = (): void => {
    const level = open.at(-1);
    if (level === undefined) return;
    level.key = undefined;
    level.index++;
  };
  return forEachToken(text, (kind, start, end) => {
    const level = open.at(-1);
    if (kind === '{' || kind === '[') open.push({ ...arrive(), isObject: kind === '{', key: undefined, index: 0 });
    else if (kind === '}' || kind === ']') {
      open.pop();
      passed();
    } else if (kind === '"' && level?.isObject === true && level.key === undefined) {
      level.key = decodeString(text.slice(start, end));
    } else if (kind === '"' || (kind === 'v' && /[-\d]/.test(text.charAt(start)))) {
      const { path, name } = arrive();
      if (level?.place !== 'message') visit({ path, kind: kindOf(level, name), name, start, end });
      passed();
    } else if (kind === 'v') passed();
  });
}

function kindOf(level: NestingLevel | undefined, name: string): string | undefined {
  if (level === undefined) return undefined;
  const isProtocols = level.place !== 'data' || level.name === RELATED_TASK;
  const known = isProtocols && level.isObject ? KINDS.get(name) : undefined;
  return known ?? (NAMING.test(name.replace(/s$/, '')) ? 'member' : undefined);
}
