import { exchangeIn } from '../../analysis/calls/call-reply.ts';
import { elementTexts, ObjectView } from '../../json/object-view.ts';
import { documentSpan, scanValue } from '../../json/scan.ts';
import { messageIdsOf } from '../../model/derived-id.ts';
import type { JsonText, MessageEntry } from '../../model/entry.ts';
import { batchText, type Entry } from '../../model/entry.ts';
import type { SessionFooter, SessionHeader } from '../../model/session.ts';
import { parseTime, parseTraceTime } from '../../model/times.ts';
import { scanEnvelope } from '../../protocol/envelope.ts';
import { Pairing } from '../../protocol/pairing.ts';
import { tornLine } from '../cut-off.ts';
import type { ReadProblem, ReadReport } from '../format.ts';
import { MAX_UNPAIRED, type NumberedLine, stringOf, wholeNumber } from '../reading.ts';
import { asideMembers, UnknownFieldKeeper } from '../unknown-fields.ts';
import { type PlainTraceLine, readPlainTraceLine } from './plain-line.ts';
import { partNumberOf, RotationGaps } from './rotation-gaps.ts';
import { endFault, headerFault, taken } from './trace-header.ts';
import { sourceText } from './trace-writer.ts';

interface ResumedReading {
  readonly sequence: number;
  readonly atMs: number | undefined;
}

/** Converts the lines of one trace to entries. */
export class TraceEntryReader {
  readonly #onProblem: ReadReport;
  #pairing: Pairing | undefined;
  readonly #idOf: (n: number) => string;
  readonly #sessionId: string;
  readonly #rotation = new RotationGaps();
  #sequence: number;
  #seenFirst = false;
  #timeMs: number;
  /** Whether formatting the time gives exactly the characters in the line. */
  #timeIsExact = true;
  /** The last end line so far. It is the footer if nothing follows it. */
  #pendingEnd: Entry | undefined;
  /** The number of a cut-off line, which is no fault if it is the last one. */
  #torn: number | undefined;

  /**
   * @param resumes The sequence of the first message and the time before it, to read lines again from the middle of a
   *   trace. Responses are then not paired with requests, because those may lie before.
   */
  constructor(header: SessionHeader, onProblem: ReadReport, resumes?: ResumedReading) {
    this.#onProblem = onProblem;
    this.#pairing = resumes === undefined ? new Pairing(MAX_UNPAIRED) : undefined;
    this.#sequence = resumes?.sequence ?? 0;
    this.#idOf = messageIdsOf(header.id);
    this.#sessionId = header.id;
    this.#timeMs = resumes?.atMs ?? header.startedAtMs;
  }

