import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type Context, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FilterFault } from '../engine/engine.ts';
import type { FilmFacts, ShownFacts } from '../engine/film-facts.ts';
import type { RemoteEngine } from '../engine/talk.ts';
import { linkEngine } from '../link/engine-link.ts';
import { type Place, printPlace, readPlace } from './place.ts';

const NO_FILM: FilmFacts = { lanes: [], span: undefined, gaps: [], version: 0 };
const NO_ROWS: ShownFacts = { version: 0, rows: 0, entries: 0, isComplete: true };

/** How a step is remembered: as one that "back" undoes, or as a mere movement. */
export type Step = 'step' | 'move';

/** All that the parts of the page have in common. */
export interface Page {
  readonly engine: RemoteEngine;
  readonly film: ReadonlySignal<FilmFacts>;
  readonly shown: ReadonlySignal<ShownFacts>;
  readonly place: ReadonlySignal<Place>;
  /** Why the filter that stands there cannot be used. */
  readonly filterFault: ReadonlySignal<FilterFault | undefined>;
  /** Something to be told for a moment: what was copied, what went wrong. */
  readonly notice: Signal<string | undefined>;
  /** Whether there is anything to be seen. */
  readonly isOpen: ReadonlySignal<boolean>;
  go(to: Partial<Place>, how?: Step): void;
}

/** Makes the page's state: it follows the engine and the address, and the address follows it. */
export function createPage(worker: Worker): Page {
  const film = signal(NO_FILM);
  const shown = signal(NO_ROWS);
  const place = signal(readPlace(location.hash.slice(1)));
  const filterFault = signal<FilterFault | undefined>(undefined);
  const engine = linkEngine(worker, {
    onFilm: (facts) => {
      film.value = facts;
    },
    onShown: (facts) => {
      shown.value = facts;
    },
  });
  window.addEventListener('popstate', () => {
    place.value = readPlace(location.hash.slice(1));
  });
  window.addEventListener('hashchange', () => {
    place.value = readPlace(location.hash.slice(1));
  });
  const wanted = computed(() => {
    const { filter, range, unfolded } = place.value;
    return JSON.stringify({ filter, range, foldsAnswers: !unfolded });
  });
  effect(() => {
    void engine.choose(JSON.parse(wanted.value)).then((fault) => {
      filterFault.value = fault;
    });
  });
  return {
    engine,
    film,
    shown,
    place,
    filterFault,
    notice: signal<string | undefined>(undefined),
    isOpen: computed(() => film.value.lanes.length > 0),
    go(to, how = 'step') {
      batch(() => {
        const next = { ...place.value, ...to };
        const address = `#${printPlace(next)}`;
        if (address === location.hash) return;
        if (how === 'step') history.pushState(undefined, '', address);
        else history.replaceState(undefined, '', address);
        place.value = next;
      });
    },
  };
}

export const PageContext: Context<Page | undefined> = createContext<Page | undefined>(undefined);

/** The page that a component is part of. */
export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === undefined) throw new Error('a component outside of the page');
  return page;
}
