import { escapeLoneSurrogates } from '../../json/lone-surrogates.ts';
import { elementTexts, ObjectView } from '../../json/object-view.ts';
import { encodeString } from '../../json/scan.ts';
import { uuidFromText } from '../../model/derived-id.ts';
import { batchText, type Direction, type Entry, type JsonText, type MessageEntry } from '../../model/entry.ts';
import { ReelError } from '../../model/errors.ts';
import { defaultLabel } from '../../model/label.ts';
import type { RecordedSession, SessionHeader } from '../../model/session.ts';
import { LATEST_MS } from '../../model/times.ts';
import { readEnvelope } from '../../protocol/envelope.ts';
import { Pairing } from '../../protocol/pairing.ts';
import { candidatesInArray, type MessageCandidate, viewOf } from '../candidates.ts';
import { describeDocument, isArray, notWhole, type TopLevel } from '../children.ts';
import { type ReadOptions, type ReadProblem, type ReadReport, type Source, WRONG_FORMAT } from '../format.ts';
import { MessageMaker, type ResponsePairing } from '../message-maker.ts';
import { oncePerFile } from '../reading.ts';
import { keptMembers } from '../unknown-fields.ts';

/** A capture by another tool: its records, and how to read them. */
export interface ForeignCapture {
  readonly format: string;
  /** Whether a session without messages is valid. Only true if the capture itself states that it is a session. */
  readonly mayBeEmpty?: boolean;
  /** What a record is in its file (default: a line). */
  readonly sourceUnit?: 'entry';
  /** Reads the records in order. */
  records(report: ReadReport): AsyncGenerator<MessageCandidate[]>;
  /** Begins a pass over the records. The returned function is called for each record. */
  begin(pass: CapturePass): (record: ObjectView, line: number) => void;
}

/** Reads the session in a capture. Throws if it contains no message. */
export async function readCapture(
  source: Source,
  options: ReadOptions,
  capture: ForeignCapture,
): Promise<RecordedSession> {
  const header = await lookForHeader(source, capture);
  const problemsOf = oncePerFile(options);
  return {
    format: capture.format,
    header,
    footer: undefined,
    sourceUnit: capture.sourceUnit,
    async *batches() {
      const report = problemsOf();
      const pass = new CapturePass(capture.format, header, report);
      const take = capture.begin(pass);
      for await (const candidates of capture.records(report)) {
        const entries: Entry[] = [];
        for (const candidate of candidates) entries.push(...pass.read(candidate, take));
        if (entries.length > 0) yield entries;
      }
      yield pass.finish();
    },
  };
}

/** Reads the records in the array under `key` of a document. Throws if there is no such array. */
export async function recordElements(
  source: Source,
  document: TopLevel,
  key: string,
): Promise<ForeignCapture['records']> {
  const { members, fault } = document;
  const array = members.get(key);
  if (array === undefined || !(await isArray(source, array))) {
    const what = `No array "${key}" in ${source.name}: ${fault ?? describeDocument(document)}`;
    throw new ReelError('session-unreadable', what, { hint: WRONG_FORMAT });
  }
  return async function* (report) {
    let wasSent = false;
    yield* candidatesInArray(source, array, (problem) => {
      wasSent = true;
      report(problem);
    });
    if (fault !== undefined && !wasSent) report(notWhole('file', fault));
  };
}

/** Parses the lines at the head of a file, of which the last may be cut off. */
export function recordsInHead(head: string): ObjectView[] {
  const lines = head.replace(/^\uFEFF/, '').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => ObjectView.ofHead(line));
}

/** Returns the text of a member, unless it is null: other tools write null where they have no value. */
export function presentIn(record: ObjectView | undefined, member: string): JsonText | undefined {
  const text = record?.textOf(member);
  return text === 'null' ? undefined : text;
}

/** Returns the members of a record that the model has no field for. */
export function unknownMembers(record: ObjectView | undefined, known: readonly string[]): JsonText | undefined {
  if (record === undefined || record.members.every(({ key }) => known.includes(key))) return undefined;
  return keptMembers(record, [], (key) => known.includes(key));
}

