import { sayingLeftOut } from '../../src/model/shell-line.ts';
import { formatSize } from '../../src/present/figures.ts';
import { largeRecordingNote } from '../../src/present/large-recording.ts';
import type { FileToOpen } from '../model/file-to-open.ts';
import type { LaneFacts } from '../model/timeline/timeline-facts.ts';
import { shellQuote } from '../parts/shell-quote.ts';
import type { PageState } from '../state/page.ts';
import type { OpeningFault } from './opening.ts';
import { isEncrypted, wholeRecordings } from './whole-recordings.ts';

/** How to open recordings. */
export interface HowToOpen {
  /** Adds to the open recordings instead of replacing them. */
  readonly adds?: boolean;
  readonly compares?: boolean;
}

/** Opens files that the user chose, dropped or pasted. If two files replace the open ones, a dialog asks what to do. */
export async function openFiles(page: PageState, files: readonly FileToOpen[], how: HowToOpen = {}): Promise<void> {
  if (files.length === 0) return;
  const whole = await wholeRecordings(files);
  if (whole.length === 2 && !how.adds && !how.compares) page.opening.undecided.value = whole;
  else await openRecordings(page, whole, how);
}

/** Opens recordings. Resolves when they are read. */
export async function openRecordings(
  page: PageState,
  files: readonly FileToOpen[],
  how: HowToOpen = {},
): Promise<void> {
  const { opening, engine } = page;
  const turn = ++opening.turn;
  const { readable, faults } = await withoutEncrypted(files);
  opening.undecided.value = undefined;
  // Before they are read, which takes a while.
  opening.faults.value = [...faults, ...tooLarge(readable)];
  if (readable.length === 0) return;
  if (!how.adds) {
    // The engine processes calls in order, so there is no need to wait.
    void engine.close();
    leaveOldPlace(page);
  }
  if (how.compares) page.go({ view: 'diff' }, 'move');
  await engine.open(readable);
  if (turn !== opening.turn) return;
  await reportLost(page, readable);
}

/** Opens the recordings that the page contains or that its address names. The address stays unchanged. */
export async function openNamed(
  page: PageState,
  files: readonly FileToOpen[],
  turn: number,
  compares: boolean,
): Promise<void> {
  const { opening, engine } = page;
  const { readable, faults } = await withoutEncrypted(await wholeRecordings(files));
  // The user has opened something else meanwhile.
  if (turn !== opening.turn) return;
  opening.faults.value = [...opening.faults.value, ...faults, ...tooLarge(readable)];
  if (readable.length === 0) return;
  if (compares && !/[#&]view=/.test(location.hash)) page.go({ view: 'diff' }, 'move');
  await engine.open(readable);
  if (turn === opening.turn) await reportLost(page, readable);
}

/** Resets the selection, filter and address of the recordings that were open before. */
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

function tooLarge(files: readonly FileToOpen[]): OpeningFault[] {
  return files.flatMap(({ name, blob, remote }) => {
    const what = largeRecordingNote(name, remote?.size ?? blob.size);
    return what === undefined ? [] : [{ what }];
  });
}

async function withoutEncrypted(
  files: readonly FileToOpen[],
): Promise<{ readable: FileToOpen[]; faults: OpeningFault[] }> {
  const readable: FileToOpen[] = [];
  const faults: OpeningFault[] = [];
  for (const file of files) {
    if (!(await isEncrypted(file.blob))) readable.push(file);
    else {
      // Whoever sent the file chose its name.
      const command = `mcpreel view ${shellQuote(file.name.replace(/^-/, './-'))} --identity key.txt`;
      const what = `${file.name} is encrypted, and this page does not take keys. Open it with: ${command}`;
      faults.push({ what: sayingLeftOut(what, command) });
    }
  }
  return { readable, faults };
}

/** Reports the files that could not be read at all. If no other file is open, closes them. */
async function reportLost(page: PageState, files: readonly FileToOpen[]): Promise<void> {
  const { lanes } = page.timeline.value;
  const lost = lanes.slice(-files.length).flatMap((lane, place) => {
    const file = files[place];
    return isLost(lane) && file !== undefined ? [{ lane, file }] : [];
  });
  const faults = await Promise.all(
    lost.map(async ({ lane, file }) => ({ what: `${lane.fault ?? ''} ${await beginningOf(file)}`.trim(), file })),
  );
  page.opening.faults.value = [...page.opening.faults.value, ...faults];
  if (lanes.every(isLost)) await page.engine.close();
}

function isLost({ state, entries }: LaneFacts): boolean {
  return state === 'lost' && entries === 0;
}

const BEGINNING = 60;

async function beginningOf({ blob, remote }: FileToOpen): Promise<string> {
  const text = (await blob.slice(0, BEGINNING * 4).text()).replaceAll(/\s+/g, ' ').trim();
  if (text === '') return '';
  const shown = [...text].slice(0, BEGINNING).join('');
  return `Its ${formatSize(remote?.size ?? blob.size)} begin with “${shown}${shown.length < text.length ? '…' : ''}”.`;
}
