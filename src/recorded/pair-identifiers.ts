import { encodeString } from '../json/scan.ts';
import { identifiersIn, isProtocols, type MessageNode } from './message-node.ts';
import { standsIn, textOf } from './words.ts';

/** Called with what two corresponding messages tell about the identifiers in them. */
export interface IdentifierPairs {
  /** The live counterpart of a recorded identifier. */
  pair(recorded: MessageNode, live: MessageNode): void;
  /** A recorded identifier has no counterpart, or several candidates. */
  alone(recorded: MessageNode): void;
  /** The live counterpart of a recorded literal, as learned from earlier messages. */
  known(recorded: MessageNode): string;
  /** Whether identifiers correspond only if what surrounds them shows that they name the same object. */
  readonly isStrict: boolean;
}

/**
 * Finds the live counterparts of recorded identifiers. Members correspond by name. The elements of lists correspond if
 * they are equal, or if they differ only in their identifiers and no other element resembles them: lists may have
 * another order, more elements or fewer.
 */
export function pairIdentifiers(recorded: MessageNode, live: MessageNode, pairs: IdentifierPairs): void {
  const body = memberOf(recorded, 'result');
  const failed = body !== undefined && hasFailed(body) !== hasFailed(memberOf(live, 'result'));
  new IdentifierPairing(pairs).envelopes(recorded, live, failed ? 'other' : 'same');
}

class IdentifierPairing {
  readonly #pairs: IdentifierPairs;

  constructor(pairs: IdentifierPairs) {
    this.#pairs = pairs;
  }

  /** Pairs two whole messages: what differs between results does not make their ids those of other objects. */
  envelopes(recorded: MessageNode, live: MessageNode, likeness: Sameness): void {
    for (const key of ['params', 'result', 'error']) {
      const [body, counterpart] = [memberOf(recorded, key), memberOf(live, key)];
      if (body?.form === 'object' && counterpart?.form === 'object') this.#members(body, counterpart, likeness);
      else if (body !== undefined) this.#alone(body);
    }
  }

  #nodes(recorded: MessageNode, live: MessageNode, around: Sameness): void {
    if (recorded.form === 'identifier' && live.form === 'identifier') this.#identifiers(recorded, live, around);
    else if (recorded.form === 'object' && live.form === 'object') {
      this.#members(recorded, live, this.#sameness(recorded, live, around));
    } else if (recorded.form === 'list' && live.form === 'list') {
      this.#elements(recorded.children, live.children, around);
    } else if (recorded.form === 'line' && live.form === 'line' && recorded.likeness === live.likeness) {
      this.#words(recorded, live, around === 'unclear' && recorded.isTelling ? 'same' : around);
    } else this.#alone(recorded);
  }

  #identifiers(recorded: MessageNode, live: MessageNode, around: Sameness): void {
    const isSure = around === 'same' || !this.#pairs.isStrict || isProtocols(recorded);
    if (isSure || recorded.literal === live.literal) this.#pairs.pair(recorded, live);
    else this.#pairs.alone(recorded);
  }

  #members(recorded: MessageNode, live: MessageNode, around: Sameness): void {
    const members = new Map(live.children.map((child) => [child.key, child]));
    for (const child of recorded.children) {
      const counterpart = members.get(child.key);
      if (counterpart === undefined) this.#alone(child);
      else this.#nodes(child, counterpart, around);
    }
  }

  /** Whether two objects at the same place are the same one, judged by what they contain apart from their ids. */
  #sameness(recorded: MessageNode, live: MessageNode, around: Sameness): Sameness {
    if (around === 'other' || isTextBlock(recorded)) return around;
    const names = nameOf(recorded, this.#nameReader(recorded, live));
    const liveNames = nameOf(live);
    if (names !== undefined || liveNames !== undefined) return names === liveNames ? 'same' : 'other';
    if (!recorded.isTelling && !live.isTelling) return around;
    return recorded.likeness === live.likeness ? 'same' : 'unclear';
  }

  /** Translates identifiers within names, which may repeat the object's own ids: `Note 5`. */
  #nameReader(recorded: MessageNode, live: MessageNode): (identifier: MessageNode) => string {
    let own: readonly (readonly [string, string])[] | undefined;
    return (identifier) => {
      own ??= ownIds(recorded, live);
      const was = textOf(identifier.literal);
      const [id, is] = own.find(([id]) => standsIn(was, id)) ?? [];
      return id === undefined || is === undefined
        ? this.#pairs.known(identifier)
        : encodeString(was.replaceAll(id, () => is));
    };
  }

  /** A text shows which of its words corresponds to another one only if it has no similar ones in similar places. */
  #words(recorded: MessageNode, live: MessageNode, around: Sameness): void {
    const isChanged = (word: MessageNode, index: number): boolean =>
      word.form === 'identifier' && this.#pairs.known(word) !== live.children[index]?.literal;
    const changes = new Set(
      recorded.children.flatMap((word, index) =>
        isChanged(word, index) ? [`${word.literal} ${live.children[index]?.literal}`] : [],
      ),
    );
    const similar = similarWords(recorded);
    for (const [index, word] of recorded.children.entries()) {
      const counterpart = live.children[index];
      const isClear = !isChanged(word, index) || (changes.size === 1 && !similar.has(word));
      if (counterpart !== undefined) this.#nodes(word, counterpart, isClear ? around : 'unclear');
    }
  }

  #elements(recorded: readonly MessageNode[], live: readonly MessageNode[], around: Sameness): void {
    const [onlyRecorded, onlyLive] = [recorded[0], live[0]];
    if (recorded.length === 1 && live.length === 1 && onlyRecorded !== undefined && onlyLive !== undefined) {
      if (!this.#pairs.isStrict || onlyRecorded.isTelling) {
        this.#nodes(onlyRecorded, onlyLive, around);
        return;
      }
    }
    const open = { recorded: new Set(recorded), live: new Set(live) };
    const take = (element: MessageNode, counterpart: MessageNode | undefined): void => {
      if (counterpart === undefined || !open.live.has(counterpart) || !open.recorded.has(element)) return;
      open.recorded.delete(element);
      open.live.delete(counterpart);
      this.#nodes(element, counterpart, around === 'other' ? around : 'same');
    };
    pairEqual(recorded, live, this.#pairs, take);
    for (const keyOf of [(element: MessageNode) => nameOf(element), stableContent(recorded, live)]) {
      const counterparts = uniqueBy(live, keyOf);
      for (const [key, element] of uniqueBy(recorded, keyOf)) take(element, counterparts.get(key));
    }
    for (const element of open.recorded) this.#alone(element);
  }

  #alone(recorded: MessageNode): void {
    for (const identifier of identifiersIn(recorded)) this.#pairs.alone(identifier);
  }
}

