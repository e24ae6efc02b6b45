import type { EntryDetail } from '../model/entry-detail.ts';
import { requestedIn } from './message-parts.ts';

export type TabId = 'arguments' | 'result' | 'content' | 'raw' | 'timing' | 'schema' | 'related' | 'http';

/** A tab of an entry's details. */
export interface TabKind {
  readonly id: TabId;
  readonly title: string;
}

/** The tabs of an entry, in order. */
export function tabsFor(detail: EntryDetail): readonly TabKind[] {
  const { request, answer, related, tool } = detail;
  const http: TabKind[] = hasHttp(detail) ? [{ id: 'http', title: 'HTTP' }] : [];
  const raw: TabKind = { id: 'raw', title: 'Raw' };
  if (request === undefined) {
    return [
      answer === undefined ? { id: 'content', title: 'Content' } : { id: 'result', title: 'Result' },
      raw,
      ...http,
    ];
  }
  const { method } = requestedIn(request.entry);
  const isToolCall = method === 'tools/call';
  return [
    { id: 'arguments', title: isToolCall || method === 'prompts/get' ? 'Arguments' : 'Params' },
    { id: 'result', title: 'Result' },
    raw,
    { id: 'timing', title: 'Timing' },
    ...(isToolCall || tool !== undefined ? [{ id: 'schema', title: 'Schema' } as const] : []),
    { id: 'related', title: `Related ${related.length}` },
    ...http,
  ];
}

/** The requested tab, or the default: the result, else the arguments. */
export function openTab(detail: EntryDetail, requested: string | undefined): TabId {
  const tabs = tabsFor(detail);
  const found = tabs.find(({ id }) => id === requested);
  if (found !== undefined) return found.id;
  if (detail.request !== undefined) return detail.answer === undefined ? 'arguments' : 'result';
  return tabs[0]?.id ?? 'raw';
}

function hasHttp({ entry, exchange }: EntryDetail): boolean {
  return exchange !== undefined || (entry.kind === 'event' && entry.event === 'http.exchange');
}
