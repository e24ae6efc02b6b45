import { exchangeIn } from '../../../src/analysis/calls/call-reply.ts';
import { ObjectView } from '../../../src/json/object-view.ts';
import type { Entry, EventEntry, JsonText, MessageEntry } from '../../../src/model/entry.ts';
import type { SessionFooter, SessionHeader } from '../../../src/model/session.ts';
import { type EntryKey, keyOf } from '../entry-key.ts';
import type { WorkPace } from '../pace.ts';
import type { Lane, LaneState } from '../timeline/lane.ts';
import { type ExchangeFacts, type ExchangePlaces, exchangeAt } from './session-exchanges.ts';
import { type ConversationSummary, SessionHandshakes } from './session-handshake.ts';

/** A gap in the recording of a session. */
export interface GapFacts {
  readonly key: EntryKey;
  readonly atMs: number;
  readonly missed: number | undefined;
  readonly why: string;
}

/** A summary of a whole session. */
export interface SessionSummary {
  readonly header: SessionHeader;
  readonly footer: SessionFooter | undefined;
  readonly file: string | undefined;
  readonly format: string;
  readonly state: LaneState;
  readonly fault: string | undefined;
  readonly messages: number;
  /** Facts that the file format has beyond the session model, as the text of an object. */
  readonly source: JsonText | undefined;
  readonly conversations: readonly ConversationSummary[];
  readonly exchanges: number;
  /** Messages that mcpreel changed, dropped or sent itself. */
  readonly changed: readonly EntryKey[];
  readonly gaps: readonly GapFacts[];
  readonly stderrLines: number;
  readonly noiseLines: number;
  /** The number of actions on the session while it ran, by name. */
  readonly actions: Readonly<Record<string, number>>;
}

/** The maximum number of listed messages of an exchange; a stream may carry any number. */
const MAX_IN_EXCHANGE = 100;
const BETWEEN_LOOKS = 256;

/** Summarizes a lane in one pass over its entries. */
export class SummarySurvey {
  readonly #lane: Lane;
  readonly #handshakes: SessionHandshakes;
  readonly #exchanges: number[] = [];
  readonly #inExchange = new Map<number, EntryKey[]>();
  readonly #changed: EntryKey[] = [];
  readonly #gaps: GapFacts[] = [];
  readonly #actions: Record<string, number> = {};
  #stderr = 0;
  #noise = 0;

  constructor(lane: Lane) {
    this.#lane = lane;
    this.#handshakes = new SessionHandshakes(lane);
  }

  async look(pace: WorkPace): Promise<this> {
    const { entries } = this.#lane;
    for (let index = 0; index < entries.length; index++) {
      const entry = entries.at(index);
      if (entry !== undefined) this.#take(entry, index);
      if (index % BETWEEN_LOOKS === 0 && pace.isOver) await pace.rest();
    }
    return this;
  }

  facts(): SessionSummary {
    const { header, footer, source, format, state, fault, log } = this.#lane;
    return {
      header,
      footer,
      file: source?.name,
      format,
      state,
      fault,
      messages: log.messageCount,
      source: header.keepsakes?.trace ?? header.keepsakes?.session ?? header.keepsakes?.transcript,
      conversations: this.#handshakes.result(),
      exchanges: this.#exchanges.length,
      changed: this.#changed,
      gaps: this.#gaps,
      stderrLines: this.#stderr,
      noiseLines: this.#noise,
      actions: this.#actions,
    };
  }

  exchanges(from: number, to: number): ExchangeFacts[] {
    const known: ExchangePlaces = { places: this.#exchanges, messages: this.#inExchange };
    return this.#exchanges.slice(from, to).flatMap((place) => exchangeAt(this.#lane, place, known) ?? []);
  }

  #take(entry: Entry, index: number): void {
    if (entry.kind === 'message') this.#takeMessage(entry, index);
    else if (entry.kind === 'event') this.#takeEvent(entry, index);
  }

  #takeMessage(entry: MessageEntry, index: number): void {
    const key = keyOf(this.#lane.index, index);
    this.#handshakes.take(entry, index);
    if (entry.modified || entry.dropped || entry.injected) this.#changed.push(key);
    const exchange = entry.http === undefined ? undefined : exchangeIn(entry.http);
    if (exchange === undefined) return;
    const others = this.#inExchange.get(exchange);
    if (others === undefined) this.#inExchange.set(exchange, [key]);
    else if (others.length < MAX_IN_EXCHANGE) others.push(key);
  }

  #takeEvent(entry: EventEntry, index: number): void {
    switch (entry.event) {
      case 'stdio.stderr':
        this.#stderr++;
        break;
      case 'stdio.noise':
        this.#noise++;
        break;
      case 'http.exchange':
        this.#exchanges.push(index);
        break;
      case 'mcpreel.gap': {
        const view = ObjectView.of(entry.raw);
        const key = keyOf(this.#lane.index, index);
        const missed = view?.number('missed');
        this.#gaps.push({ key, atMs: entry.atMs, missed, why: view?.string('why') ?? '' });
        break;
      }
      case 'mcpreel.action': {
        const action = ObjectView.of(entry.raw)?.string('action') ?? 'other';
        this.#actions[action] = (this.#actions[action] ?? 0) + 1;
        break;
      }
    }
  }
}
