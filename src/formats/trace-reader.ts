import { type Line, LineSplitter } from '../json/lines.ts';
import { elementsOf, ObjectView } from '../json/object-view.ts';
import { messageIdsOf, uuidFromText } from '../model/derived-id.ts';
import type { Entry, JsonText, MessageEntry } from '../model/entry.ts';
import { ReelError } from '../model/errors.ts';
import { defaultLabel } from '../model/label.ts';
import { type RecordedSession, type SessionFooter, type SessionHeader, unnamedHeader } from '../model/session.ts';
import { parseTime, parseTraceTime } from '../model/times.ts';
import { readEnvelope } from '../protocol/envelope.ts';
import { Pairing } from '../protocol/pairing.ts';
import type { Problem, ReadOptions, Source } from './format.ts';
import { asideMembers, Keeper, keptMembers } from './keepsake.ts';
import { type PlainTraceLine, readPlainTraceLine } from './plain-trace-line.ts';
import { linesOf, type NumberedLine, oncePerFile, stringOf } from './reading.ts';
import { endFields, metaFields } from './trace-writer.ts';

const TAIL_BYTES = 1 << 16;

export async function readTrace(source: Source, options: ReadOptions): Promise<RecordedSession> {
  const first = await firstRecord(source);
  if (first === undefined)
    throw new ReelError('session-unreadable', `No trace in ${source.name}: not a single line of JSON.`);
  const header = first.string('type') === 'meta' ? headerFrom(first) : headerWithoutMeta(first);
  const version = first.string('type') === 'meta' ? first.number('v') : 1;
  const problemsOf = oncePerFile(options);
  const footer = await readFooter(source);
  return {
    format: 'trace',
    header,
    footer,
    batches: () => readEntries(source, header, footer, version, problemsOf()),
  };
}

async function firstRecord(source: Source): Promise<ObjectView | undefined> {
  for await (const lines of linesOf(source, () => undefined)) {
    for (const line of lines) {
      const view = ObjectView.of(line.text);
      if (view !== undefined) return view;
    }
  }
  return undefined;
}

function headerFrom(meta: ObjectView): SessionHeader {
  const startedAt = meta.string('startedAt');
  const startedAtMs = startedAt === undefined ? undefined : parseTime(startedAt);
  const argv = meta.value('command');
  const words = Array.isArray(argv) ? argv.filter((word) => typeof word === 'string') : [];
  const url = meta.string('url');
  const command = url === undefined ? words : [];
  const extra = asideMembers(meta, 'extra', taken(meta, takenInSession));
  const transcript = meta.object('transcript')?.text;
  const header: SessionHeader = {
    id: meta.string('id') ?? uuidFromText(meta.text.trim()),
    startedAtMs: startedAtMs ?? 0,
    label: meta.string('label') ?? defaultLabel(command, url),
    transport: meta.string('transport') ?? 'stdio',
    command,
    url,
    metadata: meta.object('metadata')?.text ?? '{}',
  };
  const isRead = (key: string): boolean => {
    if (key === 'extra') return extra !== undefined;
    return key === 'v' || key === 'type' || (key === 'transcript' && transcript !== undefined);
  };
  const trace = keptMembers(meta, metaFields(header), isRead);
  return { ...header, keepsakes: { session: extra, trace, transcript } };
}

/** What session files say themselves, so that no `extra` of ours has it. */
const takenInSession = (key: string): boolean => /^(messages|events)$/.test(key);
const takenInMessage = (key: string): boolean => /^(sequence|direction|payload)$/.test(key);
const takenInEvent = (key: string): boolean => /^(before|kind|raw|line)$/.test(key);

/**
 * With what both formats keep of a transcript under the same name: it is always an object, and something else of that name
 * can be put aside only where there is none.
 */
export function taken(
  view: ObjectView,
  byFormat: (key: string, value: JsonText) => boolean,
): (key: string, value: JsonText) => boolean {
  const hasTranscript = view.object('transcript') !== undefined;
  return (key, value) => byFormat(key, value) || (key === 'transcript' && (hasTranscript || value.startsWith('{')));
}

/** A part of a rotated trace, or one whose head was lost, begins without a header. */
function headerWithoutMeta(first: ObjectView): SessionHeader {
  const startedAtMs = parseTime(first.string('t') ?? '') ?? 0;
  return { ...unnamedHeader(uuidFromText(first.text.trim())), startedAtMs };
}

/** The footer, if the last readable line is one. It is known before the entries because some formats put it first. */
async function readFooter(source: Source): Promise<SessionFooter | undefined> {
  for (let length = TAIL_BYTES; ; length *= 8) {
    const start = Math.max(0, source.size - length);
    const lines = await tailLines(source, start);
    for (const text of lines) {
      const view = ObjectView.of(text);
      if (view !== undefined) return view.string('type') === 'end' ? footerFrom(view) : undefined;
    }
    if (start === 0) return undefined;
  }
}