/** Reads up to the first message. The facts up to there are the header. */
async function lookForHeader(source: Source, capture: ForeignCapture): Promise<SessionHeader> {
  const seen = new Map<string, number>();
  let isUnreadable = false;
  const pass = new CapturePass(capture.format, { id: '', startedAtMs: 0 }, ({ contract }) => {
    isUnreadable ||= contract !== undefined;
  });
  const take = capture.begin(pass);
  const headerIn = (entries: readonly Entry[]): SessionHeader | undefined => {
    const message = entries.find((entry) => entry.kind === 'message');
    return message && pass.headerWith(uuidFromText(`${source.size}:${message.text}`));
  };
  for await (const candidates of capture.records(() => undefined)) {
    for (const candidate of candidates) {
      isUnreadable = false;
      const entries = pass.read(candidate, take);
      const header = headerIn(entries);
      if (header !== undefined) return header;
      const [first] = entries;
      const what = first?.kind === 'event' ? `of kind ${first.event}` : isUnreadable ? 'unreadable' : 'without MCP';
      seen.set(what, (seen.get(what) ?? 0) + 1);
    }
  }
  const header = headerIn(pass.finish());
  if (header !== undefined) return header;
  if (capture.mayBeEmpty) return pass.headerWith('');
  const records = [...seen].slice(0, 5).map(([what, times]) => `${times} ${what}`);
  const sent = records.length === 0 ? 'it has no records' : `of its records, ${records.join(', ')}`;
  const what = `No message of ${capture.format} in ${source.name}: ${sent}`;
  throw new ReelError('session-unreadable', what, { hint: WRONG_FORMAT });
}

type SentMember = 'http' | 'sse' | 'conversation' | 'batch' | 'correlatedId' | 'dropped' | 'injected';

/** The facts that a capture contains about a message, apart from its text. */
export interface ForeignMessage extends Partial<Pick<MessageEntry, SentMember>> {
  readonly direction: Direction;
  /** The message's id, if the capture contains it. */
  readonly proxyId?: string | undefined;
  /** The members of its record that the model has no field for. */
  readonly kept?: JsonText | undefined;
  /** Whether `correlatedId` is exact: a response without one answers no request. */
  readonly pairing?: ResponsePairing | undefined;
  /** The connection or exchange of the message. Responses are matched with the requests of the same one first. */
  readonly seenOn?: number | undefined;
}

/** One pass over the records of a capture, which creates the entries in order. */
export class CapturePass {
  /** The time of the current record, in epoch milliseconds. */
  atMs: number;
  readonly #format: string;
  readonly #report: ReadReport;
  readonly #maker: MessageMaker;
  readonly #seenOn = new Pairing();
  readonly #numbers = new Map<string, Map<string, number>>();
  #header: Partial<SessionHeader> = {};
  #entries: Entry[] = [];
  #candidate: MessageCandidate = { place: '', line: 0, text: undefined };
  #atEnd: () => void = () => undefined;

  constructor(format: string, session: Pick<SessionHeader, 'id' | 'startedAtMs'>, report: ReadReport) {
    this.#format = format;
    this.#maker = new MessageMaker(session.id);
    this.#report = report;
    this.atMs = session.startedAtMs;
  }

