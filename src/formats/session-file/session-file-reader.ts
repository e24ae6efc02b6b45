import { exchangeIn } from '../../analysis/calls/call-reply.ts';
import type { JsonChild } from '../../json/child-scanner.ts';
import { ObjectView } from '../../json/object-view.ts';
import { sameJson } from '../../json/same-json.ts';
import { splitCommandLine } from '../../model/command-line.ts';
import { messageIdsOf, uuidFromText } from '../../model/derived-id.ts';
import type { Entry, JsonText, MessageEntry } from '../../model/entry.ts';
import { ReelError } from '../../model/errors.ts';
import { defaultLabel } from '../../model/label.ts';
import type { RecordedSession, SessionFooter, SessionHeader } from '../../model/session.ts';
import { formatSessionTime, parseTime } from '../../model/times.ts';
import { readEnvelope } from '../../protocol/envelope.ts';
import { Pairing } from '../../protocol/pairing.ts';
import {
  type ByteRange,
  childView,
  describeDocument,
  elementsIn,
  isObject,
  requestedMembers,
  scanTopLevel,
  type TopLevel,
} from '../children.ts';
import { CUT_DOCUMENT } from '../cut-off.ts';
import { fieldFault } from '../field-faults.ts';
import { type ReadOptions, type ReadReport, type Source, WRONG_FORMAT } from '../format.ts';
import { MAX_UNPAIRED, oncePerFile, stringOf, wholeNumber } from '../reading.ts';
import { footerOf, taken } from '../trace/trace-header.ts';
import { metaFields } from '../trace/trace-writer.ts';
import { asideMembers, keptMembers, UnknownFieldKeeper } from '../unknown-fields.ts';
import { MESSAGE_FIELDS, SESSION_FIELDS } from './session-file-fields.ts';
import { sessionFields } from './session-file-writer.ts';

/** Reads a session file: one JSON document with `messages` and, optionally, `events`. */
export async function readSessionFile(source: Source, options: ReadOptions): Promise<RecordedSession> {
  const top = await scanTopLevel(source, (key) => key !== 'messages' && key !== 'events');
  const messages = top.members.get('messages');
  if (messages === undefined) throw notASessionFile(source, top);
  const events = top.members.get('events');
  const unreadable: string[] = [];
  const view = ObjectView.of(requestedMembers(top, unreadable)) ?? ObjectView.ofHead('{}');
  const { header, footer } = headerAndFooterFrom(view);
  const problemsOf = oncePerFile(options);
  return {
    format: 'json',
    hasOrder: true,
    sourceUnit: 'message',
    header,
    footer,
    async *batches() {
      const report = problemsOf();
      if (top.fault !== undefined) report({ place: 'session', what: `${top.fault}; the rest is not read` });
      for (const key of ['messages', 'events']) {
        if (top.repeated.has(key))
          report({ place: 'session', what: `"${key}" occurs twice; only the last one is read` });
      }
      for (const [key, place] of [['messages', messages] as const, ['events', events] as const]) {
        if (place !== undefined && (await isObject(source, place)))
          report({ place: key, what: 'must be an array, found an object' });
      }
      for (const key of unreadable)
        report({ place: 'session', what: `${JSON.stringify(key)} is not valid JSON; left out` });
      // What a cut or a fault has taken away is reported already.
      const known = SESSION_FIELDS.filter(({ key }) => top.fault === undefined && !unreadable.includes(key));
      const fault = fieldFault(view, known);
      if (fault !== undefined) report({ place: 'session', what: fault, effect: 'repaired' });
      yield* mergeByPlace(readMessages(source, messages, header, report), readEvents(source, events, header, report));
    },
  };
}

function notASessionFile(source: Source, top: TopLevel): ReelError {
  const fault = top.fault === undefined ? '' : ` (${top.fault})`;
  return new ReelError(
    'session-unreadable',
    `${source.name} is not a session file: ${describeDocument(top)}, and no "messages"${fault}`,
    { hint: WRONG_FORMAT },
  );
}

