import { useEffect, useState } from 'preact/hooks';
import type { EntryKey } from '../engine/entry-key.ts';
import { usePage } from './page.ts';

/** The row of the timeline that an entry is in, as far as it is shown. */
export function useRowOf(key: EntryKey | undefined): number | undefined {
  const page = usePage();
  const [row, setRow] = useState<number | undefined>(undefined);
  const { version } = page.shown.value;
  useEffect(() => {
    let isWanted = true;
    if (key === undefined) setRow(undefined);
    else void page.engine.rowOf(key).then((found) => isWanted && setRow(found));
    return () => {
      isWanted = false;
    };
  }, [key, version]);
  return row;
}
