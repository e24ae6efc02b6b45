import { useEffect, useState } from 'preact/hooks';
import type { EntryKey } from '../model/entry-key.ts';
import { usePage } from './page.ts';

/** The timeline row of an entry, if it is shown; while rows arrive it may be the previous one. */
export function useRowOf(key: EntryKey | undefined): number | undefined {
  const page = usePage();
  const [known, setKnown] = useState<{ readonly key: EntryKey; readonly row: number | undefined } | undefined>(
    undefined,
  );
  const { version } = page.shown.value;
  useEffect(() => {
    let isRequested = true;
    if (key !== undefined) void page.engine.rowOf(key).then((row) => isRequested && setKnown({ key, row }));
    return () => {
      isRequested = false;
    };
  }, [key, version]);
  return known?.key === key ? known?.row : undefined;
}