function headerAndFooterFrom(view: ObjectView): { header: SessionHeader; footer: SessionFooter | undefined } {
  const trace = traceOf(view);
  const meta = trace?.object('meta');
  const url = view.string('server_url');
  const commandText = view.string('server_command');
  const command = url === undefined && commandText !== undefined ? wordsOf(commandText) : [];
  const header: SessionHeader = {
    id: view.string('id') ?? uuidFromText(view.text),
    startedAtMs: parseTime(view.string('started_at') ?? '') ?? 0,
    label: meta?.string('label') ?? defaultLabel(command, url),
    transport: view.string('transport') ?? 'stdio',
    command,
    url,
    metadata: view.object('metadata')?.text ?? '{}',
  };
  const footer = footerFrom(view, trace?.object('end'), header);
  const transcript = view.object('transcript')?.text;
  const isRead = (key: string): boolean =>
    (key === 'trace' && trace !== undefined) || (key === 'transcript' && transcript !== undefined);
  const keepsakes = {
    session: keptMembers(view, sessionFields(header, footer), isRead),
    trace: meta && keptMembers(meta, metaFields(header), () => false),
    transcript,
  };
  return { header: { ...header, keepsakes }, footer };
}

/**
 * Returns the trace fields in a session file: `{"meta":{…},"end":{…}}`. Any other `trace` member was not written by
 * mcpreel.
 */
function traceOf(view: ObjectView): ObjectView | undefined {
  const trace = view.object('trace');
  const isPart = (key: string): boolean =>
    (key === 'meta' || key === 'end') && (trace?.object(key)?.members.length ?? 0) > 0;
  const meta = trace?.object('meta');
  const isTaken = taken(view, () => false)('transcript', meta?.textOf('transcript') ?? '');
  const isOurs = trace?.members.every(({ key }) => isPart(key)) && !(meta?.has('transcript') && isTaken);
  return trace !== undefined && trace.members.length > 0 && isOurs ? trace : undefined;
}

function footerFrom(view: ObjectView, end: ObjectView | undefined, header: SessionHeader): SessionFooter | undefined {
  const endedAtMs = parseTime(view.string('ended_at') ?? '');
  if (endedAtMs === undefined) return undefined;
  const elapsedMs = Math.max(0, endedAtMs - header.startedAtMs);
  if (end === undefined) return { endedAtMs, exitCode: undefined, durationMs: elapsedMs };
  const footer = footerOf(end, endedAtMs);
  return { ...footer, durationMs: footer.durationMs ?? elapsedMs };
}

/** A command line that cannot be split like in a shell is treated as one word. */
function wordsOf(commandText: string): string[] {
  try {
    return splitCommandLine(commandText);
  } catch {
    return [commandText];
  }
}

/** Reads a time. Keeps its text if the writer would format the time differently. */
function timeOf(view: ObjectView, key: string, keeper: UnknownFieldKeeper): number | undefined {
  const text = view.string(key);
  const timeMs = text === undefined ? undefined : parseTime(text);
  if (timeMs === undefined || formatSessionTime(timeMs) !== text) keeper.keepFrom(view, key);
  return timeMs;
}

/** An entry, and the index in `messages` that it is at or before. */
interface PlacedEntry {
  readonly place: number;
  readonly entry: Entry;
}

async function* readMessages(
  source: Source,
  place: ByteRange,
  header: SessionHeader,
  report: ReadReport,
): AsyncGenerator<PlacedEntry[]> {
  const reader = new MessageReader(header, report);
  for await (const children of elementsIn(source, place, faultReport('messages', report))) {
    const placed: PlacedEntry[] = [];
    for (const child of children) {
      const entry = reader.take(child);
      if (entry !== undefined) placed.push({ place: child.index, entry });
    }
    yield placed;
  }
}

function faultReport(place: string, report: ReadReport): (fault: string) => void {
  return (fault) => {
    // The cut-off file has already been reported.
    if (fault !== CUT_DOCUMENT) report({ place, what: `${fault}; the rest is skipped` });
  };
}

async function* readEvents(
  source: Source,
  place: ByteRange | undefined,
  header: SessionHeader,
  report: ReadReport,
): AsyncGenerator<PlacedEntry[]> {
  if (place === undefined) return;
  for await (const children of elementsIn(source, place, faultReport('events', report))) {
    const placed: PlacedEntry[] = [];
    for (const child of children) {
      const view = childView(child);
      const event = typeof view === 'string' ? view : eventFrom(view, header);
      if (typeof event === 'string') report({ place: `event ${child.index}`, what: event });
      else placed.push(event);
    }
    yield placed;
  }
}

