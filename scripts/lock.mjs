import { mkdirSync, rmSync, statSync, utimes, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const STALE_MS = 5000;

/**
 * Takes a lock file, waiting for another run that holds it, and returns a function that releases it. The holder keeps
 * updating the lock's time, so an old lock belongs to a run that died.
 */
export async function takeLock(lock) {
  mkdirSync(dirname(lock), { recursive: true });
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      const heartbeat = setInterval(() => utimes(lock, new Date(), new Date(), () => {}), 1000);
      return () => {
        clearInterval(heartbeat);
        rmSync(lock, { force: true });
      };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > STALE_MS) rmSync(lock, { force: true });
    else await delay(100);
  }
}
