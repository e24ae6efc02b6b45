import type { JsonNode, NodeList } from '../json-tree/json-node.ts';

/** A part that is rendered by its type instead of as JSON. */
export type ShownPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly mimeType: string; readonly base64: string }
  | { readonly kind: 'link'; readonly uri: string };

/** A content block of a tool, a prompt or a resource: text, image, audio, a resource or a resource link. */
export interface ContentBlock {
  readonly note: string;
  /** The node of its text. */
  readonly text: JsonNode | undefined;
  readonly parts: readonly ShownPart[];
  /** Its other members, except those that the note already shows. */
  readonly rest: readonly JsonNode[];
}

/** No content block has more members than this. */
const MAX_MEMBERS = 32;

/** Recognizes a content block by its members alone. */
export function contentBlockOf(members: NodeList): ContentBlock | undefined {
  if (members.length === 0 || members.length > MAX_MEMBERS) return undefined;
  const all = Array.from({ length: members.length }, (_, index) => members.at(index)).filter(
    (node) => node !== undefined,
  );
  // If a key occurs twice, the last one counts; all of them are shown.
  const stringAt = (key: string): JsonNode | undefined =>
    all.findLast((node) => node.key === key && node.kind === 'string');
  const without = (...shown: readonly (JsonNode | undefined)[]): JsonNode[] =>
    all.filter((node) => !shown.includes(node));
  const [type, text, uri, mime] = [stringAt('type'), stringAt('text'), stringAt('uri'), stringAt('mimeType')];
  const mimeType = mime?.value ?? '';
  switch (type?.value) {
    case 'text':
      return text && { note: 'text', text, parts: [], rest: without(type, text) };
    case 'image':
    case 'audio': {
      const data = stringAt('data');
      const base64 = data?.value;
      if (base64 === undefined) return undefined;
      const note = `${type.value} · ${mimeType || 'of unknown type'}`;
      return { note, text: undefined, parts: [{ kind: 'bytes', mimeType, base64 }], rest: without(type, mime, data) };
    }
    case 'resource_link':
      return (
        uri && {
          note: 'link to a resource',
          text: undefined,
          parts: [{ kind: 'link', uri: uri.value }],
          rest: without(type, uri),
        }
      );
    case 'resource':
      return { note: 'embedded resource', text: undefined, parts: [], rest: without(type) };
    case undefined:
      return uri && resourceOf({ uri, text, blob: stringAt('blob'), mime, without });
    default:
      return undefined;
  }
}

interface ResourceMembers {
  readonly uri: JsonNode;
  readonly text: JsonNode | undefined;
  readonly blob: JsonNode | undefined;
  readonly mime: JsonNode | undefined;
  without(...shown: readonly (JsonNode | undefined)[]): JsonNode[];
}

/** A resource's content has a URI, and text or bytes. */
function resourceOf({ uri, text, blob, mime, without }: ResourceMembers): ContentBlock | undefined {
  const mimeType = mime?.value ?? '';
  if (text === undefined && blob === undefined) return undefined;
  const link = { kind: 'link', uri: uri.value } as const;
  const bytes = blob && ({ kind: 'bytes', mimeType, base64: blob.value } as const);
  return {
    note: `resource${mimeType === '' ? '' : ` · ${mimeType}`}`,
    text,
    parts: bytes === undefined ? [link] : [link, bytes],
    rest: without(uri, text, blob, mime),
  };
}