  read(candidate: MessageCandidate, take: (record: ObjectView, line: number) => void): Entry[] {
    this.#candidate = candidate;
    this.#entries = [];
    const record = viewOf(candidate, this.#report);
    if (record !== undefined) take(record, candidate.line);
    return this.#entries;
  }

  /** Returns a function that creates entries of the current record later, while another one is read or at the end. */
  later(create: () => void): () => void {
    const candidate = this.#candidate;
    return () => {
      const current = this.#candidate;
      this.#candidate = candidate;
      create();
      this.#candidate = current;
    };
  }

  /** Sets what creates the entries that were put off, after the last record. */
  atEnd(create: () => void): void {
    this.#atEnd = create;
  }

  finish(): Entry[] {
    this.#entries = [];
    this.#atEnd();
    return this.#entries;
  }

  /** Records facts about the session. The first value of each fact is kept. */
  know(facts: { readonly [K in keyof SessionHeader]?: SessionHeader[K] | undefined }): void {
    // Almost every record repeats known facts.
    for (const [name, fact] of Object.entries(facts)) {
      if (fact === undefined || fact === '' || Object.hasOwn(this.#header, name)) continue;
      this.#header = { ...this.#header, [name]: fact };
    }
  }

  headerWith(id: string): SessionHeader {
    const { command = [], url } = this.#header;
    const label = defaultLabel(command, url);
    const unsaid = { id, startedAtMs: this.atMs, label, transport: 'stdio', command, url, metadata: '{}' };
    return { ...unsaid, ...this.#header };
  }

  /** Sets the time of this record and those that follow. If `member` is not a valid time, the previous time is used. */
  at(timeMs: number | undefined, member: string): void {
    if (timeMs === undefined || !(Math.abs(timeMs) <= LATEST_MS)) {
      this.notTime(member);
    } else {
      this.atMs = Math.round(timeMs);
      this.know({ startedAtMs: this.atMs });
    }
  }

  notTime(member: string): void {
    this.problem(`${member} is not a time; the time before it is used`, 'repaired');
  }

  /** The number of the next message. */
  get next(): number {
    return this.#maker.next;
  }

  /** Returns the number of a name among those of its kind, from 0 in order of appearance. */
  numberOf(kind: string, name: string): number {
    const numbers = this.#numbers.get(kind) ?? new Map<string, number>();
    const number = numbers.get(name) ?? numbers.size;
    this.#numbers.set(kind, numbers.set(name, number));
    return number;
  }

  /**
   * Adds a message or the messages of a batch. Any other value is added as noise. The text of a value that a string in
   * the capture held may have lone surrogates.
   */
  message(found: string, sent: ForeignMessage): void {
    const value = escapeLoneSurrogates(found);
    if (value.startsWith('{')) {
      this.#entries.push(this.#message(value, sent));
      return;
    }
    const elements = elementTexts(value) ?? [];
    const frame = this.#maker.next;
    for (const [index, text] of elements.entries()) {
      const batch = batchText(frame, index, elements.length);
      if (text.startsWith('{')) this.#entries.push({ ...this.#message(text, sent), batch });
      else this.noise(sent.direction, encodeString(text));
    }
    if (elements.length === 0) this.noise(sent.direction, encodeString(value));
  }

  #message(text: JsonText, { seenOn, kept, pairing, proxyId: ownId, ...sent }: ForeignMessage): MessageEntry {
    const envelope = seenOn === undefined ? undefined : readEnvelope(text);
    const match = (proxyId: string): string | undefined =>
      envelope && this.#seenOn.match({ proxyId, direction: sent.direction, conversation: seenOn }, envelope);
    const matched = envelope?.kind === 'response' ? match('') : undefined;
    const correlatedId = sent.correlatedId ?? matched;
    const sourceLine = this.#candidate.line;
    const seen = { ...sent, text, atMs: this.atMs, correlatedId, sourceLine };
    const named = ownId === undefined ? {} : { proxyId: ownId };
    const message = this.#maker.make({ ...seen, ...named, ...keptAside(kept) }, pairing);
    if (envelope?.kind === 'request') match(message.proxyId);
    return message;
  }

  /** Adds sent data that is not a message. */
  noise(direction: Direction, literal: JsonText): void {
    const dir = direction === 'client_to_server' ? 'in' : 'out';
    this.event('stdio.noise', `{"dir":"${dir}","text":${literal}}`);
  }

  event(event: string, raw: JsonText, kept?: JsonText, conversation?: number): void {
    const place = conversation === undefined ? {} : { conversation };
    this.#entries.push({ kind: 'event', event, atMs: this.atMs, raw, ...place, ...keptAside(kept) });
  }

  /**
   * Adds a record that is not a message as an event. The event's name begins with the format's name, because the record
   * could be mistaken for a line of a trace.
   */
  record(kind: string | undefined, record: ObjectView): void {
    const name = kind !== undefined && /^[\w-]{1,40}$/.test(kind) ? kind : 'record';
    this.event(`${this.#format}.${name}`, record.text.trim());
  }

  problem(what: string, effect?: ReadProblem['effect']): void {
    this.#report({ place: this.#candidate.place, what, ...(effect !== undefined && { effect }) });
  }

  /** Adds a record with a message whose direction is not one of the format's as an event, and reports it. */
  withoutDirection(member: string, known: Iterable<string>, record: ObjectView, holder: ObjectView = record): void {
    const found = holder.textOf(member)?.slice(0, 60);
    this.problem(`${member} ${found === undefined ? 'is missing' : `${found} is not one of ${[...known].join(', ')}`}`);
    this.record(undefined, record);
  }
}

function keptAside(kept: JsonText | undefined): Pick<MessageEntry, 'keepsakes'> {
  return kept === undefined ? {} : { keepsakes: { transcript: kept } };
}