/** Whether the ids at a place are those of the same object; `other` also holds for what that object contains. */
type Sameness = 'same' | 'unclear' | 'other';

function memberOf({ children }: MessageNode, key: string): MessageNode | undefined {
  return children.find((child) => child.key === key);
}

function hasFailed(result: MessageNode | undefined): boolean {
  return result !== undefined && memberOf(result, 'isError')?.content === 'true';
}

/** Whether an object is a content block whose text is JSON, which is compared by itself. */
function isTextBlock(node: MessageNode): boolean {
  const text = memberOf(node, 'text');
  return memberOf(node, 'type') !== undefined && (text?.form === 'object' || text?.form === 'list');
}

/** The ids of an object and of its counterpart. */
function ownIds(recorded: MessageNode, live: MessageNode): (readonly [string, string])[] {
  const members = new Map(live.children.map((child) => [child.key, child]));
  return recorded.children.flatMap(({ form, key, literal }) => {
    const is = form === 'identifier' && !NAMES.has(key) ? members.get(key) : undefined;
    return is?.form === 'identifier' ? [[textOf(literal), textOf(is.literal)] as const] : [];
  });
}

/** Words that join the elements of a list. */
const JOINTS = /^(?:and|or|then|und|oder|et|ou|y|o|e)$/i;

/** The identifiers of a line that have others of the same form next to the same word, as in `notes n-1, n-2 and n-3`. */
function similarWords({ children }: MessageNode): ReadonlySet<MessageNode> {
  const seen = new Map<string, MessageNode[]>();
  const visit = (words: readonly MessageNode[], side: string): void => {
    let neighbor = '';
    for (const word of words) {
      if (word.form !== 'identifier') neighbor = JOINTS.test(word.content) ? neighbor : word.content;
      else {
        const key = `${side} ${formOf(textOf(word.literal))} ${neighbor.toLowerCase()}`;
        const group = seen.get(key);
        if (group === undefined) seen.set(key, [word]);
        else group.push(word);
      }
    }
  };
  visit(children, '<');
  visit(children.toReversed(), '>');
  const groups = [...seen.values()].filter((group) => new Set(group.map(({ literal }) => literal)).size > 1);
  return new Set(groups.flat());
}

/** Equal for identifiers that differ only in their numbers and codes. */
function formOf(identifier: string): string {
  return identifier.replaceAll(/[\p{L}\p{N}]+/gu, (part) => (/\d/.test(part) ? '#' : part));
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

function nameOf({ form, children }: MessageNode, literalOf?: (identifier: MessageNode) => string): string | undefined {
  if (form !== 'object') return undefined;
  const names = children.filter(({ key }) => NAMES.has(key));
  return names.length === 0
    ? undefined
    : names
        .map((name) => `${name.key} ${contentOf(name, literalOf)}`)
        .sort()
        .join('\n');
}
