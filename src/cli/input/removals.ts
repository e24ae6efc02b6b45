import { countOf } from '../../present/figures.ts';
import type { RemovalCounts } from '../../redact/redacted-session.ts';

/** Sorted by count, highest first. */
export function inOrder(removals: RemovalCounts): [kind: string, count: number][] {
  return [...removals].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

export function totalOf(removals: RemovalCounts): number {
  let total = 0;
  for (const count of removals.values()) total += count;
  return total;
}

/** `3 secrets: 2 github-token, 1 bearer-token` */
export function describeRemovals(removals: RemovalCounts): string {
  const kinds = inOrder(removals).map(([kind, count]) => `${count} ${kind}`);
  return `${countOf(totalOf(removals), 'secret')}: ${kinds.join(', ')}`;
}
