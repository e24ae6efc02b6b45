import type { JsonChild } from '../../json/child-scanner.ts';
import { ObjectView } from '../../json/object-view.ts';
import { uuidFromText } from '../../model/derived-id.ts';
import { batchText, type Entry, type MessageEntry } from '../../model/entry.ts';
import { ReelError } from '../../model/errors.ts';
import { type RecordedSession, unnamedHeader } from '../../model/session.ts';
import {
  type ByteRange,
  childView,
  describeDocument,
  elementsIn,
  isArray,
  notWhole,
  requestedMembers,
  scanTopLevel,
  type TopLevel,
} from '../children.ts';
import { CUT_DOCUMENT } from '../cut-off.ts';
import { type FieldRule, fieldFault } from '../field-faults.ts';
import { type ReadOptions, type ReadReport, type Source, WRONG_FORMAT } from '../format.ts';
import { isStamp, MessageClock, stampOf } from '../message-clock.ts';
import { MessageMaker } from '../message-maker.ts';
import { oncePerFile } from '../reading.ts';
import { keptMembers, UnknownFieldKeeper } from '../unknown-fields.ts';
import {
  contentOf,
  type EntryContent,
  isFitId,
  isObject,
  styleText,
  TRANSCRIPT_ENTRY,
  type TranscriptFormat,
  type TranscriptStyle,
} from './transcript-entry.ts';

/** Reads a transcript of an HTTP transport: a JSON document whose `entries` contain the messages. */
export async function readHttpTranscript(
  source: Source,
  options: ReadOptions,
  format: TranscriptFormat,
): Promise<RecordedSession> {
  const top = await scanTopLevel(source, (key) => key !== 'entries');
  const entries = top.members.get('entries');
  if (entries === undefined || !(await isArray(source, entries))) throw withoutEntries(source, top, format);
  const unreadable: string[] = [];
  const view = ObjectView.of(requestedMembers(top, unreadable)) ?? ObjectView.ofHead('{}');
  requireTransport(source, view.string('transport'), format);
  const clock = await firstStamps(source, entries);
  const id = uuidFromText(`${source.size}:${format}:${clock.firstText}`);
  const problemsOf = oncePerFile(options);
  return {
    format,
    header: {
      ...unnamedHeader(id),
      startedAtMs: clock.startedAtMs,
      transport: format === 'http-sse' ? 'sse' : format,
      keepsakes: { transcript: keptMembers(view, [], (key) => key === 'transport') },
    },
    footer: undefined,
    sourceUnit: 'entry',
    numbersTimes: clock.firstMs === undefined,
    async *batches() {
      const report = problemsOf();
      if (top.fault !== undefined) report(notWhole('transcript', top.fault));
      for (const key of unreadable) {
        const what = `${JSON.stringify(key)} is not valid JSON`;
        report({ place: 'transcript', what: `${what}; left out`, contract: `invalid JSON: ${what}` });
      }
      const reader = new TranscriptEntryReader(format, id, clock.firstMs, report);
      for await (const children of childrenOf(source, entries, report))
        yield children.flatMap((child) => reader.take(child));
    },
  };
}

function withoutEntries(source: Source, top: TopLevel, format: TranscriptFormat): ReelError {
  const fault = top.fault === undefined ? '' : ` (${top.fault})`;
  const requested = top.members.has('entries') ? 'has an array of "entries"' : 'has "entries"';
  const seen = `${describeDocument(top)}${fault}; such a transcript ${requested}`;
  return new ReelError('session-unreadable', `${source.name} is not a ${format} transcript: ${seen}`, {
    hint: WRONG_FORMAT,
  });
}

function requireTransport({ name }: Source, transport: string | undefined, format: TranscriptFormat): void {
  if (transport === format) return;
  const found = JSON.stringify(transport?.slice(0, 60) ?? 'missing');
  const isOther = transport === 'streamable-http' || transport === 'http-sse';
  const what = `${name}: ${format} transcript transport must be "${format}", found ${found}`;
  const hint = isOther ? `Name its format with --format ${transport}.` : WRONG_FORMAT;
  throw new ReelError('session-unreadable', what, { hint });
}

function childrenOf(source: Source, place: ByteRange, report: ReadReport): AsyncGenerator<readonly JsonChild[]> {
  return elementsIn(source, place, (fault) => {
    // The cut-off file has already been reported.
    if (fault !== CUT_DOCUMENT) report(notWhole('entries', fault));
  });
}

/** The first time in a transcript, which is determined before the first entry is read. */
interface FirstStamps {
  readonly startedAtMs: number;
  readonly firstText: string;
  /** The first time of a message. Absent if no message has a time; the messages are then numbered. */
  readonly firstMs: number | undefined;
}

async function firstStamps(source: Source, entries: ByteRange): Promise<FirstStamps> {
  let firstText: string | undefined;
  let anyMessage = false;
  let besideMs: number | undefined;
  for await (const children of childrenOf(source, entries, () => undefined)) {
    for (const child of children) {
      const view = childView(child);
      if (typeof view === 'string') continue;
      firstText ??= view.text;
      const content = contentOf(view);
      const stamp = entryStamp(view).atMs;
      if (content.kind === 'transport-only') besideMs ??= stamp;
      if (content.kind !== 'messages') continue;
      anyMessage = true;
      const firstMs = stamp ?? content.parts.map(stampOf).find((inside) => inside !== undefined);
      if (firstMs !== undefined) return { startedAtMs: Math.min(firstMs, besideMs ?? firstMs), firstText, firstMs };
    }
  }
  const startedAtMs = anyMessage ? 0 : (besideMs ?? 0);
  return { startedAtMs, firstText: firstText ?? '', firstMs: undefined };
}

