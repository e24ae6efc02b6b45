import { namesOf } from '../../src/analysis/filter/filter-subject.ts';
import { WorkPace } from './pace.ts';
import type { Lane } from './timeline/lane.ts';
import type { Timeline } from './timeline/timeline.ts';

/** A suggested filter term, and the number of requests or notifications that it matches. */
export interface FilterWord {
  readonly term: string;
  readonly count: number;
}

/** The traffic determines the names, so their number is unbounded. */
const MAX_NAMES = 2000;

const FIXED: readonly string[] = [
  'status:error',
  'status:pending',
  'status:cancelled',
  'status:late',
  'status:ok',
  'status:stream',
  'kind:request',
  'kind:response',
  'kind:notification',
  'kind:stderr',
  'kind:stray',
  'kind:http',
  'dir:>',
  'dir:<',
  'dur:>1s',
  'size:>10k',
  'edited',
  'dropped',
  'injected',
];

interface NamesInLane {
  readonly tools: Map<string, number>;
  readonly methods: Map<string, number>;
  next: number;
}

/** Suggests terms for a timeline. It reads each entry once, in slices, and only when asked. */
export class FilterWords {
  readonly #timeline: Timeline;
  readonly #now: () => number;
  readonly #names = new WeakMap<Lane, NamesInLane>();

  constructor(timeline: Timeline, now: () => number) {
    this.#timeline = timeline;
    this.#now = now;
  }

  /** First the names that occur in the timeline, by frequency, then the fixed terms. */
  async suggest(): Promise<FilterWord[]> {
    const { lanes } = this.#timeline;
    const tools = new Map<string, number>();
    const methods = new Map<string, number>();
    const statuses = new Map<string, number>();
    for (const lane of lanes) {
      const names = await this.#namesIn(lane);
      for (const [name, count] of names.tools) add(tools, name, count);
      for (const [name, count] of names.methods) add(methods, name, count);
      countStatuses(lane, statuses);
    }
    return [
      ...named('tool', tools),
      ...named('method', methods),
      ...(lanes.length > 1 ? lanes.map(({ header, entries }) => word('server', header.label, entries.length)) : []),
      ...FIXED.map((term) => ({ term, count: statuses.get(term) ?? 0 })),
    ];
  }

  async #namesIn(lane: Lane): Promise<NamesInLane> {
    const names = this.#names.get(lane) ?? { tools: new Map(), methods: new Map(), next: 0 };
    this.#names.set(lane, names);
    const { log, entries } = lane;
    for (const pace = new WorkPace(this.#now); names.next < entries.length; ) {
      const index = names.next++;
      const nature = log.facts.natureAt(index);
      if (nature === 'request' || nature === 'notification') {
        const entry = entries.at(index);
        if (entry?.kind !== 'message' || log.callAt(index)?.isRequest === false) continue;
        const { method, tool } = namesOf(entry);
        if (method === 'tools/call' && tool !== undefined) add(names.tools, tool);
        if (method !== undefined) add(names.methods, method);
      }
      if (pace.isOver) await pace.rest();
    }
    return names;
  }
}

function countStatuses({ log, entries }: Lane, statuses: Map<string, number>): void {
  for (let index = 0; index < entries.length; index++) {
    const call = log.callAt(index);
    if (call?.isRequest) add(statuses, `status:${call.status}`);
  }
}

function add(counts: Map<string, number>, name: string, count = 1): void {
  const known = counts.get(name);
  if (known !== undefined || counts.size < MAX_NAMES) counts.set(name, (known ?? 0) + count);
}

function named(key: string, counts: ReadonlyMap<string, number>): FilterWord[] {
  return [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => word(key, name, count));
}

function word(key: string, name: string, count: number): FilterWord {
  const isPlain = /^[^\s()"*]+$/.test(name);
  const quoted = `"${name.replaceAll(/["\\]/g, '\\$&')}"`;
  return { term: `${key}:${isPlain ? name : quoted}`, count };
}
