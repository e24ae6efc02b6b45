import type { FieldRule } from '../field-faults.ts';

/** The members of a session file, and what the reader does without them. */
export const SESSION_FIELDS: readonly FieldRule[] = [
  { key: 'id', type: 'string', without: 'another one is used' },
  { key: 'started_at', type: 'time', without: 'the start is unknown' },
  { key: 'ended_at', type: 'time', optional: true, without: 'the end is unknown' },
  { key: 'transport', type: 'string', without: 'stdio is assumed' },
  { key: 'server_command', type: 'string', optional: true, without: 'it is not used' },
  { key: 'server_url', type: 'string', optional: true, without: 'it is not used' },
  { key: 'metadata', type: 'object', optional: true, without: 'it is not used' },
];

/** The members that are not derived from the payload, and what the others must be if they are there. */
export const MESSAGE_FIELDS: readonly FieldRule[] = [
  { key: 'timestamp', type: 'time', without: 'the time before it is used' },
  { key: 'proxy_id', type: 'string', without: 'another one is used' },
  { key: 'sequence', type: 'number', optional: true, without: 'its place in the array is used' },
  { key: 'modified', type: 'boolean', optional: true, without: 'it counts as not modified' },
  { key: 'correlated_id', type: 'string', optional: true, without: 'it is paired by id' },
  { key: 'jsonrpc_id', type: 'id', optional: true, without: 'the id of the payload is used' },
  { key: 'method', type: 'string', optional: true, without: 'the method of the payload is used' },
  { key: 'transport', type: 'string', optional: true, without: 'that of the session is used' },
  { key: 'original_payload', type: 'object', optional: true, without: 'it is kept as it is' },
];
