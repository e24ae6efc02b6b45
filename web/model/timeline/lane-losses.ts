import type { FormatReader, FormatWriter } from '../../../src/formats/format.ts';
import { readers } from '../../../src/formats/registry.ts';
import { ObjectView } from '../../../src/json/object-view.ts';
import type { Entry } from '../../../src/model/entry.ts';
import { PARTS_REMOVED, TOO_LONG } from '../../../src/model/gap-reasons.ts';
import type { SessionHeader } from '../../../src/model/session.ts';
import { WorkPace } from '../pace.ts';
import type { Lane } from './lane.ts';
import type { Timeline } from './timeline.ts';

/** What a recording says of itself that is not in it. */
export interface LaneLosses {
  /** Different values that were redacted, and at how many places. */
  readonly redacted: { readonly values: number; readonly places: number };
  /** Messages that were not recorded, as far as is known. */
  readonly missed: number;
  /** Messages of which only the size was recorded, and mostly the hash. */
  readonly tooLong: number;
  /** Entries in parts of the trace that are not there. */
  readonly inOtherParts: number;
  /** Whether the file ends in the middle of something. */
  readonly isCutOff: boolean;
  /** What its format does not hold, each a phrase that completes "it does not hold …". */
  readonly lacks: readonly string[];
}

/** What stands in place of a value, ours and the one that is common elsewhere. */
const REDACTED = /\[REDACTED(?::[a-z0-9-]{1,64}:[0-9a-f]{8})?\]/g;
const REDACTED_START = '[REDACTED';
/** More different values than anybody counts. */
const MAX_VALUES = 10_000;
const BETWEEN_LOOKS = 64;

/** Finds out what is missing, on demand and in slices: nobody waits for it, and what was counted is not counted again. */
export class TimelineLosses {
  readonly #timeline: Timeline;
  readonly #now: () => number;
  readonly #tallies = new WeakMap<Lane, LossTally>();

  constructor(timeline: Timeline, now: () => number) {
    this.#timeline = timeline;
    this.#now = now;
  }

  async ofLanes(): Promise<readonly LaneLosses[]> {
    const pace = new WorkPace(this.#now);
    const tallies = this.#timeline.lanes.map((lane) => ({ lane, tally: this.#tallyOf(lane) }));
    for (const { lane, tally } of tallies) {
      for (let step = 0; tally.counted < lane.entries.length; step++) {
        tally.takeNext(lane.entries);
        if (step % BETWEEN_LOOKS === 0 && pace.isOver) await pace.rest();
      }
    }
    return tallies.map(({ lane, tally }) => ({ ...tally.losses(), isCutOff: lane.isCutOff, lacks: lacksOf(lane) }));
  }

  #tallyOf(lane: Lane): LossTally {
    const known = this.#tallies.get(lane);
    if (known?.header === lane.header) return known;
    const tally = new LossTally(lane.header);
    this.#tallies.set(lane, tally);
    return tally;
  }
}

/** What a format cannot hold is known of those that are written too. */
function lacksOf({ format }: Lane): readonly string[] {
  const reader: (FormatReader & Partial<FormatWriter>) | undefined = readers.find(({ id }) => id === format);
  return reader?.loses ?? [];
}

class LossTally {
  counted = 0;
  readonly header: SessionHeader;
  readonly #values = new Set<string>();
  #unnamed = 0;
  #places = 0;
  #missed = 0;
  #tooLong = 0;
  #inOtherParts = 0;

  constructor(header: SessionHeader) {
    this.header = header;
    for (const text of [...header.command, header.url ?? '', header.metadata]) this.#count(text);
  }

  takeNext(entries: readonly Entry[]): void {
    const entry = entries[this.counted++];
    if (entry === undefined) return;
    if (entry.kind !== 'event') this.#count(entry.text);
    else {
      this.#count(entry.raw);
      if (entry.event === 'mcpreel.gap') this.#countGap(ObjectView.of(entry.raw));
    }
  }

  losses(): Omit<LaneLosses, 'isCutOff' | 'lacks'> {
    return {
      redacted: { values: this.#values.size + this.#unnamed, places: this.#places },
      missed: this.#missed,
      tooLong: this.#tooLong,
      inOtherParts: this.#inOtherParts,
    };
  }

  #countGap(gap: ObjectView | undefined): void {
    const missed = gap?.number('missed') ?? 1;
    const why = gap?.string('why');
    if (why === TOO_LONG) this.#tooLong += missed;
    else if (why === PARTS_REMOVED) this.#inOtherParts += missed;
    else this.#missed += missed;
  }

  #count(text: string): void {
    if (!text.includes(REDACTED_START)) return;
    for (const [placeholder] of text.matchAll(REDACTED)) {
      this.#places++;
      // Without its digits a placeholder does not tell which value it stands for.
      if (placeholder === '[REDACTED]') this.#unnamed++;
      else if (this.#values.size < MAX_VALUES) this.#values.add(placeholder);
    }
  }
}
