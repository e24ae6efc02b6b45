import { placeWithin, type ValuePlace } from '../analysis/diff/volatile.ts';
import { decodeString } from '../json/scan.ts';
import { forEachToken } from '../json/tokens.ts';
import type { JsonText } from '../model/entry.ts';

/** A string or number in a message that may have to be translated between a recording and a live session. */
export interface BoundPlace {
  /** Its path, which is equal for two messages of the same shape. */
  readonly path: string;
  /**
   * What it identifies: `cursor`, `task`, …; `member` if its member name looks like an identifier; otherwise
   * `undefined`.
   */
  readonly kind: string | undefined;
  /** The name of its member. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Protocol members whose values one side generates and the other sends back. */
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

/** Member names in tool data that look like identifiers. */
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
 * Visits the strings and numbers in a message's params, result or error, in order. `begin` says what the text is: a
 * whole message, or data for JSON embedded in a string.
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
    // A list element takes the name of its list: `ids: [1, 2]`.
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
