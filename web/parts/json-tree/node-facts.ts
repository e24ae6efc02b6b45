import { decodeString, documentSpan, skipSpace } from '../../../src/json/scan.ts';
import { cutText } from '../../../src/present/text-head.ts';
import { type ContentBlock, contentBlockOf, type ShownPart } from '../content/content-block.ts';
import { childrenOf, type JsonNode, NO_NODES, type NodeList } from './json-node.ts';
import { JsonSource } from './json-source.ts';
import { previewOf } from './preview.ts';

/** What a row shows of a node, and what opening it reveals. */
export interface NodeFacts {
  /** The kind of value, if it is more than its JSON type: `text, JSON inside`. */
  readonly note: string | undefined;
  /** The number of elements of an array. */
  readonly count: number | undefined;
  /** The text shown while the node is closed. */
  readonly preview: string;
  readonly canOpen: boolean;
  readonly children: NodeList;
  /** The parts shown under the node besides its children: a text, an image, a link. */
  readonly parts: readonly ShownPart[];
}

/** The maximum depth of JSON in strings that the tree shows. */
const DEEPEST_EMBEDDING = 4;
/** A longer string can be opened; while closed it is cut. */
const MAX_LINE = 200;

/** Returns the facts of a node. `showsContent` says whether content blocks are rendered by their type. */
export function factsOf(node: JsonNode, showsContent: boolean): NodeFacts {
  switch (node.kind) {
    case 'object':
    case 'array':
      return containerFacts(node, showsContent);
    case 'string':
      return stringFacts(node);
    default:
      return { ...SCALAR, preview: node.literal };
  }
}

const SCALAR = { note: undefined, count: undefined, canOpen: false, children: NO_NODES, parts: [] } as const;

function containerFacts(node: JsonNode, showsContent: boolean): NodeFacts {
  const { source, start, kind } = node;
  const children = lazily(() => childrenOf(source, start, node));
  const block = showsContent && kind === 'object' ? contentBlockOf(children) : undefined;
  if (block !== undefined) return blockFacts(node, block);
  return {
    note: undefined,
    count: kind === 'array' ? children.length : undefined,
    preview: previewOf(source, start),
    canOpen: !isEmpty(source.text, start),
    children,
    parts: [],
  };
}

function isEmpty(text: string, start: number): boolean {
  const c = text.charAt(skipSpace(text, start + 1));
  return c === '}' || c === ']';
}

/** Finding the children of a large container is slow, so it waits until the user opens the node. */
function lazily(make: () => NodeList): NodeList {
  let made: NodeList | undefined;
  const list = (): NodeList => (made ??= make());
  return {
    get length() {
      return list().length;
    },
    at: (index) => list().at(index),
  };
}

function blockFacts(node: JsonNode, { note, text, rest, parts }: ContentBlock): NodeFacts {
  const inner = text === undefined ? undefined : embeddedIn(text, `${writeSegment(text)} → $`);
  const embedded = inner === undefined ? NO_NODES : childrenOf(inner.source, inner.start, node);
  const body = text === undefined || inner !== undefined ? [] : [{ kind: 'text', text: text.value } as const];
  return {
    note: inner === undefined ? note : `${note}, JSON inside`,
    count: undefined,
    preview: text === undefined ? '' : cutLiteral(text.literal),
    canOpen: true,
    children: joined(rest, embedded),
    parts: [...parts, ...body],
  };
}

function writeSegment({ key }: JsonNode): string {
  return `.${key}`;
}

function stringFacts(node: JsonNode): NodeFacts {
  const { literal } = node;
  const preview = cutLiteral(literal);
  const inner = embeddedIn(node, ' → $');
  if (inner !== undefined) {
    const children = childrenOf(inner.source, inner.start, node);
    return { note: 'JSON inside', count: undefined, preview, canOpen: children.length > 0, children, parts: [] };
  }
  if (literal.length <= MAX_LINE && !literal.includes('\\n')) return { ...SCALAR, preview };
  return { ...SCALAR, preview, canOpen: true, parts: [{ kind: 'text', text: node.value }] };
}

function cutLiteral(literal: string): string {
  return cutText(literal, MAX_LINE);
}

/** The object or array that a string contains as JSON. */
export function embeddedIn(
  { source, start, end }: Pick<JsonNode, 'source' | 'start' | 'end'>,
  segment: string,
): { readonly source: JsonSource; readonly start: number } | undefined {
  if (source.embedding >= DEEPEST_EMBEDDING || !/^"[{[\\ ]/.test(source.text.slice(start, start + 2))) return undefined;
  const text = decodeString(source.text.slice(start, end));
  const opening = text.charAt(skipSpace(text, 0));
  const span = opening === '{' || opening === '[' ? documentSpan(text) : undefined;
  if (span === undefined) return undefined;
  const prefix = `${source.prefix}${start}/`;
  return { source: new JsonSource(text, prefix, segment, source.embedding + 1), start: span.start };
}

function joined(first: readonly JsonNode[], then: NodeList): NodeList {
  return {
    length: first.length + then.length,
    at: (index) => (index < first.length ? first[index] : then.at(index - first.length)),
  };
}
