import type { Settlement } from '../intercept/held-message.ts';
import { messageIdsOf } from '../model/derived-id.ts';
import {
  batchText,
  type Direction,
  type Entry,
  type EventEntry,
  type JsonText,
  type MessageEntry,
  side,
} from '../model/entry.ts';
import { TOO_LONG } from '../model/gap-reasons.ts';
import { type EnvelopePeek, peekAt } from '../protocol/envelope.ts';
import { Pairing } from '../protocol/pairing.ts';
import type { LongLine } from '../transport/bounded-lines.ts';
import type { StdioFrame } from '../transport/stdio-frame.ts';

const UNPAIRED: EnvelopePeek = { kind: 'invalid', key: undefined };

/** The conversation, HTTP exchange and event of a message; empty for stdio. */
export interface EntryPlace {
  readonly conversation?: number | undefined;
  /** The HTTP exchange that it arrived in. */
  readonly exchange?: number | undefined;
  /** For example `{"event":"message","id":"evt-10"}`, for a message from an event stream. */
  readonly sse?: JsonText | undefined;
  /** Whether mcpreel sent it. */
  readonly injected?: boolean | undefined;
}

const NOWHERE: EntryPlace = {};

/** The digits of the number in an id. */
const ID_DIGITS = 12;
/** More ids than a session can have given to messages that were not recorded yet. */
const MAX_UNSEEN_IDS = 1 << 24;

/** Creates the entries of a running session: numbers them, assigns ids, and pairs responses with requests. */
export class EntryMaker {
  readonly #idOf: (sequence: number) => string;
  readonly #pairing = new Pairing();
  #sequence = 0;
  /** Ids are assigned on arrival, while held messages are recorded later than others. */
  #ids = 0;

  /** `sequence` is the number of messages before the first one. */
  constructor(sessionId: string, sequence = 0) {
    this.#idOf = messageIdsOf(sessionId);
    this.#sequence = sequence;
  }

  /** The number of the next message. */
  get nextSequence(): number {
    return this.#sequence;
  }

