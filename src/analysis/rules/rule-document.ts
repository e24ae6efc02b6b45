import { encodeString } from '../../json/scan.ts';
import type { JsonText } from '../../model/entry.ts';
import { ReelError } from '../../model/errors.ts';

/** A position in a file; the column counts characters from 1. */
export interface DocumentPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

interface PlacedNode {
  readonly at: DocumentPlace;
}

/** The syntax tree of a rules file, independent of its format. */
export type RuleNode =
  | RuleText
  | RuleMap
  | (PlacedNode & { readonly kind: 'list'; readonly items: readonly RuleNode[] })
  /** A number, `true`, `false` or `null`, in JSON spelling. */
  | (PlacedNode & { readonly kind: 'literal'; readonly json: JsonText })
  /** A missing value. */
  | (PlacedNode & { readonly kind: 'nothing' });

export interface RuleText extends PlacedNode {
  readonly kind: 'text';
  readonly text: string;
  /** The position of its first character, if the text is written literally on one line. */
  readonly textAt?: DocumentPlace | undefined;
}

export interface RuleMap extends PlacedNode {
  readonly kind: 'map';
  readonly members: readonly RuleMember[];
}

/** Keys are unique within a map. */
export interface RuleMember {
  readonly key: RuleText;
  readonly value: RuleNode;
}

/** A usage error at a position in a rules file, always on one line. */
export function faultAt(
  { file, line, column }: DocumentPlace,
  what: string,
  hint?: string,
  cause?: unknown,
): ReelError {
  const where = `${file}:${line}:${column}`;
  const reported = what.replaceAll(/\s+/g, ' ');
  return new ReelError('usage', `${where}: ${reported}`, { ...(hint !== undefined && { hint }), cause });
}

/** The position of a character of a text, as precisely as it is known. */
export function placeWithin({ at, text, textAt }: RuleText, offset: number): DocumentPlace {
  if (textAt === undefined) return at;
  const { file, line, column } = textAt;
  return { file, line, column: column + Array.from(text.slice(0, offset)).length };
}

/** Converts a value to JSON. */
export function jsonOf(node: RuleNode): JsonText {
  switch (node.kind) {
    case 'text':
      return encodeString(node.text);
    case 'literal':
      return node.json;
    case 'list':
      return `[${node.items.map(jsonOf).join(',')}]`;
    case 'map':
      return `{${node.members.map(({ key, value }) => `${encodeString(key.text)}:${jsonOf(value)}`).join(',')}}`;
    case 'nothing':
      throw faultAt(node.at, 'Missing value', 'Write null if you mean null.');
  }
}
