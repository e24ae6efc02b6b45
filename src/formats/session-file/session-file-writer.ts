import { onOneLine } from '../../json/layout.ts';
import { ObjectView } from '../../json/object-view.ts';
import { encodeString } from '../../json/scan.ts';
import { joinCommandLine } from '../../model/command-line.ts';
import type { Entry, JsonText, MessageEntry } from '../../model/entry.ts';
import { defaultLabel } from '../../model/label.ts';
import type { RecordedSession, SessionFooter, SessionHeader } from '../../model/session.ts';
import { formatSessionTime } from '../../model/times.ts';
import { envelopeOf } from '../../protocol/envelope.ts';
import { PIECE_LENGTH } from '../format.ts';
import { endLine, metaLine } from '../trace/trace-writer.ts';
import {
  compactObject,
  type ObjectLayout,
  objectText,
  tallLayout,
  type UnknownField,
  withKept,
} from '../unknown-fields.ts';

/**
 * The maximum number of characters of events to keep in memory. Beyond it, the session is read a second time for its
 * events.
 */
const EVENTS_IN_MEMORY = 1 << 24;

/** Writes a session file: one JSON document with the events after the messages. */
export async function* writeSessionFile(session: RecordedSession): AsyncGenerator<string> {
  const { header, footer } = session;
  const kept = topLevelFields(header, footer);
  let piece = `{\n${kept.before.map(topLevelMember).join('')}  "messages": [`;
  let messages = 0;
  const text = new MessageText(header.transport, tallLayout('    '));
  const events = new EventTexts();
  for await (const batch of session.batches()) {
    for (const entry of batch) {
      if (entry.kind !== 'message') {
        events.add(entry, messages);
        continue;
      }
      piece += messages === 0 ? '\n    ' : ',\n    ';
      piece += text.of(entry, messages++);
      if (piece.length >= PIECE_LENGTH) {
        yield piece;
        piece = '';
      }
    }
  }
  piece += messages === 0 ? ']' : '\n  ]';
  for (const [key, value] of kept.after) piece += `,\n  ${key}: ${value}`;
  yield piece;
  yield* writeEvents(session, events);
  yield '\n}\n';
}

function topLevelMember([key, value]: UnknownField): string {
  return `  ${key}: ${value},\n`;
}

/** Returns the members around `messages`: the format's own in order, then mcpreel's, then the unknown fields. */
function topLevelFields(
  header: SessionHeader,
  footer: SessionFooter | undefined,
): { before: UnknownField[]; after: UnknownField[] } {
  const own = [...sessionFields(header, footer), ...traceField(header, footer)];
  if (header.keepsakes?.transcript !== undefined) own.push(['"transcript"', header.keepsakes.transcript]);
  const fields = withKept(own, header.keepsakes?.session);
  return { before: fields.slice(0, 6), after: fields.slice(6) };
}

export function sessionFields(header: SessionHeader, footer: SessionFooter | undefined): UnknownField[] {
  const { url, command } = header;
  return [
    ['"id"', encodeString(header.id)],
    ['"started_at"', encodeString(formatSessionTime(header.startedAtMs))],
    ['"ended_at"', footer === undefined ? 'null' : encodeString(formatSessionTime(footer.endedAtMs))],
    ['"transport"', encodeString(header.transport)],
    ['"server_command"', url === undefined && command.length > 0 ? encodeString(joinCommandLine(command)) : 'null'],
    ['"server_url"', url === undefined ? 'null' : encodeString(url)],
    ['"metadata"', header.metadata],
  ];
}

/** Returns the trace fields that a session file has no field for, as `{"meta":{…},"end":{…}}`, if there are any. */
function traceField(header: SessionHeader, footer: SessionFooter | undefined): UnknownField[] {
  const keptOfMeta = keysOf(header.keepsakes?.trace);
  const meta = memberTexts(metaLine(header), (key) => {
    if (keptOfMeta.has(key)) return true;
    if (key === 'label') return header.label !== defaultLabel(header.command, header.url);
    return !META_IN_SESSION_FILE.has(key);
  });
  const fields: UnknownField[] = [];
  if (meta !== undefined) fields.push(['"meta"', meta]);
  if (footer !== undefined && !isPlainEnd(header, footer)) {
    const keptOfEnd = keysOf(footer.keepsakes?.trace);
    const end = memberTexts(endLine(footer), (key) => key !== 'type' && (key !== 't' || keptOfEnd.has(key)));
    if (end !== undefined) fields.push(['"end"', end]);
  }
  return fields.length === 0 ? [] : [['"trace"', compactObject(fields)]];
}

const META_IN_SESSION_FILE = new Set([
  'v',
  'type',
  'startedAt',
  'command',
  'id',
  'transport',
  'url',
  'metadata',
  'extra',
  'transcript',
]);

/** Returns whether the session file's `ended_at` alone describes the end. */
function isPlainEnd(header: SessionHeader, footer: SessionFooter): boolean {
  const { exitCode, signal, reason, durationMs, keepsakes } = footer;
  const plain = (exitCode ?? signal ?? reason ?? keepsakes?.trace) === undefined;
  return plain && durationMs === Math.max(0, footer.endedAtMs - header.startedAtMs);
}

function memberTexts(object: JsonText, passes: (key: string) => boolean): JsonText | undefined {
  return ObjectView.of(object)?.only(passes);
}

function keysOf(object: JsonText | undefined): ReadonlySet<string> {
  return new Set(object === undefined ? [] : ObjectView.of(object)?.members.map(({ key }) => key));
}

