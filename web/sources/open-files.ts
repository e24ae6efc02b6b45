import type { FileToOpen } from '../model/file-to-open.ts';
import type { LaneFacts } from '../model/timeline/timeline-facts.ts';
import type { PageState } from '../state/page.ts';
import { formatSize } from '../state/times.ts';
import type { OpeningFault } from './opening.ts';
import { isEncrypted, wholeRecordings } from './whole-recordings.ts';

/** What is done with recordings that are opened. */
export interface HowToOpen {
  /** Beside what is open, and not in its place. */
  readonly adds?: boolean;
  readonly compares?: boolean;
}

/** Opens what somebody chose, dropped or pasted. Of two in place of what is open it is asked what to do with them. */
export async function openFiles(page: PageState, files: readonly FileToOpen[], how: HowToOpen = {}): Promise<void> {
  if (files.length === 0) return;
  const whole = await wholeRecordings(files);
  if (whole.length === 2 && !how.adds && !how.compares) page.opening.undecided.value = whole;
  else await openRecordings(page, whole, how);
}

/** Opens recordings; resolves when they are read. */
export async function openRecordings(
  page: PageState,
  files: readonly FileToOpen[],
  how: HowToOpen = {},
): Promise<void> {
  const { opening, engine } = page;
  const turn = ++opening.turn;
  const { readable, faults } = await withoutEncrypted(files);
  opening.undecided.value = undefined;
  opening.faults.value = faults;
  if (readable.length === 0) return;
  if (!how.adds) {
    // The engine does one thing after the other: it need not be waited for.
    void engine.close();
    leaveOldPlace(page);
  }
  if (how.compares) page.go({ view: 'diff' }, 'move');
  await engine.open(readable);
  if (turn !== opening.turn) return;
  await reportLost(page, readable);
}

/** Opens what the page came with or what its address names, in its turn; the address stays as it is. */
export async function openNamed(
  page: PageState,
  files: readonly FileToOpen[],
  turn: number,
  compares: boolean,
): Promise<void> {
  const { opening, engine } = page;
  const { readable, faults } = await withoutEncrypted(await wholeRecordings(files));
  // Somebody who brought something else meanwhile wants that.
  if (turn !== opening.turn) return;
  opening.faults.value = [...opening.faults.value, ...faults];
  if (readable.length === 0) return;
  if (compares && !/[#&]view=/.test(location.hash)) page.go({ view: 'diff' }, 'move');
  await engine.open(readable);
  if (turn === opening.turn) await reportLost(page, readable);
}

/** What was selected, filtered and named in the address belonged to what was open before. */
function leaveOldPlace(page: PageState): void {
  const { view, more } = page.place.value;
  const { a: _a, b: _b, lane: _lane, line: _line, ...kept } = more;
  const isOfTimeline = view === 'diff' || view === 'live';
  page.go(
    { view: isOfTimeline ? 'timeline' : view, selected: undefined, range: undefined, filter: '', more: kept },
    'move',
  );
  if (location.search !== '') history.replaceState(undefined, '', location.pathname + location.hash);
}

async function withoutEncrypted(
  files: readonly FileToOpen[],
): Promise<{ readable: FileToOpen[]; faults: OpeningFault[] }> {
  const readable: FileToOpen[] = [];
  const faults: OpeningFault[] = [];
  for (const file of files) {
    if (!(await isEncrypted(file.blob))) readable.push(file);
    else {
      const command = `mcpreel view ${file.name} --identity key.txt`;
      faults.push({ what: `${file.name} is encrypted, and keys do not belong in a page. Open it with: ${command}` });
    }
  }
  return { readable, faults };
}

/** Says of which files nothing could be read. Where that is all there is, the page is as good as empty. */
async function reportLost(page: PageState, files: readonly FileToOpen[]): Promise<void> {
  const { lanes } = page.timeline.value;
  const lost = lanes.slice(-files.length).flatMap((lane, place) => {
    const file = files[place];
    return isLost(lane) && file !== undefined ? [{ lane, file }] : [];
  });
  const faults = await Promise.all(
    lost.map(async ({ lane, file }) => ({ what: `${lane.fault ?? ''} ${await beginningOf(file.blob)}`.trim(), file })),
  );
  page.opening.faults.value = [...page.opening.faults.value, ...faults];
  if (lanes.every(isLost)) await page.engine.close();
}

function isLost({ state, entries }: LaneFacts): boolean {
  return state === 'lost' && entries === 0;
}

const BEGINNING = 60;

async function beginningOf(blob: Blob): Promise<string> {
  const text = (await blob.slice(0, BEGINNING * 4).text()).replaceAll(/\s+/g, ' ').trim();
  if (text === '') return '';
  const shown = [...text].slice(0, BEGINNING).join('');
  return `Its ${formatSize(blob.size)} begin with “${shown}${shown.length < text.length ? '…' : ''}”.`;
}
