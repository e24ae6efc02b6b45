import { isTimeNumber, withoutTimes } from '../analysis/diff/volatile.ts';
import { fingerprint } from '../json/fingerprint.ts';
import { decodeString, encodeString, skipSpace } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';
import { type BoundPlace, type PlaceVisitor, visitPlaces } from './bound-places.ts';
import { wordsIn } from './words.ts';

/** A part of a message, for finding its counterpart in another message. */
export interface MessageNode {
  /** A `line` is a line of text with its words; an `identifier` may be new in each session. */
  readonly form: 'object' | 'list' | 'line' | 'identifier' | 'constant';
  /** The name of its member; empty in a list. */
  readonly key: string;
  readonly children: readonly MessageNode[];
  /** What an identifier identifies, as in `BoundPlace`; `word` for a word of a text. */
  readonly kind: string | undefined;
  /** The name of the identifier's member. */
  readonly name: string;
  /** The identifier as JSON, in one spelling for equal values. */
  readonly literal: JsonText;
  /** The text of a constant. */
  readonly content: string;
  /** Equal for nodes that differ only in their identifiers and times. */
  readonly likeness: number;
  /** Whether it has content besides identifiers. */
  readonly isTelling: boolean;
}

export interface NodeOptions {
  /** Whether words in texts count as identifiers. */
  readonly withWords: boolean;
}

/** Reads a message as a tree; `undefined` if it is not JSON. */
export function readNode(text: JsonText, options: NodeOptions): MessageNode | undefined {
  return new NodeReader(text, options, 0).read('message');
}

/** All identifiers in a part of a message. */
export function* identifiersIn(node: MessageNode): Generator<MessageNode> {
  if (node.form === 'identifier') yield node;
  for (const child of node.children) yield* identifiersIn(child);
}

/** Whether the protocol defines what a value identifies. */
export function isProtocols({ kind }: MessageNode): boolean {
  return kind !== undefined && kind !== 'member' && kind !== 'word';
}

/** Whether a value is distinctive: long, one word, and generated rather than written by a person. */
export function isUnmistakable(value: string): boolean {
  return (
    value.length >= 8 && !/\s/.test(value) && (/\d/.test(value) || value.includes('://')) && !/^[\d.:+-]+$/.test(value)
  );
}

/** JSON embedded in strings is read to this depth. */
const MAX_EMBEDDED = 3;

/** Values nested deeper than this are not compared. */
const MAX_DEPTH = 100;

const NO_CHILDREN: readonly MessageNode[] = [];

interface OpenNode {
  readonly form: 'object' | 'list';
  readonly key: string;
  readonly children: MessageNode[];
  next: string;
}

class NodeReader implements PlaceVisitor {
  readonly #text: JsonText;
  readonly #options: NodeOptions;
  readonly #embedded: number;
  readonly #open: OpenNode[] = [];
  #depth = 0;
  #root: MessageNode | undefined;

  constructor(text: JsonText, options: NodeOptions, embedded: number) {
    this.#text = text;
    this.#options = options;
    this.#embedded = embedded;
  }

