import { ObjectView } from '../../json/object-view.ts';
import { uuidFromText } from '../../model/derived-id.ts';
import type { JsonText } from '../../model/entry.ts';
import { emptySession, type RecordedSession, unnamedHeader } from '../../model/session.ts';
import { isMessage, LOST_AROUND_MESSAGES, NO_OTHER_OBJECTS, readBareMessages } from '../bare-messages.ts';
import type { FormatConfidence, FormatReader, FormatWriter, ReadOptions, Source } from '../format.ts';
import { CONVERSATIONS, TIMES_THAT_GO_BACK } from '../lost-parts.ts';
import { isStamp, STAMP_KEY, withoutStamp } from '../message-clock.ts';
import { type InspectorFile, openInspectorFile, shapeOf } from './inspector-elements.ts';
import { readNetworkExport } from './network-export.ts';
import { readProtocolExport } from './protocol-export.ts';

/** Reads messages with times in one array, or an export of MCP Inspector 2. Writes the former. */
export const inspector: FormatReader & FormatWriter = {
  id: 'inspector',
  title: 'MCP Inspector (JSON)',
  loses: [
    'times before 1970',
    'messages without a time',
    TIMES_THAT_GO_BACK,
    CONVERSATIONS,
    NO_OTHER_OBJECTS,
    ...LOST_AROUND_MESSAGES,
  ],
  detect,
  read: readInspector,
  write: writeInspector,
};

function detect(head: string): FormatConfidence {
  const text = head.replace(/^\uFEFF?\s*/, '');
  const array = text.startsWith('[') ? text : eventsIn(text);
  const first = array?.replace(/^\[\s*/, '');
  // What is written for a session without messages.
  if (/^\[\s*\]\s*$/.test(text)) return 'likely';
  if (!first?.startsWith('{')) return 'no';
  const shape = shapeOf(new CutObject(first));
  if (shape === undefined) return 'no';
  if (shape !== 'messages') return 'certain';
  // A bare array without times is a valid jsonrpc transcript too.
  if (new CutObject(first).has('jsonrpc')) {
    return array !== text || new CutObject(first).has(STAMP_KEY) ? 'certain' : 'likely';
  }
  // The end of the first message, which may name the version, may not have been read.
  return ObjectView.of(first) === undefined && !first.includes('}') ? 'likely' : 'no';
}

/** Returns the text from the start of an object's `events`, unless the object is a session file. */
function eventsIn(text: string): string | undefined {
  const seen = new CutObject(text);
  if (seen.has('messages') || seen.has('started_at')) return undefined;
  const start = seen.startOf('events');
  return start !== undefined && text[start] === '[' ? text.slice(start) : undefined;
}

/** A view of an object whose text is cut off. It includes the name of the cut-off member. */
class CutObject {
  readonly #seen: ObjectView;
  readonly #cut: ReturnType<ObjectView['openMember']>;

  constructor(text: string) {
    this.#seen = ObjectView.ofHead(text);
    this.#cut = this.#seen.openMember();
  }

  has(key: string): boolean {
    return this.startOf(key) !== undefined;
  }

  string(key: string): string | undefined {
    return this.#seen.string(key);
  }

  startOf(key: string): number | undefined {
    return this.#seen.member(key)?.start ?? (this.#cut?.key === key ? this.#cut.start : undefined);
  }
}

async function readInspector(source: Source, options: ReadOptions): Promise<RecordedSession> {
  const file = await openInspectorFile(source);
  return { ...(await readElements(file, options)), sourceUnit: 'element' };
}

async function readElements(file: InspectorFile, options: ReadOptions): Promise<RecordedSession> {
  switch (file.shape) {
    case 'protocol':
      return readProtocolExport(file, options);
    case 'network':
      return readNetworkExport(file, options);
    case 'empty':
      return { ...emptySession('inspector'), header: unnamedHeader(uuidFromText('[]')) };
    case 'messages': {
      const session = await readBareMessages(file.source, options, 'inspector', (report) => file.elements(report));
      return { ...session, header: { ...session.header, label: 'inspector' } };
    }
  }
}

async function* writeInspector(session: RecordedSession): AsyncGenerator<string> {
  let before = '[\n  ';
  for await (const batch of session.batches()) {
    let piece = '';
    for (const entry of batch) {
      if (entry.kind !== 'message' || !isMessage(entry.text)) continue;
      piece += before + stamped(withoutStamp(entry.text), entry.atMs);
      before = ',\n  ';
    }
    if (piece !== '') yield piece;
  }
  yield before.startsWith(',') ? '\n]\n' : '[]\n';
}

/** Adds the time to a message as its last member, unless the message already has one. */
function stamped(text: JsonText, atMs: number): JsonText {
  if (text.includes('"timestamp') && hasStamp(text)) return text;
  const body = text.slice(0, text.lastIndexOf('}')).trimEnd();
  const comma = body.endsWith('{') ? '' : ',';
  return `${body}${comma}"${STAMP_KEY}":${Math.max(0, Math.round(atMs))}${text.slice(body.length)}`;
}

function hasStamp(text: JsonText): boolean {
  const view = ObjectView.of(text);
  return view?.has(STAMP_KEY) || isStamp(view?.number('timestamp'));
}
