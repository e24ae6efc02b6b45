/**
 * The kind of a value in a capture, if it needs special treatment:
 * - `record`: one of many records in a document. It is processed separately to limit memory use.
 * - `frame`: a time, a direction, an id or another field of the recording itself. It stays.
 * - `message`: a JSON-RPC message, whose own fields stay.
 * - `event`: what an event says, such as a line that a program printed.
 * - `context`, `stream`: the HTTP exchange or the batch of a message, and its place in an event stream.
 * - `label`, `url`, `metadata`, `command`, `command-line`: a member of a header. A command is an array or a string.
 * - `kept`: members of another format. `header`, `end`: those of a trace in a session file.
 * - `string`: a text, whatever its name is. `text`: the same of a line that a program printed.
 * - `body`: a string that contains messages, as JSON or as an event stream. `base64`: such a body in base64.
 * - `cookie`, `query`: the value of a cookie or of a query or form parameter, which an HTTP archive lists by name.
 */
export type PartKind =
  | 'record'
  | 'frame'
  | 'message'
  | 'event'
  | 'context'
  | 'stream'
  | 'label'
  | 'url'
  | 'metadata'
  | 'command'
  | 'command-line'
  | 'kept'
  | 'header'
  | 'end'
  | 'string'
  | 'text'
  | 'body'
  | 'base64'
  | 'cookie'
  | 'query';

/** What the members of one kind of record are. Other members are redacted together. */
export type RecordParts = Readonly<Record<string, PartKind>>;

/** Returns the text of a member of a record, if it has it. */
export type MemberText = (key: string) => string | undefined;

function parts(kinds: Partial<Record<PartKind, string>>): RecordParts {
  const entries = Object.entries(kinds).flatMap(([kind, keys]) =>
    keys.split(' ').map((key) => [key, kind as PartKind]),
  );
  // Keys come from files, and a plain object inherits members.
  return Object.assign(Object.create(null), Object.fromEntries(entries)) as RecordParts;
}

const TRACE_HEADER = parts({
  frame: 'v type startedAt id transport',
  label: 'label',
  command: 'command',
  url: 'url',
  metadata: 'metadata',
  kept: 'extra transcript',
});
const TRACE_MESSAGE = parts({
  frame: 'dir seq id corr conv dropped injected modified',
  message: 'raw original',
  string: 'rawText',
  context: 'http batch',
  stream: 'sse',
  kept: 'extra transcript',
});
const TRACE_EVENT = parts({ frame: 'type dir kind seq conv', event: 'raw', kept: 'extra transcript' });
const TRACE_END = parts({ frame: 'type exitCode signal durationMs', string: 'reason' });
/** This reason marks an exit code that is not known. */
const UNKNOWN_END = parts({ frame: 'type exitCode signal durationMs reason' });
const SESSION = parts({
  frame: 'id started_at ended_at transport',
  'command-line': 'server_command',
  url: 'server_url',
  metadata: 'metadata',
  kept: 'transcript',
});
const SESSION_MESSAGE = parts({
  frame: 'proxy_id sequence direction transport jsonrpc_id method correlated_id modified dropped injected conversation',
  message: 'payload original_payload',
  string: 'sent_text',
  context: 'http batch',
  stream: 'sse',
  kept: 'trace transcript',
});
const SESSION_EVENT = parts({ frame: 'before kind conversation', event: 'raw', kept: 'line trace transcript' });

/** What the header and the end of a trace are in a session file. */
export const KEPT_HEADER: RecordParts = parts({ label: 'label' });

/** Returns the members of the end of a trace with this reason. */
export function endRecord(reason: string | undefined): RecordParts {
  return reason === '"unknown"' ? UNKNOWN_END : TRACE_END;
}

/** Returns the members of a record of mcpreel's own formats, or `undefined` for any other object. */
export function ownRecord(text: MemberText, isFirst: boolean): RecordParts | undefined {
  if (text('payload') !== undefined && text('direction') !== undefined) return SESSION_MESSAGE;
  if (text('messages')?.startsWith('[') && text('started_at') !== undefined) return SESSION;
  const raw = text('raw');
  if (text('before') !== undefined && (raw ?? text('line')) !== undefined) return SESSION_EVENT;
  switch (text('type')) {
    case undefined:
      return raw?.startsWith('{') && /^"(?:in|out)"$/.test(text('dir') ?? '') ? TRACE_MESSAGE : undefined;
    case '"event"':
      return raw === undefined || !text('kind')?.startsWith('"') ? undefined : TRACE_EVENT;
    case '"meta"':
      return isFirst ? TRACE_HEADER : undefined;
    case '"end"':
      return endRecord(text('reason'));
  }
  return undefined;
}
