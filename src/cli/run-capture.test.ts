import { describe, expect, it } from 'vitest';
import { parentIsGone } from './run-capture.ts';

const kill = (pid: number): true => {
  if (pid === 40) return true;
  throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' });
};

describe('the parent of this process', () => {
  it('is gone when another process has taken its place', () => {
    expect(parentIsGone(40, { platform: 'linux', ppid: 40, kill })).toBe(false);
    expect(parentIsGone(40, { platform: 'linux', ppid: 1, kill })).toBe(true);
  });

  it('is gone on Windows when it cannot be reached, because its number stays', () => {
    expect(parentIsGone(40, { platform: 'win32', ppid: 40, kill })).toBe(false);
    expect(parentIsGone(41, { platform: 'win32', ppid: 41, kill })).toBe(true);
  });
});
