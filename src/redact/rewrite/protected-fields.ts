import type { JsonText } from '../../model/entry.ts';
import { VERSION_KEY } from '../../protocol/era.ts';

/**
 * What the rules may do to a value:
 * - `none`: anything.
 * - `schema`: only redact values that the user gave and paths that the user named. A JSON Schema describes secrets
 *   (`"password": {"type": "string"}`) but contains none.
 * - `fixed`: nothing. The value links messages with each other.
 */
export type ProtectedFields = 'none' | 'schema' | 'fixed';

/** Where a member stands. */
interface MemberPlace {
  readonly isContainer: boolean;
  readonly isNumber: boolean;
  /** Whether it is a member of a JSON-RPC message itself. */
  readonly inEnvelope: boolean;
  /** Whether it may belong to the protocol. An argument that a tool happens to call `cursor` does not. */
  readonly isProtocol: boolean;
  /** Whether it is below the arguments or the content of a message, where nothing is a definition of the protocol. */
  readonly isContent: boolean;
  /** Whether it is a member of the error of a response. */
  readonly inError: boolean;
  /** The text of the value begins here. */
  readonly text: JsonText;
  readonly at: number;
}

const ENVELOPE = new Set(['jsonrpc', 'id', 'method']);
/** Times that recordings add to messages. */
const TIMES = new Set(['timestamp_ms', 'timestamp']);
const LINKS = new Set(['progressToken', 'requestId', 'cursor', 'nextCursor', 'taskId']);
/** They hold revisions of the protocol, on which the meaning of other messages depends. */
const REVISIONS = new Set(['protocolVersion', VERSION_KEY, 'requested', 'supported', 'supportedVersions']);
const REVISION = /"\d{4}-\d\d-\d\d"/y;
const CODE = /-?\d{1,10}(?![\w.+-])/y;
const SCHEMAS = new Set(['inputSchema', 'outputSchema', 'requestedSchema', 'input_schema', 'output_schema']);

/** Returns the protection of an object's member, given that of the object. */
export function protectedFieldsOf(
  outer: ProtectedFields,
  key: string,
  { isContainer, isNumber, inEnvelope, isProtocol, isContent, inError, text, at }: MemberPlace,
): ProtectedFields {
  if (outer !== 'none') return outer;
  if (isContainer) return SCHEMAS.has(key) && !isContent ? 'schema' : 'none';
  const isEnvelope = inEnvelope && (ENVELOPE.has(key) || (isNumber && TIMES.has(key)));
  if (isEnvelope || (isProtocol && LINKS.has(key))) return 'fixed';
  if (inError && key === 'code' && matchesAt(CODE, text, at)) return 'fixed';
  return isProtocol && isRevision(key, text, at) ? 'fixed' : 'none';
}

/** Returns whether the value at this offset, which has this name or is in a list of it, is a revision of the protocol. */
export function isRevision(name: string | undefined, text: JsonText, at: number): boolean {
  return name !== undefined && REVISIONS.has(name) && matchesAt(REVISION, text, at);
}

function matchesAt(form: RegExp, text: JsonText, at: number): boolean {
  form.lastIndex = at;
  return form.test(text);
}
