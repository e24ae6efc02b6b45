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
}

const ENVELOPE = new Set(['jsonrpc', 'id', 'method']);
/** Times that recordings add to messages. */
const TIMES = new Set(['timestamp_ms', 'timestamp']);
const LINKS = new Set(['progressToken', 'requestId', 'cursor', 'nextCursor', 'taskId']);
const SCHEMAS = new Set(['inputSchema', 'outputSchema', 'requestedSchema', 'input_schema', 'output_schema']);

/** Returns the protection of an object's member, given that of the object. */
export function protectedFieldsOf(
  outer: ProtectedFields,
  key: string,
  { isContainer, isNumber, inEnvelope, isProtocol }: MemberPlace,
): ProtectedFields {
  if (outer !== 'none') return outer;
  if (isContainer) return SCHEMAS.has(key) ? 'schema' : 'none';
  const isEnvelope = inEnvelope && (ENVELOPE.has(key) || (isNumber && TIMES.has(key)));
  return isEnvelope || (isProtocol && LINKS.has(key)) ? 'fixed' : 'none';
}
