import type { Direction, Entry, EventEntry, JsonText, MessageEntry } from '../model/entry.ts';
import { type Glance, glanceAt } from '../protocol/envelope.ts';
import { Pairing } from '../protocol/pairing.ts';
import type { LongLine } from '../proxy/bounded-lines.ts';
import type { Frame } from '../proxy/stdio-frames.ts';

const UNPAIRED: Glance = { kind: 'invalid', key: undefined };

/** Makes the entries of a running session: numbers them, names them, and pairs answers with their requests. */
export class EntryMaker {
  readonly #newId: () => string;
  readonly #pairing = new Pairing();
  #sequence = 0;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** The entries of one frame that was read from a stdio stream. */
  ofFrame(frame: Frame, direction: Direction, atMs: number): Entry[] {
    switch (frame.kind) {
      case 'message':
        return [this.#message(frame.text, frame.glance, direction, atMs)];
      case 'batch': {
        const batch = (index: number): JsonText => `{"frame":${first},"index":${index},"of":${frame.texts.length}}`;
        const first = this.#sequence;
        return frame.texts.map((text, index) => ({
          ...this.#message(text, glanceAt(text) ?? UNPAIRED, direction, atMs),
          batch: batch(index),
        }));
      }
      case 'noise':
      case 'binary':
      case 'long':
        return [lineEntry('stdio.noise', atMs, frame, { dir: side(direction) })];
    }
  }

  #message(text: JsonText, glance: Glance, direction: Direction, atMs: number): MessageEntry {
    const proxyId = this.#newId();
    const correlatedId = this.#pairing.matchGlance({ proxyId, direction }, glance);
    return { kind: 'message', sequence: this.#sequence++, proxyId, atMs, direction, text, correlatedId };
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