  /** Numbers and pairs messages that another thread has read, in the order in which they arrived. */
  adopt(entries: readonly Entry[], peeks: readonly (EnvelopePeek | undefined)[]): Entry[] {
    return entries.map((entry, index) => {
      if (entry.kind !== 'message') return entry;
      const proxyId = this.newId();
      const { direction } = entry;
      const correlatedId = this.#pairing.matchPeek(proxyId, { direction }, peeks[index] ?? UNPAIRED);
      return { ...entry, sequence: this.#sequence++, proxyId, correlatedId };
    });
  }

  /** Returns the id for a message that will be added later. */
  newId(): string {
    return this.#idOf(this.#ids++);
  }

  /** Continues after a message that was recorded before the session was cut short. */
  resumeAfter(message: MessageEntry): void {
    const { proxyId, direction, conversation, http, text } = message;
    this.#sequence++;
    this.#ids = Math.max(this.#ids, Number.parseInt(proxyId.slice(-ID_DIGITS), 16) + MAX_UNSEEN_IDS);
    const peek = peekAt(text);
    if (peek === undefined || message.sentText !== undefined) return;
    const exchange = http === undefined ? undefined : exchangeIn(http);
    this.#pairing.matchPeek(proxyId, { direction, conversation, exchange }, peek);
  }

  /** Adds the entries of one received frame. */
  addFrame(frame: StdioFrame, direction: Direction, atMs: number, entries: Entry[], place: EntryPlace = NOWHERE): void {
    if (frame.kind === 'message') entries.push(this.#message(frame.text, frame.peek, direction, atMs, place));
    else this.#addOther(frame, direction, atMs, entries, place);
  }

  /** Adds the messages of a frame of which some were held, changed or dropped. */
  addSettled(
    settled: readonly Settlement[],
    direction: Direction,
    entries: Entry[],
    place: EntryPlace = NOWHERE,
  ): void {
    const first = this.#sequence;
    for (const [index, settlement] of settled.entries()) {
      const batch = settlement.inBatch ? batchText(first, index, settled.length) : undefined;
      const { text, atMs, id, decision } = settlement;
      if (batch === undefined) entries.push(this.#settled(settlement, direction, place));
      else if (isMessage(text) || (decision.action === 'edit' && isMessage(decision.text.trim()))) {
        entries.push({ ...this.#settled(settlement, direction, place), batch });
      } else {
        const more = decision.action === 'forward' ? '' : ',"dropped":true';
        entries.push(strayMember(text, { direction, atMs, place, batch, more: `${id && `,"id":"${id}"`}${more}` }));
      }
    }
  }

  /** From now on, responses are paired within the conversation only. */
  endExchange(exchange: number): void {
    this.#pairing.endExchange(exchange);
  }

  #addOther(
    frame: Exclude<StdioFrame, { kind: 'message' }>,
    direction: Direction,
    atMs: number,
    entries: Entry[],
    place: EntryPlace,
  ): void {
    switch (frame.kind) {
      case 'batch':
        this.#addBatch(frame.texts, direction, atMs, entries, place);
        break;
      case 'noise':
      case 'binary':
      case 'long':
        entries.push(lineEntry('stdio.noise', atMs, frame, { dir: side(direction) }));
    }
  }

  #addBatch(texts: readonly JsonText[], direction: Direction, atMs: number, entries: Entry[], place: EntryPlace): void {
    const first = this.#sequence;
    for (const [index, text] of texts.entries()) {
      const batch = batchText(first, index, texts.length);
      if (isMessage(text)) {
        entries.push({ ...this.#message(text, peekAt(text) ?? UNPAIRED, direction, atMs, place), batch });
      } else entries.push(strayMember(text, { direction, atMs, place, batch, more: '' }));
    }
  }

  /** Pairs a message by its forwarded text, because that is what the other side answers. */
  #settled(settlement: Settlement, direction: Direction, place: EntryPlace): MessageEntry {
    const { text, atMs, decision } = settlement;
    const id = settlement.id || undefined;
    const seen = peekAt(text) ?? UNPAIRED;
    switch (decision.action) {
      case 'forward':
      case 'answer': {
        const entry = this.#message(text, seen, direction, atMs, place, id);
        return decision.action === 'answer' ? { ...entry, dropped: true } : entry;
      }
      case 'drop': {
        // A dropped request will get no answer.
        const peek = seen.kind === 'request' ? UNPAIRED : seen;
        return { ...this.#message(text, peek, direction, atMs, place, id), dropped: true };
      }
      case 'edit': {
        const peek = peekAt(decision.text);
        if (peek === undefined) {
          const entry = this.#message(text, UNPAIRED, direction, atMs, place, id);
          return { ...entry, modified: true, original: entry.text, sentText: decision.text };
        }
        const entry = this.#message(decision.text.trim(), peek, direction, atMs, place, id);
        return { ...entry, modified: true, original: text };
      }
    }
  }

  #message(
    text: JsonText,
    peek: EnvelopePeek,
    direction: Direction,
    atMs: number,
    place: EntryPlace,
    proxyId: string = this.newId(),
  ): MessageEntry {
    const sequence = this.#sequence++;
    if (place === NOWHERE) {
      const correlatedId = this.#pairing.matchPeek(proxyId, { direction }, peek);
      const upTo = undefined;
      return { kind: 'message', sequence, proxyId, atMs, direction, text, correlatedId, upTo };
    }
    const { conversation, exchange, sse, injected } = place;
    const correlatedId = this.#pairing.matchPeek(proxyId, { direction, conversation, exchange }, peek);
    // One object literal: merging partial objects would take longer than everything else here.
    return {
      kind: 'message',
      sequence,
      proxyId,
      atMs,
      direction,
      text,
      correlatedId,
      conversation: conversation === 0 ? undefined : conversation,
      http: exchange === undefined ? undefined : `{"exchange":${exchange}}`,
      sse,
      injected: injected || undefined,
    };
  }
}

/** Creates an entry for an event that is not a message, from its details or their text. */
export function eventEntry(
  event: string,
  atMs: number,
  details: Readonly<Record<string, unknown>> | JsonText,
  conversation = 0,
): EventEntry {
  const raw = typeof details === 'string' ? details : JSON.stringify(details);
  const entry = { kind: 'event', event, atMs, raw } as const;
  return conversation === 0 ? entry : { ...entry, conversation };
}

/** The exchange in the `http` member of a message. */
function exchangeIn(http: JsonText): number | undefined {
  const [, number] = /^\{"exchange":(\d+)/.exec(http) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** Whether a member of a batch is a message, and not another value. */
function isMessage(member: JsonText): boolean {
  return member.startsWith('{');
}

interface StrayMember {
  readonly direction: Direction;
  readonly atMs: number;
  readonly place: EntryPlace;
  readonly batch: JsonText;
  /** Further members, each after a comma. */
  readonly more: string;
}

/** Creates an entry for a member of a batch that is not a message. */
function strayMember(text: JsonText, { direction, atMs, place, batch, more }: StrayMember): EventEntry {
  const raw = `{"dir":"${side(direction)}","text":${JSON.stringify(text)},"batch":${batch}${more}}`;
  return eventEntry('stdio.noise', atMs, raw, place.conversation);
}

type LineContent = { readonly text: string } | { readonly bytes: Uint8Array } | LongLine;

/** Creates an entry for a line that is not a message. A line that is too long to keep is recorded as a gap. */
export function lineEntry(
  event: string,
  atMs: number,
  line: LineContent,
  more: Readonly<Record<string, string>> = {},
): EventEntry {
  if ('sha256' in line) {
    const { size, sha256 } = line;
    return eventEntry('mcpreel.gap', atMs, { missed: 1, why: TOO_LONG, ...more, size, sha256 });
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