/** Returns the time of an entry. A time that is null or absent is not a fault. */
function entryStamp(entry: ObjectView): { readonly atMs: number | undefined; readonly isFault: boolean } {
  const text = entry.textOf('timestamp_ms') ?? 'null';
  const atMs = /^\d/.test(text) ? Number(text) : undefined;
  return isStamp(atMs) ? { atMs, isFault: false } : { atMs: undefined, isFault: text !== 'null' };
}

const CONTEXT_FIELDS: readonly FieldRule[] = [
  { key: 'transport_context', type: 'object', optional: true, without: 'it is not used' },
];
const HEADER_FIELDS: readonly FieldRule[] = [
  { key: 'headers', type: 'headers', optional: true, without: 'they are not used' },
];

/** Converts the entries of one transcript. */
class TranscriptEntryReader {
  readonly #format: TranscriptFormat;
  readonly #report: ReadReport;
  readonly #maker: MessageMaker;
  readonly #clock: MessageClock;

  constructor(format: TranscriptFormat, sessionId: string, firstMs: number | undefined, report: ReadReport) {
    this.#format = format;
    this.#report = report;
    this.#maker = new MessageMaker(sessionId);
    this.#clock = new MessageClock(firstMs);
  }

  take(child: JsonChild): Entry[] {
    const number = child.index + 1;
    const view = childView(child);
    if (typeof view === 'string') {
      this.#say(number, view, `is ${view}`);
      return [];
    }
    const { atMs, isFault } = entryStamp(view);
    if (isFault) {
      const what = 'timestamp_ms must be a whole number, 0 or more';
      this.#say(number, `${what}; the time before it is used`, what);
    }
    const fault =
      fieldFault(view, CONTEXT_FIELDS) ?? fieldFault(view.object('transport_context') ?? view, HEADER_FIELDS);
    if (fault !== undefined) this.#report({ place: `entry ${number}`, what: fault, effect: 'repaired' });
    const content = contentOf(view);
    switch (content.kind) {
      case 'fault':
        this.#say(number, content.what);
        return [];
      case 'transport-only': {
        if (content.what !== undefined) this.#report({ place: `entry ${number}`, what: content.what });
        const time = atMs ?? this.#clock.timeOf(undefined, this.#maker.next);
        return [{ kind: 'event', event: TRANSCRIPT_ENTRY, atMs: time, raw: view.text }];
      }
      case 'messages':
        return this.#messages(view, content, number, atMs);
    }
  }

  #say(number: number, what: string, contract: string = what): void {
    const place = `entry ${number}`;
    this.#report({ place, what, contract: `${this.#format} transcript ${place} ${contract}` });
  }

  #messages(
    view: ObjectView,
    { slot, parts, style: found }: Extract<EntryContent, { kind: 'messages' }>,
    sourceLine: number,
    stamp: number | undefined,
  ): MessageEntry[] {
    const event = slot === 'sse' ? view.object('sse') : undefined;
    // Everything in the event except its data.
    const sse = event && (event.only((key) => key !== 'data') ?? '{}');
    if (!isFitId(event?.textOf('id'))) this.#say(sourceLine, 'sse.id must be a string or a number');
    const style: TranscriptStyle = { ...found, unstamped: !view.has('timestamp_ms') };
    const direction = slot === 'request' ? 'client_to_server' : 'server_to_client';
    const frame = this.#maker.next;
    const messages: MessageEntry[] = [];
    for (const [index, text] of parts.entries()) {
      if (!isObject(text)) {
        const what = `element ${index + 1} of the batch is not a JSON object`;
        this.#say(sourceLine, what, `has a batch whose element ${index + 1} is not a JSON object`);
        continue;
      }
      const atMs = this.#clock.timeOf(stamp ?? stampOf(text), this.#maker.next);
      const keeper = new UnknownFieldKeeper();
      if (messages.length === 0) keepBeside(keeper, view, slot, atMs);
      const how = styleText(messages.length === 0 ? style : { batch: messages.length });
      if (how !== '{}' || (slot === 'response' && this.#format === 'http-sse')) keeper.keep(slot, how);
      const batch = style.batch === undefined ? undefined : batchText(frame, index, parts.length);
      messages.push(
        this.#maker.make({
          text,
          atMs,
          direction,
          sourceLine,
          ...(sse !== undefined && { sse }),
          ...(batch !== undefined && { batch }),
          ...(keeper.text !== undefined && { keepsakes: { transcript: keeper.text } }),
        }),
      );
    }
    return messages;
  }
}

/**
 * Keeps the members of an entry beside its message (its other slots are null), except for a time that the writer writes
 * anyway.
 */
function keepBeside(keeper: UnknownFieldKeeper, entry: ObjectView, slot: string, atMs: number): void {
  const hasOddTime = entry.textOf('timestamp_ms') !== String(atMs);
  for (const { key, start, end } of entry.members) {
    const isWritten = key === slot || (key === 'timestamp_ms' && !hasOddTime);
    if (!isWritten) keeper.keep(key, entry.text.slice(start, end));
  }
}