/** Merges both streams. An event comes before the message whose index it names. */
async function* mergeByPlace(
  messages: AsyncGenerator<PlacedEntry[]>,
  events: AsyncGenerator<PlacedEntry[]>,
): AsyncGenerator<readonly Entry[]> {
  try {
    let pending = await nextBatch(events);
    for await (const batch of messages) {
      const entries: Entry[] = [];
      for (const { place, entry } of batch) {
        while (pending !== undefined && (pending[0]?.place ?? 0) <= place) {
          const event = pending.shift();
          if (event !== undefined) entries.push(event.entry);
          if (pending.length === 0) pending = await nextBatch(events);
        }
        entries.push(entry);
      }
      if (entries.length > 0) yield entries;
    }
    for (; pending !== undefined; pending = await nextBatch(events)) yield pending.map(({ entry }) => entry);
  } finally {
    // If the consumer stops early, close the file.
    await events.return(undefined);
  }
}

async function nextBatch(events: AsyncGenerator<PlacedEntry[]>): Promise<PlacedEntry[] | undefined> {
  // Not `for await`, which would close the stream when the loop exits.
  for (let next = await events.next(); !next.done; next = await events.next()) {
    if (next.value.length > 0) return next.value;
  }
  return undefined;
}

function eventFrom(view: ObjectView, header: SessionHeader): PlacedEntry | string {
  const place = view.number('before');
  if (place === undefined) return '"before" is missing';
  const keeper = new UnknownFieldKeeper();
  const atMs = timeOf(view, 'timestamp', keeper) ?? header.startedAtMs;
  const line = view.object('line');
  if (line !== undefined) return { place, entry: { kind: 'other', type: line.string('type'), atMs, text: line.text } };
  const event = view.string('kind');
  const raw = view.textOf('raw');
  if (event === undefined || raw === undefined) return '"kind" or "raw" is missing';
  const trace = asideMembers(view, 'trace', takenBeside(view, takenInEvent));
  if (trace === undefined) keeper.keepFrom(view, 'trace');
  const transcript = view.object('transcript')?.text;
  const conversation = wholeNumber(view.textOf('conversation'));
  for (const { key, start, end } of view.members) {
    const isRead =
      EVENT_MEMBERS.has(key) ||
      (key === 'transcript' && transcript !== undefined) ||
      (key === 'conversation' && conversation !== undefined);
    if (!isRead) keeper.keep(key, view.text.slice(start, end));
  }
  const keepsakes = { session: keeper.text, trace, transcript };
  return { place, entry: { kind: 'event', event, atMs, raw, conversation, keepsakes } };
}

const EVENT_MEMBERS = new Set(['before', 'timestamp', 'kind', 'raw', 'trace']);

/** Members that trace lines always contain. A `trace` object that mcpreel wrote never contains them. */
const takenInEvent = (key: string): boolean => /^(type|kind|seq|raw)$/.test(key);
const takenInMessage = (key: string, value: JsonText): boolean =>
  /^(dir|seq|batch|http|sse|raw)$/.test(key) || (/^(id|corr)$/.test(key) && value.startsWith('"'));

/** Also covers the conversation, which traces call `conv`: the item's own, or a value that would be read as one. */
function takenBeside(item: ObjectView, byFormat: typeof takenInMessage): typeof takenInMessage {
  const own = wholeNumber(item.textOf('conversation'));
  return taken(
    item,
    (key, value) => byFormat(key, value) || (key === 'conv' && (own ?? wholeNumber(value)) !== undefined),
  );
}

/** Converts the elements of `messages` to entries. */
class MessageReader {
  readonly #transport: string;
  readonly #report: ReadReport;
  readonly #pairing = new Pairing(MAX_UNPAIRED);
  readonly #idOf: (n: number) => string;
  #sequence = 0;
  #timeMs: number;

  constructor(header: SessionHeader, report: ReadReport) {
    this.#transport = header.transport;
    this.#report = report;
    this.#idOf = messageIdsOf(header.id);
    this.#timeMs = header.startedAtMs;
  }

  take(child: JsonChild): MessageEntry | undefined {
    const view = childView(child);
    const problem = typeof view === 'string' ? view : problemWith(view);
    if (typeof view === 'string' || problem !== undefined) {
      this.#report({ place: `message ${child.index}`, what: problem ?? '' });
      return undefined;
    }
    const fault = fieldFault(view, MESSAGE_FIELDS);
    if (fault !== undefined) this.#report({ place: `message ${child.index}`, what: fault, effect: 'repaired' });
    return this.#message(view, view.textOf('payload') ?? '{}');
  }

