import { type EntryKey, printKey, readKey } from '../model/entry-key.ts';

export const VIEWS = ['timeline', 'calls', 'tools', 'raw', 'session', 'diff', 'live'] as const;
export type ViewId = (typeof VIEWS)[number];

export const TIME_STYLES = ['relative', 'absolute', 'delta'] as const;
export type TimeStyle = (typeof TIME_STYLES)[number];

/** The user's location in the page: everything that a link contains. */
export interface PageAddress {
  readonly view: ViewId;
  readonly filter: string;
  /** The open entry. */
  readonly selected: EntryKey | undefined;
  /** Only entries in this time range, in epoch milliseconds. */
  readonly range: { readonly fromMs: number; readonly toMs: number } | undefined;
  readonly times: TimeStyle;
  /** Whether responses have separate rows. */
  readonly unfolded: boolean;
  /** The parameters of a view: its sort order, its tab, its lane. */
  readonly more: Readonly<Record<string, string>>;
}

const START: PageAddress = {
  view: 'timeline',
  filter: '',
  selected: undefined,
  range: undefined,
  times: 'relative',
  unfolded: false,
  more: {},
};

/** Parses the fragment of an address. Unknown parameters go to `more`. */
export function readPlace(fragment: string): PageAddress {
  const { view, q, m, range, times, unfolded, ...more } = Object.fromEntries(new URLSearchParams(fragment));
  return {
    view: VIEWS.find((id) => id === view) ?? START.view,
    filter: q ?? '',
    selected: m === undefined ? undefined : readKey(m),
    range: readRange(range),
    times: TIME_STYLES.find((style) => style === times) ?? START.times,
    unfolded: unfolded === '1',
    more,
  };
}

/** Formats the fragment for the address bar. */
export function printPlace({ view, filter, selected, range, times, unfolded, more }: PageAddress): string {
  const sent = new URLSearchParams(more);
  sent.set('view', view);
  if (filter !== '') sent.set('q', filter);
  if (selected !== undefined) sent.set('m', printKey(selected));
  if (range !== undefined) sent.set('range', `${range.fromMs}-${range.toMs}`);
  if (times !== START.times) sent.set('times', times);
  if (unfolded) sent.set('unfolded', '1');
  return sent.toString();
}

function readRange(text: string | undefined): PageAddress['range'] {
  const found = /^(\d{1,16}(?:\.\d+)?)-(\d{1,16}(?:\.\d+)?)$/.exec(text ?? '');
  if (found === null) return undefined;
  const [fromMs, toMs] = [Number(found[1]), Number(found[2])];
  return fromMs < toMs ? { fromMs, toMs } : undefined;
}