  read(begin: 'message' | 'data'): MessageNode | undefined {
    return visitPlaces(this.#text, this, begin) ? this.#root : undefined;
  }

  enter(isObject: boolean): void {
    if (++this.#depth > MAX_DEPTH) return;
    this.#open.push({ form: isObject ? 'object' : 'list', key: this.#key(), children: [], next: '' });
  }

  leave(): void {
    if (this.#depth-- > MAX_DEPTH) return;
    const node = this.#open.pop();
    if (node === undefined) return;
    const isObject = node.form === 'object' && this.#options.withWords;
    this.#add(isObject ? objectNode(node.key, node.children) : parentNode(node.form, node.key, node.children));
  }

  key(name: string): void {
    const parent = this.#open.at(-1);
    if (parent !== undefined && this.#depth <= MAX_DEPTH) parent.next = name;
  }

  constant(start: number, end: number): void {
    if (this.#depth <= MAX_DEPTH) this.#add(constantNode(this.#key(), this.#text.slice(start, end)));
  }

  value(place: BoundPlace): void {
    if (this.#depth > MAX_DEPTH) return;
    const literal = this.#text.slice(place.start, place.end);
    this.#add(literal.startsWith('"') ? this.#string(literal, place) : numberNode(this.#key(), literal, place));
  }

  #string(literal: JsonText, { kind, name }: BoundPlace): MessageNode {
    const key = this.#key();
    const value = decodeString(literal);
    if (this.#embedded < MAX_EMBEDDED && mayBeJson(value)) {
      const data = new NodeReader(value, this.#options, this.#embedded + 1).read('data');
      if (data !== undefined) return { ...data, key };
    }
    if (kind !== undefined || isUnmistakable(value)) return identifierNode(key, kind, name, encodeString(value));
    if (this.#options.withWords) return textNode(key, value);
    return constantNode(key, withoutTimes(value));
  }

  #key(): string {
    return this.#open.at(-1)?.next ?? '';
  }

  #add(node: MessageNode): void {
    const parent = this.#open.at(-1);
    if (parent === undefined) this.#root = node;
    else parent.children.push(node);
  }
}

function parentNode(form: 'object' | 'list' | 'line', key: string, children: readonly MessageNode[]): MessageNode {
  const parts = children.map((child) => `${child.key} ${child.likeness}`);
  if (form === 'object') parts.sort();
  const likeness = fingerprint(`${form}\n${parts.join('\n')}`);
  const isTelling = children.some((child) => child.isTelling);
  return { form, key, children, kind: undefined, name: '', literal: '', content: '', likeness, isTelling };
}

/** Members whose names contain a digit may be named by the ids of what they hold. */
const MAY_BE_ID = /\d/;

/** An object; its members that may be named by ids are like the elements of a list, each with the id in it. */
function objectNode(key: string, children: readonly MessageNode[]): MessageNode {
  if (!children.some((child) => MAY_BE_ID.test(child.key))) return parentNode('object', key, children);
  const entries = children
    .filter((child) => MAY_BE_ID.test(child.key))
    .map((child) => {
      const id = identifierNode('', 'word', '', encodeString(child.key));
      const content = child.form === 'object' ? child.children : [{ ...child, key: 'value' }];
      return parentNode('object', '', [id, ...content]);
    });
  const others = children.filter((child) => !MAY_BE_ID.test(child.key));
  return parentNode('object', key, [...others, parentNode('list', '', entries)]);
}

function constantNode(key: string, content: string): MessageNode {
  const likeness = fingerprint(`=${content}`);
  const isTelling = content !== '';
  return {
    form: 'constant',
    key,
    children: NO_CHILDREN,
    kind: undefined,
    name: '',
    literal: '',
    content,
    likeness,
    isTelling,
  };
}

const SAME_IDENTIFIER = fingerprint('#');

function identifierNode(key: string, kind: string | undefined, name: string, literal: JsonText): MessageNode {
  const node = { form: 'identifier', key, children: NO_CHILDREN, kind, name, literal, content: '' } as const;
  return { ...node, likeness: SAME_IDENTIFIER, isTelling: false };
}

function numberNode(key: string, literal: JsonText, { kind, name }: BoundPlace): MessageNode {
  if (kind !== undefined) return identifierNode(key, kind, name, literal);
  return constantNode(key, isTimeNumber(name, literal) ? '' : literal);
}

const MAX_WORD = 200;

/** A text as a list of its lines. A word with a digit may be an identifier. */
function textNode(key: string, text: string): MessageNode {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length === 1) return lineNode(key, lines[0] ?? '');
  return parentNode(
    'list',
    key,
    lines.map((line) => lineNode('', line)),
  );
}

/** A duration, which differs in each run. */
const DURATION = /(?<![\p{L}\p{N}_-])\d+(?:\.\d+)?\s?(?:ms|s|sec|seconds?|µs)(?![\p{L}\p{N}_-])/gu;

function lineNode(key: string, line: string): MessageNode {
  return parentNode('line', key, wordsIn(withoutTimes(line).replaceAll(DURATION, '')).map(wordNode));
}

function wordNode(word: string): MessageNode {
  const mayIdentify = word.length <= MAX_WORD && (/\d/.test(word) || isGenerated(word));
  return mayIdentify ? identifierNode('', 'word', '', encodeString(word)) : constantNode('', word);
}

/** Whether a word without digits is hardly one that a person wrote: `febaacec`, `kQzVhXbTLwPm`. */
function isGenerated(word: string): boolean {
  const changesOfCase = word.match(/[a-z][A-Z]/g)?.length ?? 0;
  return /(?:^|[-_])[a-f]{8,}$/.test(word) || (word.length >= 12 && changesOfCase * 3 >= word.length);
}

function mayBeJson(value: string): boolean {
  return /[[{]/.test(value.charAt(skipSpace(value, 0)));
}
