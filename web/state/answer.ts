import { useEffect, useRef, useState } from 'preact/hooks';
import { usePage } from './page.ts';

/**
 * What the engine answers to a question. It is asked again when one of `of` changes, but never before the answer to the
 * last one is there: while much comes in, questions must not pile up. The old answer stays until the new one is there.
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