/**
 * Writes messages for session files. Most messages only have the ten common members, which are written on a fast path.
 */
export class MessageText {
  readonly #transport: string;
  readonly #layout: ObjectLayout;
  /** The text before each value, which is the same for every message. */
  readonly #leads: Readonly<Record<(typeof MESSAGE_KEYS)[number], string>>;

  constructor(transport: string, layout: ObjectLayout) {
    this.#transport = encodeString(transport);
    this.#layout = layout;
    const leads = MESSAGE_KEYS.map((key, n) => [
      key,
      `${n === 0 ? layout.open : layout.between}"${key}"${layout.colon}`,
    ]);
    this.#leads = Object.fromEntries(leads);
  }

  of(entry: MessageEntry, sequence: number): JsonText {
    const { id = 'null', method } = envelopeOf(entry);
    const methodText = method === undefined ? 'null' : encodeString(method);
    const corr = entry.correlatedId === undefined ? 'null' : encodeString(entry.correlatedId);
    const more = optionalFields(entry);
    const lead = this.#leads;
    const fixed =
      `${lead.proxy_id}${encodeString(entry.proxyId)}${lead.sequence}${sequence}` +
      `${lead.timestamp}"${formatSessionTime(entry.atMs)}"${lead.direction}"${entry.direction}"` +
      `${lead.transport}${this.#transport}${lead.jsonrpc_id}${id}${lead.method}${methodText}` +
      `${lead.correlated_id}${corr}${lead.modified}${entry.modified ? 'true' : 'false'}${lead.payload}${entry.text}`;
    if (more === undefined) return fixed + this.#layout.close;
    const view = ObjectView.of(fixed + this.#layout.close);
    const fields = (view?.members ?? []).map(
      ({ key, start, end }): UnknownField => [`"${key}"`, fixed.slice(start, end)],
    );
    return objectText(withKept([...fields, ...more], entry.keepsakes?.session), this.#layout);
  }
}

const MESSAGE_KEYS = [
  'proxy_id',
  'sequence',
  'timestamp',
  'direction',
  'transport',
  'jsonrpc_id',
  'method',
  'correlated_id',
  'modified',
  'payload',
] as const;

/** Returns the fields that only some messages have, or `undefined` if there are none. */
function optionalFields(entry: MessageEntry): UnknownField[] | undefined {
  const fields: UnknownField[] = [];
  if (entry.modified && entry.original !== undefined) fields.push(['"original_payload"', entry.original]);
  if (entry.sentText !== undefined) fields.push(['"sent_text"', encodeString(entry.sentText)]);
  if (entry.dropped) fields.push(['"dropped"', 'true']);
  if (entry.injected) fields.push(['"injected"', 'true']);
  if (entry.conversation !== undefined) fields.push(['"conversation"', String(entry.conversation)]);
  if (entry.batch !== undefined) fields.push(['"batch"', entry.batch]);
  if (entry.http !== undefined) fields.push(['"http"', entry.http]);
  if (entry.sse !== undefined) fields.push(['"sse"', entry.sse]);
  if (entry.keepsakes?.trace !== undefined) fields.push(['"trace"', entry.keepsakes.trace]);
  if (entry.keepsakes?.transcript !== undefined) fields.push(['"transcript"', entry.keepsakes.transcript]);
  return fields.length === 0 && entry.keepsakes?.session === undefined ? undefined : fields;
}

/** The texts of the events so far, unless they exceed the memory limit. */
class EventTexts {
  count = 0;
  texts: string[] | undefined = [];
  #length = 0;

  add(entry: Exclude<Entry, MessageEntry>, before: number): void {
    this.count++;
    if (this.texts === undefined) return;
    const text = eventText(entry, before);
    this.#length += text.length;
    if (this.#length > EVENTS_IN_MEMORY) this.texts = undefined;
    else this.texts.push(text);
  }
}

async function* writeEvents(session: RecordedSession, events: EventTexts): AsyncGenerator<string> {
  if (events.count === 0) return;
  yield ',\n  "events": [\n    ';
  if (events.texts !== undefined) yield events.texts.join(',\n    ');
  else yield* rereadEvents(session);
  yield '\n  ]';
}

async function* rereadEvents(session: RecordedSession): AsyncGenerator<string> {
  let messages = 0;
  let separator = '';
  for await (const batch of session.batches()) {
    for (const entry of batch) {
      if (entry.kind === 'message') messages++;
      else {
        yield separator + eventText(entry, messages);
        separator = ',\n    ';
      }
    }
  }
}

function eventText(entry: Exclude<Entry, MessageEntry>, before: number): JsonText {
  const fields: UnknownField[] = [
    ['"before"', String(before)],
    ['"timestamp"', `"${formatSessionTime(entry.atMs)}"`],
  ];
  if (entry.kind === 'other') return onOneLine(compactObject([...fields, ['"line"', entry.text]]));
  fields.push(['"kind"', encodeString(entry.event)], ['"raw"', entry.raw]);
  if (entry.conversation !== undefined) fields.push(['"conversation"', String(entry.conversation)]);
  if (entry.keepsakes?.trace !== undefined) fields.push(['"trace"', entry.keepsakes.trace]);
  if (entry.keepsakes?.transcript !== undefined) fields.push(['"transcript"', entry.keepsakes.transcript]);
  return onOneLine(compactObject(withKept(fields, entry.keepsakes?.session)));
}
