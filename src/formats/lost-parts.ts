import type { Entry } from '../model/entry.ts';
import type { RecordedSession } from '../model/session.ts';
import { envelopeOf } from '../protocol/envelope.ts';

/** Singular and plural. */
type CountedNoun = readonly [one: string, several: string];

const EVENTS: Readonly<Record<string, CountedNoun>> = {
  'stdio.stderr': ['line of stderr', 'lines of stderr'],
  'stdio.noise': ['stray line', 'stray lines'],
  'http.exchange': ['HTTP exchange', 'HTTP exchanges'],
};
const OTHER_EVENT: CountedNoun = ['other event', 'other events'];

/** Phrases of `FormatWriter.loses` that do not apply to every session, each with the noun for an entry that is lost. */
const COUNTED: Readonly<Record<string, (entry: Entry) => CountedNoun | undefined>> = {
  events: (entry) => (entry.kind === 'event' ? (EVENTS[entry.event] ?? OTHER_EVENT) : undefined),
  'events other than HTTP exchanges': (entry) =>
    entry.kind === 'event' && entry.event !== 'http.exchange' ? (EVENTS[entry.event] ?? OTHER_EVENT) : undefined,
  'originals of edited messages': (entry) =>
    entry.kind === 'message' && entry.original !== undefined
      ? ['original of an edited message', 'originals of edited messages']
      : undefined,
  'dropped and injected marks': (entry) =>
    entry.kind === 'message' && (entry.dropped || entry.injected)
      ? ['mark of a dropped or injected message', 'marks of dropped or injected messages']
      : undefined,
  'batches over stdio': (entry) =>
    entry.kind === 'message' && entry.batch !== undefined && entry.http === undefined
      ? ['batch position', 'batch positions']
      : undefined,
  'messages other than calls': otherThanCalls,
  'messages other than calls and lists of tools': otherThanCalls,
  'objects that are not JSON-RPC messages': (entry) =>
    entry.kind === 'other' ? ['record that is not a message', 'records that are not messages'] : undefined,
  'times before 1970': (entry) => (entry.atMs < 0 ? ['time before 1970', 'times before 1970'] : undefined),
};

/** What jsonrpc and inspector cannot hold: clients of one server use the same ids. */
export const CONVERSATIONS = 'the conversation of each message';

/** What formats cannot hold that are ordered by time when they are imported. */
export const TIMES_THAT_GO_BACK = 'the order of messages whose times go back';

/** The same for phrases for which the messages before count, too: each begins a pass over the session. */
const COUNTED_IN_ORDER: Readonly<Record<string, () => (entry: Entry) => CountedNoun | undefined>> = {
  [CONVERSATIONS]: () => {
    let first: number | undefined;
    return (entry) => {
      if (entry.kind !== 'message') return undefined;
      const { conversation = 0 } = entry;
      first ??= conversation;
      return conversation === first ? undefined : MIXED;
    };
  },
  [TIMES_THAT_GO_BACK]: () => {
    let lastMs = Number.NEGATIVE_INFINITY;
    return (entry) => {
      if (entry.kind !== 'message') return undefined;
      const goesBack = entry.atMs < lastMs;
      lastMs = Math.max(lastMs, entry.atMs);
      return goesBack ? BACKWARD : undefined;
    };
  },
};

const MIXED: CountedNoun = [
  'mark that tells several conversations apart',
  'marks that tell several conversations apart',
];
const BACKWARD: CountedNoun = [
  'message whose time goes back (import orders by time)',
  'messages whose times go back (import orders by time)',
];

/** Phrases about what most sessions do not have, each with whether this one has it. */
const OF_SESSION: Readonly<Record<string, (session: RecordedSession) => boolean>> = {
  'how the session ended': ({ footer }) => footer?.exitCode !== undefined || footer?.reason !== undefined,
  'fields of other formats': ({ header, footer }) => header.keepsakes !== undefined || footer?.keepsakes !== undefined,
  'several conversations': () => false,
};

function isCounted(phrase: string): boolean {
  return phrase in COUNTED || phrase in COUNTED_IN_ORDER;
}

/** Counts what a format cannot contain of a session. */
export class LostParts {
  readonly #counts = new Map<CountedNoun, number>();
  readonly #loses: readonly string[];

  constructor(loses: readonly string[]) {
    this.#loses = loses;
  }

  /** The same session, counted while it is read. Reading it again resets the counts. */
  watch(session: RecordedSession): RecordedSession {
    const loses = this.#loses;
    const counts = this.#counts;
    return {
      ...session,
      async *batches() {
        counts.clear();
        const counters = loses.flatMap((phrase) => COUNTED[phrase] ?? COUNTED_IN_ORDER[phrase]?.() ?? []);
        for await (const batch of session.batches()) {
          for (const entry of batch) {
            for (const counter of counters) {
              const noun = counter(entry);
              if (noun !== undefined) counts.set(noun, (counts.get(noun) ?? 0) + 1);
            }
          }
          yield batch;
        }
      },
    };
  }

  /** What was lost, in phrases: `times`, `3 lines of stderr`. */
  phrases(session: RecordedSession): string[] {
    const whole = this.#loses.filter((phrase) => !isCounted(phrase) && (OF_SESSION[phrase]?.(session) ?? true));
    return [...whole, ...[...this.#counts].map(([[one, several], n]) => `${n} ${n === 1 ? one : several}`)];
  }
}

function otherThanCalls(entry: Entry): CountedNoun | undefined {
  const isOther = entry.kind === 'message' && envelopeOf(entry).kind === 'notification';
  return isOther ? ['notification', 'notifications'] : undefined;
}