  take(line: NumberedLine, entries: Entry[]): void {
    if (this.#torn !== undefined && ObjectView.of(line.text) !== undefined) this.#reportTorn();
    const plain = readPlainTraceLine(line.text);
    if (plain !== undefined) {
      this.#leaveEndBehind(entries);
      this.#seenFirst = true;
      this.#timeMs = plain.atMs;
      this.#reportGap(entries);
      this.#rotation.count(line.text);
      entries.push(this.#plainMessage(plain, line.number));
      return;
    }
    const view = ObjectView.of(line.text);
    if (view === undefined) {
      this.#reportTorn();
      if (isCutObject(line.text)) this.#torn = line.number;
      else this.#onProblem(notAnObject(line.number));
      return;
    }
    this.#leaveEndBehind(entries);
    const type = view.string('type');
    const isHeader = !this.#seenFirst && type === 'meta';
    this.#seenFirst = true;
    const fault = isHeader ? headerFault(view) : endFault(view, type);
    if (fault !== undefined) this.#onProblem({ place: `line ${line.number}`, what: fault, effect: 'repaired' });
    if (type === 'meta' && this.#beginsPart(view)) this.#rotation.beginPart(view);
    else if (!isHeader) this.#takeRecord(view, type, line, entries);
  }

  /** Returns the remaining entries after the last line. An end line that was not the footer is one of them. */
  finish(footer: SessionFooter | undefined): Entry[] {
    const entries: Entry[] = [];
    if (this.#torn !== undefined) this.#onProblem(tornLine(this.#torn));
    this.#reportGap(entries);
    if (footer === undefined) this.#leaveEndBehind(entries);
    return entries;
  }

  /** A cut-off line that is not the last one is damage. */
  #reportTorn(): void {
    if (this.#torn !== undefined) this.#onProblem(notAnObject(this.#torn));
    this.#torn = undefined;
  }

  #beginsPart(meta: ObjectView): boolean {
    return meta.string('id') === this.#sessionId && partNumberOf(meta) !== undefined;
  }

  #reportGap(entries: Entry[]): void {
    if (this.#rotation.hasGap) entries.push(this.#rotation.report(this.#timeMs));
  }

  #takeRecord(view: ObjectView, type: string | undefined, line: NumberedLine, entries: Entry[]): void {
    this.#readTime(view, line.number);
    this.#reportGap(entries);
    if (view.has('seq')) this.#rotation.count(line.text);
    // Another session begins, whose ids are its own.
    if (type === 'meta' && this.#pairing !== undefined) this.#pairing = new Pairing(MAX_UNPAIRED);
    if (type === 'end') this.#pendingEnd = this.#other(view, type);
    else if (type === undefined) this.#takeMessage(view, line.number, entries);
    else entries.push((type === 'event' ? this.#event(view) : undefined) ?? this.#other(view, type));
  }

  /** An end line that is followed by another line is not the footer. */
  #leaveEndBehind(entries: Entry[]): void {
    if (this.#pendingEnd !== undefined) entries.push(this.#pendingEnd);
    this.#pendingEnd = undefined;
  }

  #plainMessage(line: PlainTraceLine, sourceLine: number): MessageEntry {
    const { proxyId, atMs, direction, text, envelope, body } = line;
    const paired = this.#pairing?.match(line, envelope);
    const correlatedId = line.correlatedId ?? paired;
    const sequence = this.#sequence++;
    const { upTo } = line;
    return {
      kind: 'message',
      sequence,
      proxyId,
      atMs,
      direction,
      text,
      envelope,
      body,
      correlatedId,
      sourceLine,
      upTo,
    };
  }

  #readTime(view: ObjectView, lineNumber: number): void {
    const t = view.string('t');
    const exactMs = t === undefined ? undefined : parseTraceTime(t);
    const timeMs = exactMs ?? (t === undefined ? undefined : parseTime(t));
    this.#timeIsExact = exactMs !== undefined;
    if (timeMs !== undefined) this.#timeMs = timeMs;
    else if (view.has('t') || view.has('dir')) {
      const what = t === undefined ? 't is missing' : `t ${JSON.stringify(t)} is not a time`;
      this.#onProblem({ place: `line ${lineNumber}`, what: `${what}; the time before it is used`, effect: 'repaired' });
    }
  }

  #other(view: ObjectView, type: string | undefined): Entry {
    return { kind: 'other', type, atMs: this.#timeMs, text: view.text.trim() };
  }

  #event(view: ObjectView): Entry | undefined {
    const event = view.string('kind');
    const raw = view.textOf('raw');
    if (event === undefined || raw === undefined) return undefined;
    const exchange = event === 'http.exchange' ? exchangeIn(raw) : undefined;
    if (exchange !== undefined) this.#pairing?.endExchange(exchange);
    const keeper = new UnknownFieldKeeper();
    const extra = asideMembers(view, 'extra', takenBeside(view, takenInEvent));
    const transcript = view.object('transcript')?.text;
    const conversation = wholeNumber(view.textOf('conv'));
    const upTo = view.textOf('upto');
    this.#keepTime(keeper, view);
    for (const { key, start, end } of view.members) {
      const isRead =
        EVENT_MEMBERS.has(key) ||
        (key === 'transcript' && transcript !== undefined) ||
        (key === 'conv' && conversation !== undefined);
      if (!isRead) keeper.keep(key, view.text.slice(start, end));
    }
    const dir = view.textOf('dir');
    if (dir !== undefined && dir !== '"event"') keeper.keep('dir', dir);
    if (extra === undefined) keeper.keepFrom(view, 'extra');
    return {
      kind: 'event',
      event,
      atMs: this.#timeMs,
      raw,
      ...(conversation !== undefined && { conversation }),
      ...(upTo !== undefined && { upTo }),
      ...withUnknownFields(extra, keeper.text, transcript),
    };
  }

  #takeMessage(view: ObjectView, line: number, entries: Entry[]): void {
    const fault = messageFault(view);
    if (fault !== undefined) this.#onProblem({ place: `line ${line}`, what: fault });
    const dir = view.string('dir');
    const raw = view.textOf('raw');
    const first = raw?.charAt(0);
    if (raw === undefined || (dir !== 'in' && dir !== 'out') || (first !== '{' && first !== '[')) {
      entries.push(this.#other(view, undefined));
    } else if (first === '{') {
      entries.push(this.#message(view, raw, line));
    } else {
      this.#takeBatch(view, raw, line, entries);
    }
  }

  /** Some producers write a batch as one line. Each of its messages becomes an entry. */
  #takeBatch(view: ObjectView, raw: JsonText, line: number, entries: Entry[]): void {
    const elements = elementTexts(raw) ?? [];
    if (elements.length === 0) entries.push(this.#other(view, undefined));
    const frame = this.#sequence;
    const conversation = wholeNumber(view.textOf('conv'));
    for (const [index, text] of elements.entries()) {
      if (text.startsWith('{')) {
        const message = this.#message(view, text, line, index > 0);
        entries.push({ ...message, batch: batchText(frame, index, elements.length) });
      } else {
        const noise = JSON.stringify({ dir: view.string('dir'), text });
        entries.push({ kind: 'event', event: 'stdio.noise', atMs: this.#timeMs, raw: noise, conversation });
      }
    }
  }

  #message(view: ObjectView, text: JsonText, sourceLine: number, sharesLine = false): MessageEntry {
    const sequence = this.#sequence++;
    const keeper = new UnknownFieldKeeper();
    let proxyId: string | undefined;
    let correlatedId: string | undefined;
    let session: JsonText | undefined;
    let transcript: JsonText | undefined;
    let source: JsonText | undefined;
    const optional: OptionalParts = {};
    let direction: MessageEntry['direction'] = 'client_to_server';
    for (const member of view.members) {
      const value = view.text.slice(member.start, member.end);
      switch (member.key) {
        case 'raw':
        case 'seq':
        case 't':
          break;
        case 'dir':
          direction = value === '"in"' ? 'client_to_server' : 'server_to_client';
          break;
        case 'id':
          if (!sharesLine) proxyId = stringOf(value);
          if (!value.startsWith('"')) keeper.keep(member.key, value);
          break;
        case 'corr':
          correlatedId = stringOf(value);
          if (correlatedId === undefined) keeper.keep(member.key, value);
          break;
        case 'extra':
          session = asideMembers(view, member.key, takenBeside(view, takenInMessage));
          if (session === undefined) keeper.keep(member.key, value);
          break;
        case 'source':
          source = value;
          break;
        case 'transcript':
          transcript = view.object(member.key)?.text;
          if (transcript === undefined) keeper.keep(member.key, value);
          break;
        default:
          if (!takeOptional(optional, member.key, value)) keeper.keep(member.key, value);
      }
    }
    const isOwnSource = optional.conversation !== undefined && source === sourceText(optional.conversation);
    if (source !== undefined && !isOwnSource) keeper.keep('source', source);
    if (optional.original !== undefined && !optional.modified) {
      keeper.keep('original', optional.original);
      optional.original = undefined;
    }
    this.#keepTime(keeper, view);
    proxyId ??= this.#idOf(sequence);
    const { conversation, http } = optional;
    const pairable = { proxyId, direction, conversation, exchange: exchangeIn(http) };
    // The text begins with its brace, so the offsets count from there.
    const { envelope, body } = scanEnvelope(text, 0);
    const isUnsent = envelope.kind === 'request' && (optional.dropped || optional.sentText !== undefined);
    const paired = isUnsent ? undefined : this.#pairing?.match(pairable, envelope);
    return {
      kind: 'message',
      sequence,
      proxyId,
      atMs: this.#timeMs,
      direction,
      text,
      envelope,
      body,
      correlatedId: correlatedId ?? paired,
      sourceLine,
      ...optional,
      ...withUnknownFields(session, keeper.text, transcript),
    };
  }

  #keepTime(keeper: UnknownFieldKeeper, view: ObjectView): void {
    if (!this.#timeIsExact) keeper.keepFrom(view, 't');
  }
}

/** The values of `dir` on lines without a type that are not messages. */
const BESIDE_MESSAGES = /^(event|command|telemetry)$/;

/** Why a line without a type is not a message, unless its `dir` marks it as another record. */
function messageFault(line: ObjectView): string | undefined {
  const dir = line.string('dir');
  if (dir === 'in' || dir === 'out') {
    if (!line.has('raw')) return 'raw is missing';
    return isEncoded(line.string('raw') ?? '') ? 'raw is a string that contains JSON' : undefined;
  }
  if (dir !== undefined && BESIDE_MESSAGES.test(dir)) return undefined;
  const text = line.textOf('dir')?.slice(0, 60);
  if (text === undefined) return 'dir and type are missing';
  return `dir ${text} is not one of in, out, event, command and telemetry`;
}

/** Whether a text is the beginning of an object, of which the rest is missing. */
function isCutObject(text: string): boolean {
  const trimmed = text.trim();
  const end = trimmed.startsWith('{') ? scanValue(trimmed, 0) : 0;
  return end < 0 && ~end >= trimmed.length;
}

function notAnObject(line: number): ReadProblem {
  return { place: `line ${line}`, what: 'not a JSON object' };
}

/** Whether a text is a JSON object or array, which was encoded once more to be a string. */
function isEncoded(text: string): boolean {
  return /^\s*[{[]/.test(text) && documentSpan(text) !== undefined;
}

type OptionalParts = { -readonly [K in keyof MessageEntry]?: MessageEntry[K] };

/** Reads a member that only some message lines have. Returns false if it is unknown or invalid. */
function takeOptional(parts: OptionalParts, key: string, value: JsonText): boolean {
  switch (key) {
    case 'modified':
    case 'dropped':
    case 'injected':
      parts[key] = value === 'true';
      return value === 'true' || value === 'false';
    case 'original':
      if (value === 'null') return false;
      parts.original = value;
      return true;
    case 'rawText':
      parts.sentText = stringOf(value);
      return parts.sentText !== undefined;
    case 'conv':
      parts.conversation = wholeNumber(value);
      return parts.conversation !== undefined;
    case 'batch':
    case 'http':
    case 'sse':
      parts[key] = value;
      return true;
    case 'upto':
      parts.upTo = value;
      return true;
    default:
      return false;
  }
}

/** Members that session files always contain. An `extra` object that mcpreel wrote never contains them. */
const takenInMessage = /^(sequence|direction|payload)$/;
const takenInEvent = /^(before|kind|raw|line)$/;

/**
 * Also covers the conversation, which session files call `conversation`: the line's own, or a value that would be read
 * as one.
 */
function takenBeside(line: ObjectView, names: RegExp): (key: string, value: JsonText) => boolean {
  const own = wholeNumber(line.textOf('conv'));
  return taken(
    line,
    (key, value) => names.test(key) || (key === 'conversation' && (own ?? wholeNumber(value)) !== undefined),
  );
}

const EVENT_MEMBERS = new Set(['t', 'type', 'dir', 'kind', 'seq', 'raw', 'extra', 'upto']);

function withUnknownFields(
  session: JsonText | undefined,
  trace: JsonText | undefined,
  transcript: JsonText | undefined,
): Pick<MessageEntry, 'keepsakes'> {
  const none = session === undefined && trace === undefined && transcript === undefined;
  return none ? {} : { keepsakes: { session, trace, transcript } };
}
