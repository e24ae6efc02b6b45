import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
// biome-ignore lint/correctness/useImportExtensions: its declarations are in it
import { showProgress } from '../../scripts/step-progress.mjs';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function shownOn(stream: { readonly isTTY?: boolean; readonly columns?: number }, ms: number): string[] {
  const written: string[] = [];
  let installed = 0;
  const progress = showProgress(() => `installing packages: ${installed++} of 480`, {
    ...stream,
    write: (text) => written.push(text),
  });
  vi.advanceTimersByTime(ms);
  progress.close();
  vi.advanceTimersByTime(60_000);
  return written;
}

describe('Progress of a step', () => {
  it('is a line every ten seconds where stderr is not a terminal', () => {
    expect(shownOn({}, 25_000)).toEqual([
      'ready: installing packages: 0 of 480, 10.0 s\n',
      'ready: installing packages: 1 of 480, 20.0 s\n',
    ]);
  });

  it('is one line that is updated and erased on a terminal', () => {
    expect(shownOn({ isTTY: true, columns: 80 }, 1000)).toEqual([
      '\r\u001b[2Kready: installing packages: 0 of 480, 0.5 s',
      '\r\u001b[2Kready: installing packages: 1 of 480, 1.0 s',
      '\r\u001b[2K',
    ]);
  });

  it('is cut to the width of a narrow terminal', () => {
    expect(shownOn({ isTTY: true, columns: 20 }, 500)[0]).toBe('\r\u001b[2Kready: installing p');
  });

  it('is not shown for a step that ends at once', () => {
    expect(shownOn({}, 900)).toEqual([]);
  });
});
