import { useEffect } from 'preact/hooks';
import { exactText } from '../../src/model/entry.ts';
import { copyText } from '../parts/clipboard.ts';
import type { PageState } from '../state/page.ts';
import { TIME_STYLES } from '../state/place.ts';
import { replayCall } from '../views/live/replay-call.ts';
import { VIEW_KINDS } from '../views/views.ts';

/** A key of the page, with its description and its action. */
interface PageKey {
  readonly keys: readonly string[];
  readonly meaning: string;
  press(page: PageState, key: string): void;
}

const PAGE_ROWS = 20;

/** The keys that work outside text fields. Where both exist, they are the keys of the terminal UI. */
export const PAGE_KEYS: readonly PageKey[] = [
  { keys: ['j', 'ArrowDown'], meaning: 'down', press: (page) => page.step(1) },
  { keys: ['k', 'ArrowUp'], meaning: 'up', press: (page) => page.step(-1) },
  { keys: ['PageDown'], meaning: 'page down', press: (page) => page.step(PAGE_ROWS) },
  { keys: ['PageUp'], meaning: 'page up', press: (page) => page.step(-PAGE_ROWS) },
  { keys: ['g'], meaning: 'first row', press: (page) => page.step(Number.NEGATIVE_INFINITY) },
  { keys: ['G'], meaning: 'last row, and follow new ones', press: (page) => page.step(Number.POSITIVE_INFINITY) },
  { keys: ['x'], meaning: 'go to the matching request or response', press: (page) => void goToPartner(page) },
  { keys: ['/'], meaning: 'filter', press: () => document.getElementById('filter')?.focus() },
  { keys: ['Escape'], meaning: 'back: close details, then clear the filter, then reset the time range', press: goBack },
  { keys: ['o'], meaning: 'responses: inline or separate rows', press: unfold },
  { keys: ['t'], meaning: 'cycle time format: elapsed, clock, delta', press: turnTimes },
  { keys: ['y'], meaning: 'copy the message', press: (page) => void copyMessage(page) },
  { keys: ['r'], meaning: 'replay the request and compare the responses', press: replaySelected },
  { keys: ['s'], meaning: 'export the shown rows', press: openExport },
  {
    keys: VIEW_KINDS.map((_, place) => String(place + 1)),
    meaning: 'switch to a view',
    press: (page, key) => {
      const view = VIEW_KINDS[Number(key) - 1];
      if (view !== undefined && (view.isOffered?.(page) ?? true)) page.go({ view: view.id });
    },
  },
  {
    keys: ['?'],
    meaning: 'show this help',
    press: (page) => {
      page.isHelpOpen.value = true;
    },
  },
];

/** Handles the keys while the page is mounted. */
export function useKeys(page: PageState): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
      const found = PAGE_KEYS.find(({ keys }) => keys.includes(event.key));
      if (found === undefined || !page.isOpen.value) return;
      event.preventDefault();
      found.press(page, event.key);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [page]);
}

/** Whether another element handles the key: a text field, a dialog, or a tree with the focus. */
function isTaken({ target, key }: KeyboardEvent): boolean {
  // An open dialog takes all keys, wherever the focus is.
  if (document.querySelector('dialog[open]') !== null) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('input, textarea, select, [contenteditable="true"]') !== null) return true;
  const isArrow = key.startsWith('Arrow') || key.startsWith('Page');
  return isArrow && target.closest('[role="tree"], [role="tablist"], [role="menu"], [role="application"]') !== null;
}

function goBack(page: PageState): void {
  const { selected, filter, range } = page.place.value;
  if (selected !== undefined) page.go({ selected: undefined });
  else if (filter !== '') page.go({ filter: '' });
  else if (range !== undefined) page.go({ range: undefined });
}

function openExport(): void {
  const button = document.getElementById('export');
  // The next Tab then moves into the opened menu.
  button?.focus();
  button?.click();
}

function unfold(page: PageState): void {
  page.go({ unfolded: !page.place.value.unfolded });
}

function turnTimes(page: PageState): void {
  const now = TIME_STYLES.indexOf(page.place.value.times);
  page.go({ times: TIME_STYLES[(now + 1) % TIME_STYLES.length] ?? 'relative' });
}

async function goToPartner(page: PageState): Promise<void> {
  const { selected } = page.place.value;
  if (selected === undefined) return;
  const partner = await page.engine.partner(selected);
  if (partner === undefined) page.notice.value = 'This message has no request or response to go to.';
  else page.go({ selected: partner });
}

function replaySelected(page: PageState): void {
  const { selected } = page.place.value;
  if (selected !== undefined) void replayCall(page, selected);
}

async function copyMessage(page: PageState): Promise<void> {
  const { selected } = page.place.value;
  const detail = selected === undefined ? undefined : await page.engine.detail(selected);
  if (detail === undefined) return;
  page.notice.value = await copyText(exactText(detail.entry), 'Copied.');
}