/** The whole lines of the source's tail, last first. */
async function tailLines(source: Source, start: number): Promise<string[]> {
  const splitter = new LineSplitter();
  const lines: Line[] = [];
  for await (const chunk of source.read(start, source.size)) for (const line of splitter.push(chunk)) lines.push(line);
  lines.push(...splitter.end());
  // The first one was most likely begun before `start`.
  if (start > 0) lines.shift();
  return lines.reverse().flatMap((line) => ('text' in line ? [line.text] : []));
}

function footerFrom(end: ObjectView): SessionFooter {
  const t = end.string('t');
  const endedAtMs = t === undefined ? undefined : parseTime(t);
  return footerOf(end, endedAtMs ?? 0);
}

/** What an `end` object says of a session that ended then. */
export function footerOf(end: ObjectView, endedAtMs: number): SessionFooter {
  const footer: SessionFooter = {
    endedAtMs,
    exitCode: end.number('exitCode'),
    signal: end.string('signal'),
    reason: end.string('reason'),
    durationMs: end.number('durationMs'),
  };
  return { ...footer, keepsakes: { trace: keptMembers(end, endFields(footer), (key) => key === 'type') } };
}

function keepMember(keeper: Keeper, view: ObjectView, key: string): void {
  const text = view.textOf(key);
  if (text !== undefined) keeper.keep(key, text);
}

async function* readEntries(
  source: Source,
  header: SessionHeader,
  footer: SessionFooter | undefined,
  version: number | undefined,
  onProblem: (problem: Problem) => void,
): AsyncGenerator<readonly Entry[]> {
  const reader = new EntryReader(header, onProblem);
  if (version !== undefined && version > 1) {
    onProblem({ place: 'line 1', what: `trace version ${version} is newer than 1; read as far as it is understood` });
  }
  for await (const lines of linesOf(source, onProblem)) {
    const entries: Entry[] = [];
    for (const line of lines) reader.take(line, entries);
    if (entries.length > 0) yield entries;
  }
  const unclaimed = footer === undefined ? reader.pendingEnd : undefined;
  if (unclaimed !== undefined) yield [unclaimed];
}

/** Turns the lines of one trace into entries. */
class EntryReader {
  readonly #onProblem: (problem: Problem) => void;
  readonly #pairing = new Pairing();
  readonly #idOf: (n: number) => string;
  #sequence = 0;
  #seenFirst = false;
  #timeMs: number;
  /** Whether writing the time gives the characters again that stood in the line. */
  #timeIsExact = true;
  /** The end line that was read last: the footer, if nothing follows it. */
  pendingEnd: Entry | undefined;

  constructor(header: SessionHeader, onProblem: (problem: Problem) => void) {
    this.#onProblem = onProblem;
    this.#idOf = messageIdsOf(header.id);
    this.#timeMs = header.startedAtMs;
  }

