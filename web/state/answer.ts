import { useEffect, useRef, useState } from 'preact/hooks';
import { usePage } from './page.ts';

/**
 * A hook that sends a query to the engine and returns the answer. It repeats the query when one of `of` changes, but
 * only after the previous answer arrived, so that queries do not pile up. The old answer stays until the new one
 * arrives.
 */
export function useAnswer<T>(ask: () => Promise<T>, of: readonly unknown[]): T | undefined {
  const page = usePage();
  const [answer, setAnswer] = useState<T | undefined>(undefined);
  const asking = useRef({ ask, isAsking: false, again: false, isHere: true });
  asking.current.ask = ask;

  const run = async (): Promise<void> => {
    const now = asking.current;
    now.isAsking = true;
    try {
      const found = await now.ask();
      if (now.isHere) setAnswer(() => found);
    } catch (error) {
      page.notice.value = (error as Error).message;
    }
    now.isAsking = false;
    if (!now.again || !now.isHere) return;
    now.again = false;
    await run();
  };

  useEffect(() => {
    if (asking.current.isAsking) asking.current.again = true;
    else void run();
  }, of);
  useEffect(() => {
    asking.current.isHere = true;
    return () => {
      asking.current.isHere = false;
    };
  }, []);
  return answer;
}
