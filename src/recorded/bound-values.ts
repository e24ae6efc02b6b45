import { decodeString, encodeString } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';
import { identifiersIn, isProtocols, isUnmistakable, type MessageNode, readNode } from './message-node.ts';
import { pairIdentifiers } from './pair-identifiers.ts';
import { isShort, type RewrittenText, scopeOf, ValueBindings } from './value-bindings.ts';
import { textOf } from './words.ts';

/**
 * Maps generated values between a recording and a live session: cursors, task ids, request states, progress tokens,
 * subscription and elicitation ids, URIs, and ids in tool data.
 *
 * A pair of values is learned from two corresponding messages. A value that the live message still contains keeps its
 * meaning. In later messages, the recorded value is replaced by the live one, or the reverse. The rest of a text is
 * unchanged. Message `id`s are not mapped, because each sender assigns its own.
 */
export class BoundValues {
  readonly #live: ValueBindings;
  readonly #recorded = new ValueBindings({ isStrict: false });
  readonly #isSentBack: ((recorded: string) => boolean) | undefined;
  /** Values that a live message contained as recorded. */
  readonly #kept = new Set<string>();
  /** Equal messages whose values have not been noted yet. */
  #equal: { readonly text: JsonText; readonly method: string }[] = [];

  /**
   * `isSentBack` shows which recorded values are sent back and have to be mapped, apart from those that the protocol
   * itself identifies. Without it, all values are mapped, except words within texts.
   */
  constructor(isSentBack?: (recorded: string) => boolean) {
    this.#isSentBack = isSentBack;
    this.#live = new ValueBindings({ isStrict: isSentBack !== undefined });
  }

  /**
   * Learns from two corresponding messages, such as a recorded and a live response. `method` is the request's method,
   * because a cursor of one list is not valid for another.
   */
  learn(recorded: JsonText, live: JsonText, method = ''): void {
    if (recorded === live) this.learnEqual(recorded, method);
    else {
      const [was, is] = [this.#read(recorded, method), this.#read(live, method)];
      if (was !== undefined && is !== undefined) this.#learn(was, is, method);
    }
  }

  /** Learns from a live message that equals the recorded one but for its id. */
  learnEqual(recorded: JsonText, method = ''): void {
    if (this.#isSentBack !== undefined) this.#equal.push({ text: recorded, method });
  }

  /** Learns that a recorded message has no live counterpart. */
  learnMissing(recorded: JsonText, method = ''): void {
    this.learn(recorded, '{}', method);
  }

  /** The recorded message with live values. */
  toLive(text: JsonText, method = ''): RewrittenText {
    return this.#live.rewrite(text, method);
  }

  /** The live message with recorded values. */
  toRecorded(text: JsonText, method = ''): JsonText {
    return this.#recorded.rewrite(text, method).text;
  }

  #read(text: JsonText, method: string): MessageNode | undefined {
    // The descriptions in lists of tools, prompts and resources name no objects.
    return readNode(text, { withWords: this.#isSentBack !== undefined && !method.endsWith('/list') });
  }

  #learn(recorded: MessageNode, live: MessageNode, method: string): void {
    const found = new Map<string, FoundValue>();
    const note = (node: MessageNode): FoundValue | undefined => {
      if (!this.#mayBind(node)) return undefined;
      const key = keyOf(node, method);
      const value = found.get(key) ?? { node, counterparts: new Map() };
      found.set(key, value);
      return value;
    };
    pairIdentifiers(recorded, live, {
      pair: (was, is) => {
        if (areOfOneType(was, is)) note(was)?.counterparts.set(is.literal, is);
        else note(was);
      },
      alone: (was) => void note(was),
      known: (was) => this.#bound(was, method) ?? was.literal,
      isStrict: this.#isSentBack !== undefined,
    });
    if (found.size === 0) return;
    const contained = new Set(Array.from(identifiersIn(live), (node) => keyOf(node, method)));
    for (const [key, value] of found) this.#settle(key, value, contained.has(key), method);
  }

  /** Binds a recorded value, keeps it, or marks it as unclear. */
  #settle(key: string, { node, counterparts }: FoundValue, isContained: boolean, method: string): void {
    const [counterpart, ...others] = counterparts.values();
    const known = this.#bound(node, method);
    const isNew = counterpart !== undefined && others.length === 0 && counterpart.literal !== node.literal;
    if (isContained) {
      if (known !== undefined) return;
      // The live message contains the value, but the object that had it has another one.
      if (isNew && isObject(node)) this.#bind(node, undefined, method);
      else this.#kept.add(key);
    } else if (isNew) {
      const isRepeated = known === undefined ? this.#wasKept(key) : known !== counterpart.literal;
      this.#bind(node, isRepeated && isAmbiguous(node) ? undefined : counterpart, method);
    } else if (known === undefined && isObject(node) && !this.#wasKept(key)) {
      this.#bind(node, undefined, method);
    }
  }

  #mayBind(node: MessageNode): boolean {
    const isSentBack = this.#isSentBack;
    if (isProtocols(node) || isSentBack === undefined) return true;
    const value = textOf(node.literal);
    const path = filePath(value);
    return isSentBack(value) || (path !== undefined && isSentBack(path));
  }

  #wasKept(key: string): boolean {
    const equal = this.#equal;
    this.#equal = [];
    for (const { text, method } of equal) {
      const message = this.#read(text, method);
      if (message !== undefined) for (const node of identifiersIn(message)) this.#kept.add(keyOf(node, method));
    }
    return this.#kept.has(key);
  }

