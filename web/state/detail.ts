import { useEffect, useState } from 'preact/hooks';
import type { EntryDetail } from '../engine/entry-detail.ts';
import { usePage } from './page.ts';

/** All that belongs to the selected entry; what was selected before stays until it is there. */
export function useDetail(): EntryDetail | undefined {
  const page = usePage();
  const { selected } = page.place.value;
  const { version } = page.film.value;
  const [detail, setDetail] = useState<EntryDetail | undefined>(undefined);
  useEffect(() => {
    let isWanted = true;
    if (selected === undefined) setDetail(undefined);
    else void page.engine.detail(selected).then((found) => isWanted && setDetail(found));
    return () => {
      isWanted = false;
    };
  }, [selected, version]);
  return selected === undefined ? undefined : detail;
}
