import { useEffect, useState } from 'preact/hooks';

const TICK_MS = 250;

/** The current time, which updates while `isTicking` is set. */
export function useNow(isTicking: boolean): number {
  const [nowMs, setNow] = useState(Date.now());
  useEffect(() => {
    if (!isTicking) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isTicking]);
  return nowMs;
}
