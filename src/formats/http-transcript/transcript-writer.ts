import { challengesOf } from '../../analysis/import/authorization-discovery.ts';
import { ObjectView } from '../../json/object-view.ts';
import type { Entry, EventEntry, JsonText, MessageEntry } from '../../model/entry.ts';
import { ReelError } from '../../model/errors.ts';
import type { RecordedSession, SessionHeader } from '../../model/session.ts';
import { PIECE_LENGTH } from '../format.ts';
import { objectText, tallLayout, type UnknownField } from '../unknown-fields.ts';
import {
  isFitId,
  isMessageEvent,
  isObject,
  SLOTS,
  styleFrom,
  TRANSCRIPT_ENTRY,
  type TranscriptFormat,
  type TranscriptSlot,
  type TranscriptStyle,
  wrap,
} from './transcript-entry.ts';

/** Writes the messages of one conversation as a transcript of an HTTP transport. */
export async function* writeHttpTranscript(session: RecordedSession, format: TranscriptFormat): AsyncGenerator<string> {
  let piece = documentHead(session.header, format);
  const writer = new EntryWriter(format);
  for await (const batch of session.batches()) {
    for (const entry of batch) {
      piece += writer.take(entry);
      if (piece.length < PIECE_LENGTH) continue;
      yield piece;
      piece = '';
    }
  }
  yield `${piece}${writer.end()}\n}\n`;
}

function documentHead(header: SessionHeader, format: TranscriptFormat): string {
  let text = `{\n  "transport": "${format}",\n`;
  for (const [key, value] of keptFields(viewOf(header.keepsakes?.transcript))) {
    if (key !== '"transport"' && key !== '"entries"') text += `  ${key}: ${value},\n`;
  }
  return `${text}  "entries": [`;
}

function viewOf(kept: JsonText | undefined): ObjectView | undefined {
  return kept === undefined ? undefined : ObjectView.of(kept);
}

function keptFields(kept: ObjectView | undefined): UnknownField[] {
  const fields = (kept?.members ?? []).map(
    ({ key, start, end }): UnknownField => [JSON.stringify(key), kept?.text.slice(start, end) ?? 'null'],
  );
  return [...new Map(fields)];
}

/** An entry that waits for further messages of its batch. */
interface OpenEntry {
  readonly slot: TranscriptSlot;
  readonly first: MessageEntry;
  readonly kept: ObjectView | undefined;
  readonly style: TranscriptStyle;
  readonly texts: JsonText[];
}

/** Writes messages as transcript entries. */
class EntryWriter {
  readonly #format: TranscriptFormat;
  #open: OpenEntry | undefined;
  #count = 0;
  #conversation: number | undefined;

  constructor(format: TranscriptFormat) {
    this.#format = format;
  }

  /** Returns the text that can be written now. A message in a batch waits for the rest of the batch. */
  take(entry: Entry): string {
    if (entry.kind === 'message') return this.#message(entry);
    const text = entry.kind === 'event' ? textBeside(entry) : undefined;
    return text === undefined ? '' : this.#finish() + this.#next(text);
  }

  /** Returns the remaining text and the end of the array. */
  end(): string {
    return `${this.#finish()}${this.#count === 0 ? '' : '\n  '}]`;
  }

  #next(text: JsonText): string {
    return (this.#count++ === 0 ? '\n    ' : ',\n    ') + text;
  }

  #finish(): string {
    const open = this.#open;
    this.#open = undefined;
    return open === undefined ? '' : this.#next(entryText(open));
  }

  #message(message: MessageEntry): string {
    this.#requireOneConversation(message);
    const kept = viewOf(message.keepsakes?.transcript);
    const slot = this.#slotOf(message, kept);
    const style = styleFrom(kept, slot);
    if (style.batch && this.#open?.slot === slot && this.#open.texts.length === style.batch) {
      this.#open.texts.push(message.text);
      return '';
    }
    const before = this.#finish();
    const entry = { slot, first: message, kept, style, texts: [message.text] };
    if (style.batch === undefined) return before + this.#next(entryText(entry));
    this.#open = entry;
    return before;
  }

  #requireOneConversation({ conversation = 0 }: MessageEntry): void {
    this.#conversation ??= conversation;
    if (this.#conversation === conversation) return;
    const two = `${this.#conversation} and ${conversation} among them`;
    throw new ReelError('usage', `The session has several conversations, ${two}`, {
      hint: 'Choose one with --conversation N.',
    });
  }

  #slotOf(message: MessageEntry, kept: ObjectView | undefined): TranscriptSlot {
    if (message.direction === 'client_to_server') return 'request';
    if (message.sse !== undefined) return 'sse';
    // A challenge only counts in a response.
    const isResponse =
      this.#format === 'streamable-http' || kept?.object('response') !== undefined || challengesOf(message).length > 0;
    return isResponse ? 'response' : 'sse';
  }
}

/**
 * Returns the transcript entry of an event: an original entry without a message, or an authorization challenge, which
 * is part of the meaning.
 */
function textBeside(event: EventEntry): JsonText | undefined {
  if (event.event === TRANSCRIPT_ENTRY) return isObject(event.raw) ? event.raw : undefined;
  const challenges = challengesOf(event);
  if (challenges.length === 0) return undefined;
  const context = { status: 401, headers: { 'WWW-Authenticate': challenges } };
  return objectText(
    [
      ['"timestamp_ms"', stampOf(event.atMs)],
      ['"transport_context"', JSON.stringify(context)],
      ['"response"', 'null'],
    ],
    ENTRY_LAYOUT,
  );
}

/** Transcripts cannot contain times before 1970. */
function stampOf(atMs: number): JsonText {
  return String(Math.max(0, Math.floor(atMs)));
}

const SLOT_KEYS: ReadonlySet<string> = new Set(SLOTS.map((slot) => `"${slot}"`));
const ENTRY_LAYOUT = tallLayout('    ');
const SSE_LAYOUT = tallLayout('      ');

function entryText({ slot, first, kept, style, texts }: OpenEntry): JsonText {
  const fields = new Map<string, JsonText>();
  if (!style.unstamped) fields.set('"timestamp_ms"', stampOf(first.atMs));
  for (const [key, value] of keptFields(kept)) {
    // A slot's kept value is null, or the style in which its message was stored. Only null is written here.
    if (value === 'null' || !SLOT_KEYS.has(key)) fields.set(key, value);
  }
  const value = wrap(texts, slot === 'sse' ? style : { batch: style.batch });
  fields.delete(`"${slot}"`);
  fields.set(`"${slot}"`, slot === 'sse' ? sseText(first.sse, value) : value);
  return objectText([...fields], ENTRY_LAYOUT);
}

/** Writes the event with its data, without members that would prevent readers from recognizing a message. */
function sseText(sse: JsonText | undefined, data: JsonText): JsonText {
  const view = viewOf(sse ?? MESSAGE_EVENT) ?? viewOf(MESSAGE_EVENT);
  const fields = keptFields(view).flatMap(([key, value]): UnknownField[] => {
    if (key === '"data"') return [];
    if (key === '"event"' && view !== undefined && !isMessageEvent(view)) return [[key, '"message"']];
    return key === '"id"' && !isFitId(value) ? [] : [[key, value]];
  });
  return objectText([...fields, ['"data"', data]], SSE_LAYOUT);
}

const MESSAGE_EVENT = '{"event":"message"}';
