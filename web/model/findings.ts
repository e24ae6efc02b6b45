import type { Finding } from '../../src/analysis/findings/finding.ts';
import type { SessionFindings } from '../../src/analysis/findings/session-findings.ts';
import type { Entry } from '../../src/model/entry.ts';
import type { RowOutcome } from '../../src/present/session-log/row-outcome.ts';
import { type EntryKey, indexOf } from './entry-key.ts';
import { WorkPace } from './pace.ts';
import type { Lane } from './timeline/lane.ts';
import type { Timeline } from './timeline/timeline.ts';

/** The number of entries to process between looks at the clock. */
const BETWEEN_LOOKS = 64;
const SALT_BYTES = 16;

/** The findings of one lane so far. */
interface FindingProgress {
  readonly session: SessionFindings;
  /** Whether the search began when the session had already ended. */
  readonly ended: boolean;
  readonly found: Finding[];
  next: number;
  hasEnded: boolean;
}

/**
 * Finds problems in each lane. It searches on demand, in slices, and only once: later searches cover only new entries.
 */
export class TimelineFindings {
  readonly #timeline: Timeline;
  readonly #now: () => number;
  readonly #byLane = new WeakMap<Lane, FindingProgress>();
  /** A query waits for the query before it. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(timeline: Timeline, now: () => number) {
    this.#timeline = timeline;
    this.#now = now;
  }

  /** All findings of a lane, as far as it is read, in display order. */
  of(index: number): Promise<readonly Finding[]> {
    const lane = this.#timeline.lanes[index];
    if (lane === undefined) return Promise.resolve([]);
    const mine = this.#turn.then(() => this.#look(lane));
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  /** The findings that refer to an entry or to a message of its call. */
  async about(key: EntryKey): Promise<readonly Finding[]> {
    const lane = this.#timeline.lane(key);
    const entry = lane?.entries.at(indexOf(key));
    if (lane === undefined || entry === undefined) return [];
    const found = await this.of(lane.index);
    if (entry.kind !== 'message') return found.filter((finding) => isAt(finding, entry));
    const sequences = sequencesOf(entry.sequence, lane.log.outcomeOf(entry));
    return found.filter((finding) => finding.sequences.some((sequence) => sequences.has(sequence)));
  }

  async #look(lane: Lane): Promise<readonly Finding[]> {
    const progress = await this.#progressIn(lane);
    if (progress.hasEnded) return progress.found;
    const pace = new WorkPace(this.#now);
    while (progress.next < lane.entries.length) {
      const stop = Math.min(lane.entries.length, progress.next + BETWEEN_LOOKS);
      for (; progress.next < stop; progress.next++) {
        const entry = lane.entries.at(progress.next);
        if (entry !== undefined) progress.found.push(...progress.session.take(entry));
      }
      if (pace.isOver) await pace.rest();
    }
    if (isOver(lane)) {
      progress.hasEnded = true;
      for (const finding of progress.session.end()) progress.found.push(finding);
    }
    return progress.found;
  }

  /** The progress for a lane. The search starts again if the session has ended or resumed since. */
  async #progressIn(lane: Lane): Promise<FindingProgress> {
    const { endOf, SessionFindings } = await import('../../src/analysis/findings/session-findings.ts');
    const end = endOf(lane.session());
    const ended = lane.state !== 'lost' && end.ended;
    const known = this.#byLane.get(lane);
    if (known?.ended === ended && (!known.hasEnded || isOver(lane))) return known;
    const { secretSearch } = await import('../../src/redact/detect/secret-detector.ts');
    const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
    const session = new SessionFindings({
      ...end,
      ended,
      ...secretSearch({ header: lane.header, footer: undefined }, salt),
    });
    const progress = { session, ended, found: [], next: 0, hasEnded: false };
    this.#byLane.set(lane, progress);
    return progress;
  }
}

function isOver({ state }: Lane): boolean {
  return state === 'read' || state === 'lost';
}

function sequencesOf(own: number, outcome: RowOutcome | undefined): ReadonlySet<number> {
  const rounds = outcome?.rounds.flatMap(({ answer, retry }) => [answer, retry]) ?? [];
  const ends = [outcome?.request, outcome?.answer].filter((sequence) => sequence !== undefined);
  return new Set([own, ...ends, ...rounds]);
}

function isAt({ at }: Finding, entry: Exclude<Entry, { kind: 'message' }>): boolean {
  return entry.kind === 'event' && at !== undefined && at.event === entry.event && at.atMs === entry.atMs;
}
