import { useEffect, useState } from 'preact/hooks';
import type { FilmCounts } from '../engine/film-counts.ts';
import { type Page, usePage } from './page.ts';

/** While much comes in, counting all of it is not worth more than this. */
const PAUSE_MS = 1000;

/** What there is of each kind. It may be a second old. */
export function useCounts(): FilmCounts | undefined {
  const page = usePage();
  const [counts, setCounts] = useState<FilmCounts | undefined>(undefined);
  const { version, lanes } = page.film.value;
  const isMoving = lanes.some(({ state }) => state === 'reading' || state === 'live');
  useEffect(() => {
    let isWanted = true;
    const ask = (): void => void countsOf(page).then((found) => isWanted && setCounts(found));
    const timer = setTimeout(ask, isMoving ? PAUSE_MS : 0);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [isMoving ? Math.floor(version / 8) : version]);
  return counts;
}

/** Several parts of the page want to know: they are counted once. */
function countsOf(page: Page): Promise<FilmCounts> {
  const { version } = page.film.peek();
  if (asked === undefined || asked.page !== page || asked.version !== version) {
    asked = { page, version, counts: page.engine.counts() };
  }
  return asked.counts;
}

let asked: { readonly page: Page; readonly version: number; readonly counts: Promise<FilmCounts> } | undefined;
