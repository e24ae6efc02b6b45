import { messageIdsOf } from '../model/derived-id.ts';
import type { Direction, Entry, EventEntry, JsonText, MessageEntry } from '../model/entry.ts';
import { type Glance, glanceAt } from '../protocol/envelope.ts';
import { Pairing } from '../protocol/pairing.ts';
import type { LongLine } from '../proxy/bounded-lines.ts';
import type { Frame } from '../proxy/stdio-frames.ts';

const UNPAIRED: Glance = { kind: 'invalid', key: undefined };

/** Makes the entries of a running session: numbers them, names them, and pairs answers with their requests. */
export class EntryMaker {
  readonly #idOf: (sequence: number) => string;
  readonly #pairing = new Pairing();
  #sequence = 0;

  constructor(sessionId: string) {
    this.#idOf = messageIdsOf(sessionId);
  }

  /** Adds the entries of one frame that was read from a stdio stream. */
  addFrame(frame: Frame, direction: Direction, atMs: number, entries: Entry[]): void {
    if (frame.kind === 'message') entries.push(this.#message(frame.text, frame.glance, direction, atMs));
    else this.#addOther(frame, direction, atMs, entries);
  }

  #addOther(frame: Exclude<Frame, { kind: 'message' }>, direction: Direction, atMs: number, entries: Entry[]): void {
    switch (frame.kind) {
      case 'batch':
        this.#addBatch(frame.texts, direction, atMs, entries);
        break;
      case 'noise':
      case 'binary':
      case 'long':
        entries.push(lineEntry('stdio.noise', atMs, frame, { dir: side(direction) }));
    }
  }

  #addBatch(texts: readonly JsonText[], direction: Direction, atMs: number, entries: Entry[]): void {
    const first = this.#sequence;
    for (const [index, text] of texts.entries()) {
      const batch = `{"frame":${first},"index":${index},"of":${texts.length}}`;
      entries.push({ ...this.#message(text, glanceAt(text) ?? UNPAIRED, direction, atMs), batch });
    }
  }

  #message(text: JsonText, glance: Glance, direction: Direction, atMs: number): MessageEntry {
    const sequence = this.#sequence++;
    const proxyId = this.#idOf(sequence);
    const correlatedId = this.#pairing.matchGlance(proxyId, direction, glance);
    return { kind: 'message', sequence, proxyId, atMs, direction, text, correlatedId };
  }
}

/** An entry for something that happened beside the messages. */
export function eventEntry(event: string, atMs: number, raw: Readonly<Record<string, unknown>>): EventEntry {
  return { kind: 'event', event, atMs, raw: JSON.stringify(raw) };
}

type LineContent = { readonly text: string } | { readonly bytes: Uint8Array } | LongLine;

/** An entry for a line that is no message. One that is too long to be kept leaves a gap. */
export function lineEntry(
  event: string,
  atMs: number,
  line: LineContent,
  more: Readonly<Record<string, string>> = {},
): EventEntry {
  if ('sha256' in line) {
    const { size, sha256 } = line;
    return eventEntry('mcpreel.gap', atMs, { missed: 1, why: 'longer than --max-message', ...more, size, sha256 });
  }
  try {
    const content = 'bytes' in line ? { base64: base64Of(line.bytes) } : { text: line.text };
    return eventEntry(event, atMs, { ...more, ...content });
  } catch (error) {
    return eventEntry('mcpreel.gap', atMs, { missed: 1, why: (error as Error).message });
  }
}

function base64Of({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('base64');
}

function side(direction: Direction): 'in' | 'out' {
  return direction === 'client_to_server' ? 'in' : 'out';
}