  #message(view: ObjectView, text: JsonText): MessageEntry {
    const sequence = this.#sequence++;
    const keeper = new UnknownFieldKeeper();
    const proxyId = stringOf(view.textOf('proxy_id') ?? '') ?? this.#idOf(sequence);
    const direction = view.string('direction') === 'client_to_server' ? 'client_to_server' : 'server_to_client';
    const conversation = wholeNumber(view.textOf('conversation'));
    this.#timeMs = timeOf(view, 'timestamp', keeper) ?? this.#timeMs;
    const envelope = readEnvelope(text);
    const isOther = view.textOf('dropped') === 'true' || view.string('sent_text') !== undefined;
    const isUnsent = envelope.kind === 'request' && isOther;
    const exchange = exchangeIn(view.textOf('http'));
    const paired = isUnsent ? undefined : this.#pairing.match({ proxyId, direction, conversation, exchange }, envelope);
    const claimed = view.string('correlated_id');
    const modified = view.textOf('modified') === 'true';
    const original = view.textOf('original_payload');
    const trace = asideMembers(view, 'trace', takenBeside(view, takenInMessage));
    const transcript = view.object('transcript')?.text;

    const written: Readonly<Record<string, JsonText>> = {
      transport: JSON.stringify(this.#transport),
      jsonrpc_id: envelope.id ?? 'null',
      method: envelope.method === undefined ? 'null' : JSON.stringify(envelope.method),
      modified: String(modified),
      correlated_id: JSON.stringify(claimed ?? paired ?? null),
    };
    for (const { key, start, end } of view.members) {
      const value = view.text.slice(start, end);
      if (key === 'transcript' && transcript !== undefined) continue;
      if (!MESSAGE_MEMBERS.has(key)) keeper.keep(key, value);
      else if (OPTIONAL_MEMBERS.get(key)?.test(value) === false) keeper.keep(key, value);
      else if (Object.hasOwn(written, key) && !sameJson(view.textOf(key) ?? '', written[key] ?? ''))
        keeper.keepFrom(view, key);
    }
    if (!modified && original !== undefined) keeper.keep('original_payload', original);
    if (trace === undefined) keeper.keepFrom(view, 'trace');
    const kept = keeper.text;
    return {
      kind: 'message',
      sequence,
      proxyId,
      atMs: this.#timeMs,
      direction,
      text,
      envelope,
      correlatedId: claimed ?? paired,
      ...(modified && { modified, ...(original !== 'null' && { original }) }),
      ...optionalParts(view),
      ...(conversation !== undefined && { conversation }),
      ...((kept ?? trace ?? transcript) !== undefined && { keepsakes: { session: kept, trace, transcript } }),
    };
  }
}

const MESSAGE_MEMBERS = new Set(
  (
    'proxy_id sequence timestamp direction transport jsonrpc_id method correlated_id modified payload original_payload ' +
    'sent_text dropped injected conversation batch http sse trace'
  ).split(' '),
);

/** How the values of optional members must begin. Otherwise a member is treated as unknown. */
const OPTIONAL_MEMBERS: ReadonlyMap<string, RegExp> = new Map([
  ['proxy_id', /^"/],
  ['sent_text', /^"/],
  ['dropped', /^(true|false)$/],
  ['injected', /^(true|false)$/],
  ['conversation', /^\d{1,15}$/],
]);

function problemWith(view: ObjectView): string | undefined {
  const payload = view.textOf('payload');
  if (payload === undefined) return 'payload is missing';
  if (!payload.startsWith('{')) return 'payload is not an object';
  const direction = view.string('direction');
  if (direction === 'client_to_server' || direction === 'server_to_client') return undefined;
  const text = view.textOf('direction')?.slice(0, 60);
  const found = text === undefined ? 'is missing' : `${text} is not client_to_server or server_to_client`;
  return `direction ${found}`;
}

function optionalParts(view: ObjectView): Partial<MessageEntry> {
  const sentText = view.string('sent_text');
  return {
    ...(sentText !== undefined && { sentText }),
    ...(view.textOf('dropped') === 'true' && { dropped: true }),
    ...(view.textOf('injected') === 'true' && { injected: true }),
    ...(view.has('batch') && { batch: view.textOf('batch') }),
    ...(view.has('http') && { http: view.textOf('http') }),
    ...(view.has('sse') && { sse: view.textOf('sse') }),
  };
}
