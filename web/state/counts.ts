import { useEffect, useState } from 'preact/hooks';
import type { FilmCounts } from '../engine/film-counts.ts';
import { usePage } from './page.ts';

/** While much comes in, counting all of it is not worth more than this. */
const PAUSE_MS = 500;

/** What there is of each kind. It may be half a second old. */
export function useCounts(): FilmCounts | undefined {
  const page = usePage();
  const [counts, setCounts] = useState<FilmCounts | undefined>(undefined);
  const { version, lanes } = page.film.value;
  const isMoving = lanes.some(({ state }) => state === 'reading' || state === 'live');
  useEffect(() => {
    let isWanted = true;
    const ask = (): void => void page.engine.counts().then((found) => isWanted && setCounts(found));
    const timer = setTimeout(ask, isMoving ? PAUSE_MS : 0);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [isMoving ? Math.floor(version / 5) : version]);
  return counts;
}
