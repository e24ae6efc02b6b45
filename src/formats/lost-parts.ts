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

/** Phrases about what most sessions do not have, each with whether this one has it. */
const OF_SESSION: Readonly<Record<string, (session: RecordedSession) => boolean>> = {
  'how the session ended': ({ footer }) => footer?.exitCode !== undefined || footer?.reason !== undefined,
  'fields of other formats': ({ header, footer }) => header.keepsakes !== undefined || footer?.keepsakes !== undefined,
  'several conversations': () => false,
};

/** Counts what a format cannot contain of a session. */
export class LostParts {
  readonly #counts = new Map<CountedNoun, number>();
  readonly #loses: readonly string[];

  constructor(loses: readonly string[]) {
    this.#loses = loses;
  }

  /** The same session, counted while it is read. Reading it again resets the counts. */
  watch(session: RecordedSession): RecordedSession {
    const counters = this.#loses.flatMap((phrase) => COUNTED[phrase] ?? []);
    const counts = this.#counts;
    return {
      ...session,
      async *batches() {
        counts.clear();
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
    const whole = this.#loses.filter((phrase) => !(phrase in COUNTED) && (OF_SESSION[phrase]?.(session) ?? true));
    return [...whole, ...[...this.#counts].map(([[one, several], n]) => `${n} ${n === 1 ? one : several}`)];
  }
}

function otherThanCalls(entry: Entry): CountedNoun | undefined {
  const isOther = entry.kind === 'message' && envelopeOf(entry).kind === 'notification';
  return isOther ? ['notification', 'notifications'] : undefined;
}
