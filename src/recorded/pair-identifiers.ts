import { identifiersIn, type MessageNode } from './message-node.ts';

/** Called with what two corresponding messages tell about the identifiers in them. */
export interface IdentifierPairs {
  /** The live counterpart of a recorded identifier. */
  pair(recorded: MessageNode, live: MessageNode): void;
  /** A recorded identifier has no counterpart, or several candidates. */
  alone(recorded: MessageNode): void;
  /** The live counterpart of a recorded literal, as learned from earlier messages. */
  known(recorded: MessageNode): string;
}

/**
 * Finds the live counterparts of recorded identifiers. Members correspond by name. The elements of lists correspond if
 * they are equal, or if they differ only in their identifiers and no other element resembles them: lists may have
 * another order, more elements or fewer.
 */
export function pairIdentifiers(recorded: MessageNode, live: MessageNode, pairs: IdentifierPairs): void {
  if (recorded.form === 'identifier' && live.form === 'identifier') pairs.pair(recorded, live);
  else if (recorded.form === 'object' && live.form === 'object') pairMembers(recorded, live, pairs);
  else if (recorded.form === 'list' && live.form === 'list') pairElements(recorded.children, live.children, pairs);
  else if (recorded.form === 'line' && live.form === 'line' && recorded.likeness === live.likeness) {
    for (const [index, word] of recorded.children.entries()) {
      const counterpart = live.children[index];
      if (counterpart !== undefined) pairIdentifiers(word, counterpart, pairs);
    }
  } else leaveAlone(recorded, pairs);
}

function pairMembers(recorded: MessageNode, live: MessageNode, pairs: IdentifierPairs): void {
  const members = new Map(live.children.map((child) => [child.key, child]));
  for (const child of recorded.children) {
    const counterpart = members.get(child.key);
    if (counterpart === undefined) leaveAlone(child, pairs);
    else pairIdentifiers(child, counterpart, pairs);
  }
}

function pairElements(recorded: readonly MessageNode[], live: readonly MessageNode[], pairs: IdentifierPairs): void {
  const [onlyRecorded, onlyLive] = [recorded[0], live[0]];
  if (recorded.length === 1 && live.length === 1 && onlyRecorded !== undefined && onlyLive !== undefined) {
    pairIdentifiers(onlyRecorded, onlyLive, pairs);
    return;
  }
  const open = { recorded: new Set(recorded), live: new Set(live) };
  const take = (element: MessageNode, counterpart: MessageNode | undefined): void => {
    if (counterpart === undefined || !open.live.has(counterpart) || !open.recorded.has(element)) return;
    open.recorded.delete(element);
    open.live.delete(counterpart);
    pairIdentifiers(element, counterpart, pairs);
  };
  pairEqual(recorded, live, pairs, take);
  for (const keyOf of [nameOf, stableContent(recorded, live)]) {
    const counterparts = uniqueBy(live, keyOf);
    for (const [key, element] of uniqueBy(recorded, keyOf)) take(element, counterparts.get(key));
  }
  for (const element of open.recorded) leaveAlone(element, pairs);
}

/** Pairs elements that are the same once known values are translated. */
function pairEqual(
  recorded: readonly MessageNode[],
  live: readonly MessageNode[],
  pairs: IdentifierPairs,
  take: (element: MessageNode, counterpart: MessageNode | undefined) => void,
): void {
  const same = groupBy(live, (element) => contentOf(element));
  // The next unused element comes last.
  for (const elements of same.values()) elements.reverse();
  for (const element of recorded) {
    take(element, same.get(contentOf(element, (identifier) => pairs.known(identifier)))?.pop());
  }
}

function contentOf(node: MessageNode, literalOf = ({ literal }: MessageNode): string => literal): string {
  return `${node.likeness} ${Array.from(identifiersIn(node), literalOf).join(' ')}`;
}

/**
 * Describes an element by its content and by those of its identifiers that do not change: if elements are alike, an
 * identifier at the same position is stable if a live element has one of its recorded values.
 */
function stableContent(
  recorded: readonly MessageNode[],
  live: readonly MessageNode[],
): (element: MessageNode) => string | undefined {
  const columns = new Map<number, readonly boolean[]>();
  const liveGroups = groupBy(live, ({ likeness }) => likeness);
  for (const [likeness, elements] of groupBy(recorded, (element) => element.likeness)) {
    const [were, are] = [columnsOf(elements), columnsOf(liveGroups.get(likeness) ?? [])];
    columns.set(
      likeness,
      were.map((values, index) => [...values].some((value) => are[index]?.has(value))),
    );
  }
  return (element) => {
    const stable = columns.get(element.likeness) ?? [];
    const literals = Array.from(identifiersIn(element), ({ literal }) => literal).filter((_, index) => stable[index]);
    return element.isTelling || literals.length > 0 ? `${element.likeness} ${literals.join(' ')}` : undefined;
  };
}

/** The values at each position of an identifier, over elements that are alike. */
function columnsOf(elements: readonly MessageNode[]): Set<string>[] {
  const columns: Set<string>[] = [];
  for (const element of elements) {
    let index = 0;
    for (const { literal } of identifiersIn(element)) {
      columns[index] ??= new Set();
      columns[index++]?.add(literal);
    }
  }
  return columns;
}

function groupBy<Key>(elements: readonly MessageNode[], keyOf: (element: MessageNode) => Key): Map<Key, MessageNode[]> {
  const groups = new Map<Key, MessageNode[]>();
  for (const element of elements) {
    const key = keyOf(element);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [element]);
    else group.push(element);
  }
  return groups;
}

/** The elements whose key no other element has. */
function uniqueBy<Key>(
  elements: readonly MessageNode[],
  keyOf: (element: MessageNode) => Key | undefined,
): Map<Key, MessageNode> {
  const unique = new Map<Key, MessageNode>();
  const repeated = new Set<Key>();
  for (const element of elements) {
    const key = keyOf(element);
    if (key === undefined || repeated.has(key)) continue;
    if (unique.delete(key)) repeated.add(key);
    else unique.set(key, element);
  }
  return unique;
}

/** Members by which people tell things apart. */
const NAMES: ReadonlySet<string> = new Set(['name', 'title', 'label', 'slug', 'path', 'email', 'subject']);

function nameOf({ form, children }: MessageNode): string | undefined {
  if (form !== 'object') return undefined;
  const names = children.filter(({ key }) => NAMES.has(key));
  return names.length === 0 ? undefined : names.map((name) => `${name.key} ${contentOf(name)}`).join('\n');
}

function leaveAlone(recorded: MessageNode, pairs: IdentifierPairs): void {
  for (const identifier of identifiersIn(recorded)) pairs.alone(identifier);
}
