import { describe, expect, it } from 'vitest';
import { parentIsGone } from './run-capture.ts';

const kill = (pid: number): true => {
  if (pid === 40) return true;
  throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' });
};

describe('parentIsGone', () => {
  it('detects on Linux that the parent exited by the changed parent pid', () => {
    expect(parentIsGone(40, { platform: 'linux', ppid: 40, kill })).toBe(false);
    expect(parentIsGone(40, { platform: 'linux', ppid: 1, kill })).toBe(true);
  });

  it('detects on Windows that the parent exited by signaling it, because the parent pid never changes', () => {
    expect(parentIsGone(40, { platform: 'win32', ppid: 40, kill })).toBe(false);
    expect(parentIsGone(41, { platform: 'win32', ppid: 41, kill })).toBe(true);
  });
});
