import { placeWithin, type ValuePlace } from '../analysis/diff/volatile.ts';
import { decodeString } from '../json/scan.ts';
import { forEachToken } from '../json/tokens.ts';
import type { JsonText } from '../model/entry.ts';

/** A string or number in a message that may have to be translated between a recording and a live session. */
export interface BoundPlace {
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

/** Called for each part of a message, in order. */
export interface PlaceVisitor {
  /** A string or number in params, result or error. */
  value(place: BoundPlace): void;
  /** Any other scalar. */
  constant?(start: number, end: number): void;
  enter?(isObject: boolean): void;
  leave?(): void;
  /** The name of the member that follows. */
  key?(name: string): void;
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
  readonly name: string;
  readonly isObject: boolean;
  key: string | undefined;
  index: number;
}

/**
 * Visits a message in one pass. `begin` shows what the text is: a whole message, or data for JSON embedded in a string.
 * Returns false if the text is not JSON.
 */
export function visitPlaces(text: JsonText, visitor: PlaceVisitor, begin: ValuePlace = 'message'): boolean {
  const open: NestingLevel[] = [];
  const arrive = (): { place: ValuePlace; name: string } => {
    const level = open.at(-1);
    if (level === undefined) return { place: begin, name: '' };
    const step = level.isObject ? (level.key ?? '') : level.index;
    // A list element takes the name of its list: `ids: [1, 2]`.
    const name = level.isObject ? (level.key ?? '') : level.name;
    return { place: placeWithin(level.place, step), name };
  };
  const passed = (): void => {
    const level = open.at(-1);
    if (level === undefined) return;
    level.key = undefined;
    level.index++;
  };
  return forEachToken(text, (kind, start, end) => {
    const level = open.at(-1);
    if (kind === '{' || kind === '[') {
      open.push({ ...arrive(), isObject: kind === '{', key: undefined, index: 0 });
      visitor.enter?.(kind === '{');
    } else if (kind === '}' || kind === ']') {
      open.pop();
      passed();
      visitor.leave?.();
    } else if (kind === '"' && level?.isObject === true && level.key === undefined) {
      level.key = decodeString(text.slice(start, end));
      visitor.key?.(level.key);
    } else if (kind === '"' || kind === 'v') {
      const { name } = arrive();
      const isBound = level?.place !== 'message' && (kind === '"' || /[-\d]/.test(text.charAt(start)));
      if (isBound) visitor.value({ kind: kindOf(level, name), name, start, end });
      else visitor.constant?.(start, end);
      passed();
    }
  });
}

function kindOf(level: NestingLevel | undefined, name: string): string | undefined {
  if (level === undefined) return undefined;
  const isProtocols = level.place !== 'data' || level.name === RELATED_TASK;
  const known = isProtocols && level.isObject ? KINDS.get(name) : undefined;
  return known ?? (NAMING.test(name.replace(/s$/, '')) ? 'member' : undefined);
}
