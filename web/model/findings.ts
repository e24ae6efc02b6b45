import type { Finding } from '../../src/analysis/findings/finding.ts';
import type { SessionFindings } from '../../src/analysis/findings/session-findings.ts';
import type { Entry } from '../../src/model/entry.ts';
import type { RowOutcome } from '../../src/present/session-log.ts';
import { type EntryKey, indexOf } from './entry-key.ts';
import { WorkPace } from './pace.ts';
import type { Lane } from './timeline/lane.ts';
import type { Timeline } from './timeline/timeline.ts';

/** So many entries are looked at before the clock is. */
const BETWEEN_LOOKS = 64;
const SALT_BYTES = 16;

/** What one lane was found to hold so far. */
interface FindingProgress {
  readonly session: SessionFindings;
  /** Whether it was begun as that of a session which came to its end. */
  readonly ended: boolean;
  readonly found: Finding[];
  next: number;
  hasEnded: boolean;
}

/**
 * What is worth telling about each lane. It is looked for when somebody asks, in slices, and once only: what came since is
 * looked at in addition.
 */
export class TimelineFindings {
  readonly #timeline: Timeline;
  readonly #now: () => number;
  readonly #byLane = new WeakMap<Lane, FindingProgress>();
  /** Whoever asks while somebody else's question is being worked on waits for that. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(timeline: Timeline, now: () => number) {
    this.#timeline = timeline;
    this.#now = now;
  }

  /** All findings of a lane as far as it is read, in the order in which they show. */
  of(index: number): Promise<readonly Finding[]> {
    const lane = this.#timeline.lanes[index];
    if (lane === undefined) return Promise.resolve([]);
    const mine = this.#turn.then(() => this.#look(lane));
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  /** Those that name an entry, or a message of the call that it belongs to. */
  async about(key: EntryKey): Promise<readonly Finding[]> {
    const lane = this.#timeline.lane(key);
    const entry = lane?.entries[indexOf(key)];
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
        const entry = lane.entries[progress.next];
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

  /** What is known of a lane so far. A session that has ended since then, or goes on after all, is looked at anew. */
  async #progressIn(lane: Lane): Promise<FindingProgress> {
    const { hasEnded, SessionFindings } = await import('../../src/analysis/findings/session-findings.ts');
    const ended = lane.state !== 'lost' && hasEnded(lane.session());
    const known = this.#byLane.get(lane);
    if (known?.ended === ended && (!known.hasEnded || isOver(lane))) return known;
    const { secretDetector } = await import('../../src/redact/detect/secret-detector.ts');
    const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
    const session = new SessionFindings({ ended, detectSecrets: secretDetector(salt) });
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