  take(line: NumberedLine, entries: Entry[]): void {
    const plain = readPlainTraceLine(line.text);
    if (plain !== undefined) {
      this.#leaveEndBehind(entries);
      this.#seenFirst = true;
      this.#timeMs = plain.atMs;
      entries.push(this.#plainMessage(plain));
      return;
    }
    const view = ObjectView.of(line.text);
    if (view === undefined) {
      const what = line.ended ? 'not a JSON object' : 'cut off in the middle';
      this.#onProblem({ place: `line ${line.number}`, what });
      return;
    }
    this.#leaveEndBehind(entries);
    const type = view.string('type');
    const isHeader = !this.#seenFirst && type === 'meta';
    this.#seenFirst = true;
    if (isHeader) return;
    this.#readTime(view, line.number);
    if (type === 'end') this.pendingEnd = this.#other(view, type);
    else if (type === undefined) this.#takeMessage(view, entries);
    else if (type === 'event') entries.push(this.#event(view) ?? this.#other(view, type));
    else entries.push(this.#other(view, type));
  }

  /** An end line that something follows is not the footer. */
  #leaveEndBehind(entries: Entry[]): void {
    if (this.pendingEnd !== undefined) entries.push(this.pendingEnd);
    this.pendingEnd = undefined;
  }

  #plainMessage(line: PlainTraceLine): MessageEntry {
    const { proxyId, atMs, direction, text, envelope } = line;
    const paired = this.#pairing.match(line, envelope);
    const correlatedId = line.correlatedId ?? paired;
    return { kind: 'message', sequence: this.#sequence++, proxyId, atMs, direction, text, envelope, correlatedId };
  }

  #readTime(view: ObjectView, lineNumber: number): void {
    const t = view.string('t');
    const exactMs = t === undefined ? undefined : parseTraceTime(t);
    const timeMs = exactMs ?? (t === undefined ? undefined : parseTime(t));
    this.#timeIsExact = exactMs !== undefined;
    if (timeMs !== undefined) this.#timeMs = timeMs;
    else if (view.has('t') || view.has('dir')) {
      const what = t === undefined ? 't is missing' : `t ${JSON.stringify(t)} is not a time`;
      this.#onProblem({ place: `line ${lineNumber}`, what: `${what}; the time before it is used` });
    }
  }

  #other(view: ObjectView, type: string | undefined): Entry {
    return { kind: 'other', type, atMs: this.#timeMs, text: view.text.trim() };
  }

  #event(view: ObjectView): Entry | undefined {
    const event = view.string('kind');
    const raw = view.textOf('raw');
    if (event === undefined || raw === undefined) return undefined;
    const keeper = new Keeper();
    const extra = asideMembers(view, 'extra', taken(view, takenInEvent));
    const transcript = view.object('transcript')?.text;
    this.#keepTime(keeper, view);
    for (const { key, start, end } of view.members) {
      const isRead = EVENT_MEMBERS.has(key) || (key === 'transcript' && transcript !== undefined);
      if (!isRead) keeper.keep(key, view.text.slice(start, end));
    }
    const dir = view.textOf('dir');
    if (dir !== undefined && dir !== '"event"') keeper.keep('dir', dir);
    if (extra === undefined) keepMember(keeper, view, 'extra');
    return { kind: 'event', event, atMs: this.#timeMs, raw, ...withKeepsakes(extra, keeper.text, transcript) };
  }

  #takeMessage(view: ObjectView, entries: Entry[]): void {
    const dir = view.string('dir');
    const raw = view.textOf('raw');
    const first = raw?.charAt(0);
    if (raw === undefined || (dir !== 'in' && dir !== 'out') || (first !== '{' && first !== '[')) {
      entries.push(this.#other(view, undefined));
    } else if (first === '{') {
      entries.push(this.#message(view, raw));
    } else {
      this.#takeBatch(view, raw, entries);
    }
  }

  /** Producers that keep a batch as one line: each of its messages becomes an entry. */
  #takeBatch(view: ObjectView, raw: JsonText, entries: Entry[]): void {
    const elements = elementsOf(raw) ?? [];
    if (elements.length === 0) entries.push(this.#other(view, undefined));
    const frame = this.#sequence;
    for (const [index, element] of elements.entries()) {
      const text = raw.slice(element.start, element.end);
      if (text.startsWith('{')) {
        const message = this.#message(view, text, index > 0);
        entries.push({ ...message, batch: `{"frame":${frame},"index":${index},"of":${elements.length}}` });
      } else {
        const noise = JSON.stringify({ dir: view.string('dir'), text });
        entries.push({ kind: 'event', event: 'stdio.noise', atMs: this.#timeMs, raw: noise });
      }
    }
  }

  #message(view: ObjectView, text: JsonText, sharesLine = false): MessageEntry {
    const sequence = this.#sequence++;
    const keeper = new Keeper();
    let proxyId: string | undefined;
    let correlatedId: string | undefined;
    let session: JsonText | undefined;
    let transcript: JsonText | undefined;
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
          session = asideMembers(view, member.key, taken(view, takenInMessage));
          if (session === undefined) keeper.keep(member.key, value);
          break;
        case 'transcript':
          transcript = view.object(member.key)?.text;
          if (transcript === undefined) keeper.keep(member.key, value);
          break;
        default:
          if (!takeOptional(optional, member.key, value)) keeper.keep(member.key, value);
      }
    }
    if (optional.original !== undefined && !optional.modified) {
      keeper.keep('original', optional.original);
      optional.original = undefined;
    }
    this.#keepTime(keeper, view);
    proxyId ??= this.#idOf(sequence);
    const pairable = { proxyId, direction, conversation: optional.conversation };
    const envelope = readEnvelope(text);
    const paired = this.#pairing.match(pairable, envelope);
    return {
      kind: 'message',
      sequence,
      proxyId,
      atMs: this.#timeMs,
      direction,
      text,
      envelope,
      correlatedId: correlatedId ?? paired,
      ...optional,
      ...withKeepsakes(session, keeper.text, transcript),
    };
  }

  #keepTime(keeper: Keeper, view: ObjectView): void {
    if (!this.#timeIsExact) keepMember(keeper, view, 't');
  }
}

type OptionalParts = { -readonly [K in keyof MessageEntry]?: MessageEntry[K] };

/** Takes a member that only some message lines have. False for one that is unknown or not what it should be. */
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
      if (!/^\d{1,15}$/.test(value)) return false;
      parts.conversation = Number(value);
      return true;
    case 'batch':
    case 'http':
    case 'sse':
      parts[key] = value;
      return true;
    default:
      return false;
  }
}

const EVENT_MEMBERS = new Set(['t', 'type', 'dir', 'kind', 'seq', 'raw', 'extra']);

function withKeepsakes(
  session: JsonText | undefined,
  trace: JsonText | undefined,
  transcript: JsonText | undefined,
): Pick<MessageEntry, 'keepsakes'> {
  const none = session === undefined && trace === undefined && transcript === undefined;
  return none ? {} : { keepsakes: { session, trace, transcript } };
}
