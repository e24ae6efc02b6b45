import { namesOf } from '../../src/analysis/filter/filter-subject.ts';
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
  'kind:noise',
  'kind:http',
  'dir:>',
  'dir:<',
  'dur:>1s',
  'size:>10k',
  'edited',
  'dropped',
  'injected',
];

/** Suggested terms for this timeline: first the names that occur in it, by frequency, then the fixed terms. */
export function filterWords(timeline: Timeline): FilterWord[] {
  const tools = new Map<string, number>();
  const methods = new Map<string, number>();
  const statuses = new Map<string, number>();
  for (const { entries, log } of timeline.lanes) {
    for (const entry of entries) {
      if (entry.kind !== 'message') continue;
      const outcome = log.outcomeOf(entry);
      if (outcome !== undefined && outcome.request !== entry.sequence) continue;
      const { method, tool } = outcome === undefined ? namesOf(entry) : { method: outcome.method, tool: outcome.name };
      if (method === 'tools/call' && tool !== undefined) add(tools, tool);
      if (method !== undefined) add(methods, method);
      if (outcome !== undefined) add(statuses, `status:${outcome.status}`);
    }
  }
  return [
    ...named('tool', tools),
    ...named('method', methods),
    ...(timeline.lanes.length > 1
      ? timeline.lanes.map(({ header, entries }) => word('server', header.label, entries.length))
      : []),
    ...FIXED.map((term) => ({ term, count: statuses.get(term) ?? 0 })),
  ];
}

function add(counts: Map<string, number>, name: string): void {
  const known = counts.get(name);
  if (known !== undefined || counts.size < MAX_NAMES) counts.set(name, (known ?? 0) + 1);
}

function named(key: string, counts: ReadonlyMap<string, number>): FilterWord[] {
  return [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => word(key, name, count));
}

function word(key: string, name: string, count: number): FilterWord {
  const isPlain = /^[^\s()"*]+$/.test(name);
  const quoted = `"${name.replaceAll(/["\\]/g, '\\$&')}"`;
  return { term: `${key}:${isPlain ? name : quoted}`, count };
}
