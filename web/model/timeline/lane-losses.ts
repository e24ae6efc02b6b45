import type { FormatReader, FormatWriter } from '../../../src/formats/format.ts';
import { readers } from '../../../src/formats/registry.ts';
import { ObjectView } from '../../../src/json/object-view.ts';
import { PARTS_REMOVED, TOO_LONG } from '../../../src/model/gap-reasons.ts';
import type { SessionHeader } from '../../../src/model/session.ts';
import { WorkPace } from '../pace.ts';
import type { Lane } from './lane.ts';
import type { Timeline } from './timeline.ts';

/** The data that a recording lacks, as far as the recording itself shows. */
export interface LaneLosses {
  /** The number of different redacted values, and of their occurrences. */
  readonly redacted: { readonly values: number; readonly places: number };
  /** The number of messages known to be missing. */
  readonly missed: number;
  /** The number of messages of which only the size and usually the hash were recorded. */
  readonly tooLong: number;
  /** The number of entries in missing parts of the trace. */
  readonly inOtherParts: number;
  /** Whether the file ends in the middle of an entry. */
  readonly isCutOff: boolean;
  /** What the file format cannot hold; each phrase completes "it does not hold …". */
  readonly lacks: readonly string[];
}

/** Placeholders for redacted values: mcpreel's own and the common one. */
const REDACTED = /\[REDACTED(?::[a-z0-9-]{1,64}:[0-9a-f]{8})?\]/g;
const REDACTED_START = '[REDACTED';
/** The count of different values stops here. */
const MAX_VALUES = 10_000;
const BETWEEN_LOOKS = 64;

/** Counts the missing data on demand and in slices. It counts each entry once. */
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

/** What a format cannot hold is known only for formats that mcpreel also writes. */
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

  takeNext(entries: Lane['entries']): void {
    const entry = entries.at(this.counted++);
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
      // A placeholder without digits does not identify its value.
      if (placeholder === '[REDACTED]') this.#unnamed++;
      else if (this.#values.size < MAX_VALUES) this.#values.add(placeholder);
    }
  }
}
