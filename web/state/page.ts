import { batch, computed, effect, type ReadonlySignal, type Signal, signal, useComputed } from '@preact/signals';
import { type Context, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { linkEngine } from '../link/engine-link.ts';
import type { RemoteEngine } from '../model/engine-protocol.ts';
import type { EntryDetail } from '../model/entry-detail.ts';
import { type EntryKey, laneOf } from '../model/entry-key.ts';
import type { LaneLosses } from '../model/timeline/lane-losses.ts';
import type { ShownFacts, TimelineFacts } from '../model/timeline/timeline-facts.ts';
import { createOpening, type FileOpening } from '../sources/opening.ts';
import type { ServedPage } from '../sources/served.ts';
import { type PageAddress, printPlace, readPlace } from './place.ts';

const NO_FILM: TimelineFacts = { lanes: [], span: undefined, gaps: [], version: 0 };
const NO_ROWS: ShownFacts = { version: 0, filter: '', rows: 0, entries: 0, isComplete: true };

/** How a selection enters the history: as a step that "back" undoes, or as a mere movement. */
export type SelectionStep = 'step' | 'move';

/** Finds the entry this many rows further. A view without selectable entries scrolls itself. */
export type RowStepper = (rows: number) => Promise<EntryKey | undefined> | undefined;

/** The state that all components of the page share. */
export interface PageState {
  readonly engine: RemoteEngine;
  readonly timeline: ReadonlySignal<TimelineFacts>;
  readonly shown: ReadonlySignal<ShownFacts>;
  readonly place: ReadonlySignal<PageAddress>;
  /** The data that each recording lacks, as of the last time that none was being read. */
  readonly losses: ReadonlySignal<readonly LaneLosses[]>;
  /** The details of the selected entry. The previous details stay until they arrive. */
  readonly detail: ReadonlySignal<EntryDetail | undefined>;
  /** Why the current filter is invalid. */
  readonly filterFault: ReadonlySignal<string | undefined>;
  /** The state of opening recordings. */
  readonly opening: FileOpening;
  /** The program that serves the page, if there is one. */
  readonly served: Signal<ServedPage | undefined>;
  /** A notice to show for a short time: what was copied, what failed. */
  readonly notice: Signal<string | undefined>;
  readonly isHelpOpen: Signal<boolean>;
  /** Whether the list follows the last row of a live session, until the user scrolls or selects. */
  readonly follows: Signal<boolean>;
  /** The row navigation of a view with its own order. */
  readonly stepper: Signal<RowStepper | undefined>;
  /** Moves the selection by this many rows. Infinity selects the last row and follows it. */
  step(rows: number): void;
  /** Opens an entry. One "back" closes it, even after several selections. */
  select(key: EntryKey): void;
  /** Opens an entry in the timeline, from any view, and clears the filter and the time range. */
  show(key: EntryKey): void;
  /** Whether any recording or session is open. */
  readonly isOpen: ReadonlySignal<boolean>;
  go(to: Partial<PageAddress>, how?: SelectionStep): void;
}

/** Creates the page's state and keeps it in sync with the engine and the address. */
export function createPage(worker: Worker): PageState {
  const timeline = signal(NO_FILM);
  const shown = signal(NO_ROWS);
  const place = signal(readPlace(location.hash.slice(1)));
  const opening = createOpening();
  const engine = linkEngine(worker, {
    onTimeline: (facts) => {
      timeline.value = facts;
    },
    onShown: (facts) => {
      shown.value = facts;
    },
    onBroken: (why) => {
      const what = `The page does not work in this browser: ${why || 'a script cannot be loaded'}.`;
      opening.faults.value = [...opening.faults.value, { what }];
    },
  });
  window.addEventListener('popstate', () => {
    place.value = readPlace(location.hash.slice(1));
  });
  window.addEventListener('hashchange', () => {
    place.value = readPlace(location.hash.slice(1));
  });
  const stepper = signal<RowStepper | undefined>(undefined);
  let walk: Promise<void> = Promise.resolve();
  const page: PageState = {
    engine,
    timeline,
    shown,
    place,
    losses: lossesIn(engine, timeline),
    detail: detailAt(engine, timeline, place),
    filterFault: choose(engine, place),
    opening,
    served: signal<ServedPage | undefined>(undefined),
    notice: signal<string | undefined>(undefined),
    isHelpOpen: signal(false),
    follows: signal(true),
    stepper,
    step(rows) {
      // Each step starts after the previous one has ended, however fast the keys repeat.
      const walkOn = async (): Promise<void> => {
        const takeStep = stepper.value ?? ((by) => engine.step(place.value.selected, by));
        const key = await takeStep(rows);
        if (key !== undefined) page.select(key);
        if (rows === Number.POSITIVE_INFINITY) page.follows.value = true;
      };
      walk = walk.then(walkOn, walkOn);
    },
    select(key) {
      page.go({ selected: key }, place.value.selected === undefined ? 'step' : 'move');
    },
    show(key) {
      page.go({ view: 'timeline', selected: key, filter: '', range: undefined });
    },
    isOpen: computed(() => timeline.value.lanes.length > 0),
    go(to, how = 'step') {
      batch(() => {
        const next = { ...place.value, ...to };
        const address = `#${printPlace(next)}`;
        if (to.selected !== undefined) page.follows.value = false;
        if (address === location.hash) return;
        place.value = next;
        remember(address, how);
      });
    },
  };
  return page;
}

function remember(address: string, how: SelectionStep): void {
  try {
    if (how === 'step') history.pushState(undefined, '', address);
    else history.replaceState(undefined, '', address);
  } catch {
    // Some browsers refuse frequent changes of the address, such as while the user drags a brush. The next step fixes
    // it.
  }
}

/** Sends the filter, time range and folding of the address to the engine. Returns why the filter is invalid. */
function choose(engine: RemoteEngine, place: ReadonlySignal<PageAddress>): ReadonlySignal<string | undefined> {
  const filterFault = signal<string | undefined>(undefined);
  const requested = computed(() => {
    const { filter, range, unfolded } = place.value;
    return JSON.stringify({ filter, range, foldsAnswers: !unfolded });
  });
  effect(() => {
    void engine.choose(JSON.parse(requested.value)).then((fault) => {
      filterFault.value = fault;
    });
  });
  return filterFault;
}

function lossesIn(
  engine: RemoteEngine,
  timeline: ReadonlySignal<TimelineFacts>,
): ReadonlySignal<readonly LaneLosses[]> {
  const losses = signal<readonly LaneLosses[]>([]);
  effect(() => {
    const { lanes, version } = timeline.value;
    if (lanes.some(({ state }) => state === 'reading')) return;
    void engine.losses().then((found) => {
      if (timeline.peek().version === version) losses.value = found;
    });
  });
  return losses;
}

function detailAt(
  engine: RemoteEngine,
  timeline: ReadonlySignal<TimelineFacts>,
  place: ReadonlySignal<PageAddress>,
): ReadonlySignal<EntryDetail | undefined> {
  const detail = signal<EntryDetail | undefined>(undefined);
  const selected = computed(() => place.value.selected);
  // Once a lane is read, its entries' details no longer change, and they may be large.
  const growth = computed(() => {
    const { lanes, version } = timeline.value;
    const state = selected.value === undefined ? undefined : lanes[laneOf(selected.value)]?.state;
    return state === 'read' || state === 'lost' ? state : version;
  });
  effect(() => {
    void growth.value;
    const key = selected.value;
    if (key === undefined) detail.value = undefined;
    else
      void engine.detail(key).then((found) => {
        if (selected.peek() === key) detail.value = found;
      });
  });
  return detail;
}

export const PageContext: Context<PageState | undefined> = createContext<PageState | undefined>(undefined);

/** The page that a component belongs to. */
export function usePage(): PageState {
  const page = useContext(PageContext);
  if (page === undefined) throw new Error('a component outside of the page');
  return page;
}

/** One part of the address. The component does not render again when another part changes, such as the filter. */
export function usePlace<K extends keyof PageAddress>(part: K): PageAddress[K] {
  const { place } = usePage();
  return useComputed(() => place.value[part]).value;
}