  #bound(node: MessageNode, method: string): JsonText | undefined {
    const scope = scopeOf(node, node.literal, method);
    if (node.kind !== 'word' && scope !== undefined) return this.#live.get(scope, node.literal);
    const word = this.#live.wordFor(decodeString(node.literal));
    return word === undefined ? undefined : encodeString(word);
  }

  #bind(node: MessageNode, counterpart: MessageNode | undefined, method: string): void {
    const { kind, literal } = node;
    const scope = kind === 'word' ? undefined : scopeOf(node, literal, method);
    if (scope !== undefined) {
      this.#live.add(scope, literal, counterpart?.literal);
      if (counterpart !== undefined) this.#recorded.add(scope, counterpart.literal, literal);
    }
    if (!literal.startsWith('"')) return;
    const [was, is] = [decodeString(literal), counterpart && decodeString(counterpart.literal)];
    if (scope === undefined) this.#bindWord(was, is);
    if (isUnmistakable(was) && (is === undefined || isUnmistakable(is))) this.#bindPart(was, is);
    const [wasPath, isPath] = [filePath(was), is === undefined ? undefined : filePath(is)];
    if (wasPath !== undefined && isPath !== undefined) this.#bindPart(wasPath, isPath);
  }

  #bindWord(was: string, is: string | undefined): void {
    this.#live.addWord(was, is);
    if (is !== undefined) this.#recorded.addWord(is, was);
  }

  #bindPart(was: string, is: string | undefined): void {
    this.#live.addPart(was, is);
    if (is !== undefined) this.#recorded.addPart(is, was);
  }
}

/** A recorded value and the live values at its places. */
interface FoundValue {
  readonly node: MessageNode;
  readonly counterparts: Map<JsonText, MessageNode>;
}

/** Equal for identifiers with the same meaning. */
function keyOf(node: MessageNode, method: string): string {
  const { kind, literal } = node;
  if (kind === undefined || kind === 'word' || (kind === 'member' && !isShort(literal))) return `= ${textOf(literal)}`;
  return `${scopeOf(node, literal, method)} ${literal}`;
}

function areOfOneType({ literal: a }: MessageNode, { literal: b }: MessageNode): boolean {
  return a.startsWith('"') === b.startsWith('"');
}

/** Whether a value may identify one of several objects, so that a wrong one would do harm. */
function isObject({ kind }: MessageNode): boolean {
  return kind === undefined || kind === 'member' || kind === 'word' || kind === 'task';
}

/** Whether an equal value may have another meaning elsewhere. */
function isAmbiguous({ kind, literal }: MessageNode): boolean {
  return (kind === 'member' || kind === 'word') && isShort(literal);
}

/** The path of a `file:` URI, since tools may refer to the same file by its path. */
function filePath(value: string): string | undefined {
  if (!value.startsWith('file://') || !URL.canParse(value)) return undefined;
  const path = decodedPath(new URL(value).pathname).replace(/\/$/, '');
  return path === '' ? undefined : path;
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
