/**
 * What a rule may do to a value:
 * - `none`: anything.
 * - `schema`: JSON Schema speaks of secrets (`"password": {"type": "string"}`) and holds none. Only values that the user
 *   gave, and places that the user named, are removed from it.
 * - `fixed`: nothing. It links messages with each other.
 */
export type ProtectedFields = 'none' | 'schema' | 'fixed';

const ENVELOPE = new Set(['jsonrpc', 'id', 'method']);
const LINKS = new Set(['progressToken', 'requestId', 'cursor', 'nextCursor', 'taskId']);
const SCHEMAS = new Set(['inputSchema', 'outputSchema', 'requestedSchema', 'input_schema', 'output_schema']);

/** How the member of an object is shielded, given how the object is. */
export function protectedFieldsOf(
  outer: ProtectedFields,
  key: string,
  isContainer: boolean,
  inEnvelope: boolean,
): ProtectedFields {
  if (outer !== 'none') return outer;
  if (isContainer) return SCHEMAS.has(key) ? 'schema' : 'none';
  return LINKS.has(key) || (inEnvelope && ENVELOPE.has(key)) ? 'fixed' : 'none';
}
