import { writeStep } from '../../../src/json/json-path.ts';
import { decodeString, scanObject, scanString, skipSpace } from '../../../src/json/scan.ts';
import type { JsonSource } from './json-source.ts';

export type NodeKind = 'object' | 'array' | 'string' | 'number' | 'word';

/** A value in a JSON text, identified by its position and not parsed. */
export class JsonNode {
  readonly source: JsonSource;
  readonly parent: JsonNode | undefined;
  /** Its decoded key, or its index. */
  readonly key: string | number | undefined;
  /** Its key as written. */
  readonly label: string | undefined;
  readonly start: number;
  readonly end: number;
  readonly level: number;

  constructor(
    source: JsonSource,
    parent: JsonNode | undefined,
    name: { readonly key: string | number; readonly label: string } | undefined,
    { start, end }: { readonly start: number; readonly end: number },
  ) {
    this.source = source;
    this.parent = parent;
    this.key = name?.key;
    this.label = name?.label;
    this.start = start;
    this.end = end;
    this.level = parent === undefined ? 0 : parent.level + 1;
  }

  get id(): string {
    return `${this.source.prefix}${this.start}`;
  }

  get kind(): NodeKind {
    switch (this.source.text.charAt(this.start)) {
      case '{':
        return 'object';
      case '[':
        return 'array';
      case '"':
        return 'string';
      case 't':
      case 'f':
      case 'n':
        return 'word';
      default:
        return 'number';
    }
  }

  /** The exact text of the value. */
  get literal(): string {
    return this.source.text.slice(this.start, this.end);
  }

  /** The path from the root; an arrow leads into a string that contains JSON. */
  get path(): string {
    const steps: string[] = [];
    for (let node: JsonNode | undefined = this; node !== undefined; node = node.parent) {
      if (node.key !== undefined) steps.push(writeStep(node.key));
      if (node.parent !== undefined && node.parent.source !== node.source) steps.push(node.source.segment);
    }
    return `$${steps.reverse().join('')}`;
  }

  /** The text to copy: the decoded string, or any other value as written. */
  get value(): string {
    return this.kind === 'string' ? decodeString(this.literal) : this.literal;
  }
}

/** The children of a container; their nodes are created on demand. */
export interface NodeList {
  readonly length: number;
  at(index: number): JsonNode | undefined;
}

export const NO_NODES: NodeList = { length: 0, at: () => undefined };

/** The members or elements of a container, as children of `parent`; a scalar has none. */
export function childrenOf(source: JsonSource, start: number, parent: JsonNode): NodeList {
  const spans: number[] = [];
  if (source.text.charAt(start) === '{') {
    scanObject(source.text, start, (_, from, keyStart) => {
      const end = source.endOf(from);
      spans.push(keyStart, from, end);
      return end;
    });
    return { length: spans.length / 3, at: (index) => memberAt(source, parent, spans, index) };
  }
  const { text } = source;
  for (let at = skipSpace(text, start + 1); text.charAt(at) !== ']'; at = skipSpace(text, at + 1)) {
    const end = source.endOf(at);
    spans.push(at, end);
    at = skipSpace(text, end);
    if (text.charAt(at) === ']') break;
  }
  return {
    length: spans.length / 2,
    at(index) {
      const [from, end] = [spans[index * 2], spans[index * 2 + 1]];
      if (from === undefined || end === undefined) return undefined;
      return new JsonNode(source, parent, { key: index, label: String(index) }, { start: from, end });
    },
  };
}

function memberAt(source: JsonSource, parent: JsonNode, spans: readonly number[], index: number): JsonNode | undefined {
  const [keyStart, start, end] = [spans[index * 3], spans[index * 3 + 1], spans[index * 3 + 2]];
  if (keyStart === undefined || start === undefined || end === undefined) return undefined;
  const literal = source.text.slice(keyStart, scanString(source.text, keyStart));
  return new JsonNode(source, parent, { key: decodeString(literal), label: literal.slice(1, -1) }, { start, end });
}
