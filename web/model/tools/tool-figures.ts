import type { Call } from '../../../src/analysis/calls/call.ts';
import { CallTracker } from '../../../src/analysis/calls/call-tracker.ts';
import { measureCall } from '../../../src/analysis/stats/measured-call.ts';
import { SessionStats, type Stats } from '../../../src/analysis/stats/stats.ts';
import { type EntryKey, keyOf } from '../entry-key.ts';
import type { WorkPace } from '../pace.ts';
import type { Lane } from '../timeline/lane.ts';
import type { Timeline } from '../timeline/timeline.ts';
import { type DurationSpread, SpreadTally } from './tool-spread.ts';

/** The call statistics of one lane. */
export interface ToolFigures {
  readonly lane: number;
  readonly label: string;
  readonly stats: Stats;
  /** The distribution of durations by tool, and by method prefixed with its direction. */
  readonly spreads: Readonly<Record<string, DurationSpread>>;
}

/** The key of a method's distribution. */
export function spreadOfMethod(direction: string, method: string): string {
  return `${direction} ${method}`;
}

/** The key of a tool's distribution. */
export function spreadOfTool(name: string): string {
  return `tool ${name}`;
}

/** Computes the statistics of each lane, for all calls or only the shown ones. Tool definitions always count. */
export async function figuresOf(
  timeline: Timeline,
  shownCalls: ReadonlySet<EntryKey> | undefined,
  pace: WorkPace,
): Promise<ToolFigures[]> {
  const all: ToolFigures[] = [];
  for (const lane of timeline.lanes) all.push(await laneFigures(lane, shownCalls, pace));
  return all;
}

const BETWEEN_LOOKS = 64;

async function laneFigures(
  lane: Lane,
  shownCalls: ReadonlySet<EntryKey> | undefined,
  pace: WorkPace,
): Promise<ToolFigures> {
  const tracker = new CallTracker();
  const sums = new LaneSums(lane, shownCalls);
  const { entries } = lane;
  for (let at = 0; at < entries.length; at++) {
    const entry = entries.at(at);
    if (entry === undefined) continue;
    sums.stats.takeEntry(entry);
    for (const call of tracker.take(entry).calls) sums.take(call);
    if (at % BETWEEN_LOOKS === 0 && pace.isOver) await pace.rest();
  }
  for (const call of tracker.end()) sums.take(call);
  return sums.result();
}

class LaneSums {
  readonly stats = new SessionStats();
  readonly #lane: Lane;
  readonly #shown: ReadonlySet<EntryKey> | undefined;
  readonly #spreads = new Map<string, SpreadTally>();

  constructor(lane: Lane, shown: ReadonlySet<EntryKey> | undefined) {
    this.#lane = lane;
    this.#shown = shown;
  }

  take(call: Call): void {
    const { index, hasTimes, log } = this.#lane;
    const place = log.placeOf(call.request.sequence);
    if (this.#shown !== undefined && (place === undefined || !this.#shown.has(keyOf(index, place)))) return;
    const measured = measureCall(call, hasTimes);
    this.stats.takeCall(call, measured);
    if (measured.durationMs === undefined) return;
    this.#spread(spreadOfMethod(call.direction, call.method)).add(measured.durationMs);
    if (call.method === 'tools/call' && call.direction === 'client_to_server') {
      this.#spread(spreadOfTool(call.name ?? '')).add(measured.durationMs);
    }
  }

  result(): ToolFigures {
    const { index, header } = this.#lane;
    const spreads = Object.fromEntries([...this.#spreads].map(([name, tally]) => [name, tally.spread()]));
    return { lane: index, label: header.label, stats: this.stats.result(), spreads };
  }

  #spread(name: string): SpreadTally {
    const known = this.#spreads.get(name);
    if (known !== undefined) return known;
    const tally = new SpreadTally();
    this.#spreads.set(name, tally);
    return tally;
  }
}
