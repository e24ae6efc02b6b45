import { mkdirSync, rmSync, statSync, utimes, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const STALE_MS = 5000;

/**
 * Waits for another run that holds this lock, and returns what gives it back. Its holder keeps the lock young, so an old one
 * belongs to a run that died.
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
