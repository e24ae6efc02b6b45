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

describe('step progress', () => {
  it('prints a line every ten seconds if stderr is not a terminal', () => {
    expect(shownOn({}, 25_000)).toEqual([
      'ready: installing packages: 0 of 480, 10.0 s\n',
      'ready: installing packages: 1 of 480, 20.0 s\n',
    ]);
  });

  it('updates and erases one line on a terminal', () => {
    expect(shownOn({ isTTY: true, columns: 80 }, 1000)).toEqual([
      '\r\u001b[2Kready: installing packages: 0 of 480, 0.5 s',
      '\r\u001b[2Kready: installing packages: 1 of 480, 1.0 s',
      '\r\u001b[2K',
    ]);
  });

  it('cuts its line to the width of a narrow terminal', () => {
    expect(shownOn({ isTTY: true, columns: 20 }, 500)[0]).toBe('\r\u001b[2Kready: installing p');
  });

  it('shows nothing for a step that ends at once', () => {
    expect(shownOn({}, 900)).toEqual([]);
  });
});
