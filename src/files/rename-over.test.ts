import { describe, expect, it } from 'vitest';
import { renameOver, renameOverSync } from './rename-over.ts';

/** A file that another program keeps open for this many tries. */
function busyFor(tries: number, code = 'EPERM') {
  const log: string[] = [];
  let left = tries;
  return {
    log,
    rename: (): void => {
      log.push('rename');
      if (left-- > 0) throw Object.assign(new Error(code), { code });
    },
    wait: (ms: number): void => {
      log.push(`wait ${ms}`);
    },
  };
}

describe('renameOver and renameOverSync', () => {
  const both = [
    [
      'later',
      (deps: ReturnType<typeof busyFor>, isWindows: boolean) =>
        renameOver('a', 'b', { isWindows, rename: async () => deps.rename(), wait: async (ms) => deps.wait(ms) }),
    ],
    [
      'at once',
      async (deps: ReturnType<typeof busyFor>, isWindows: boolean) =>
        renameOverSync('a', 'b', { isWindows, rename: deps.rename, wait: deps.wait }),
    ],
  ] as const;

  it.each(both)('retries on Windows while another program has the file open (%s)', async (_, replace) => {
    const deps = busyFor(2);
    await replace(deps, true);
    expect(deps.log).toEqual(['rename', 'wait 50', 'rename', 'wait 50', 'rename']);
  });

  it.each(both)('gives up on Windows after one second (%s)', async (_, replace) => {
    const deps = busyFor(1000, 'EBUSY');
    await expect(replace(deps, true)).rejects.toThrow('EBUSY');
    expect(deps.log.filter((step) => step === 'wait 50')).toHaveLength(20);
  });

  it.each(both)('fails immediately on other platforms and for other errors (%s)', async (_, replace) => {
    const elsewhere = busyFor(1);
    await expect(replace(elsewhere, false)).rejects.toThrow('EPERM');
    const missing = busyFor(1, 'ENOENT');
    await expect(replace(missing, true)).rejects.toThrow('ENOENT');
    expect([elsewhere.log, missing.log]).toEqual([['rename'], ['rename']]);
  });
});
