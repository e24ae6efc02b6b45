import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { inLibraryWords } from './api/in-library-words.ts';
import {
  type MatchableRecording,
  type MatchOptions,
  type MatchWriting,
  matchRecording,
} from './api/match-recording.ts';
import { type Mock, type MockOptions, startMock } from './api/start-mock.ts';
import type { MockReport } from './mock/mock-report.ts';
import { ReelError } from './model/errors.ts';

export type { MatchableRecording as Matchable, MatchOptions } from './api/match-recording.ts';
export type { Mock, MockOptions } from './api/start-mock.ts';
export type { MockReport } from './mock/mock-report.ts';

const { beforeEach, expect } = await loadVitest();

/** How a mock answers the tests of a file. */
export type UseMockOptions = MockOptions & {
  /** Whether a test fails in which a request had no answer; `false` if absent. The client gets an error in any case. */
  readonly failOnMiss?: boolean | undefined;
};

/** The mock of the test that runs. */
export type MockOfTest = Omit<Mock, 'stop' | typeof Symbol.asyncDispose>;

/**
 * Answers from a recording in each of the tests that follow: every test has a mock of its own, which begins at the beginning
 * and is gone after it. A relative path begins where the test file is.
 *
 * ```ts
 * const mock = useMock('recordings/shop.json');
 *
 * test('counts pears', async () => {
 *   await client.connect(mock.transport);
 *   // …
 * });
 * ```
 */
export function useMock(file: string, options: UseMockOptions = {}): MockOfTest {
  let current: Mock | undefined;
  beforeEach(async ({ task }) => {
    const mock = await startMock(besides(task.file.filepath, file), options);
    current = mock;
    return async () => {
      current = undefined;
      const report = await mock.stop();
      if (options.failOnMiss) refuseMisses(report);
    };
  });
  const running = (): Mock => {
    if (current !== undefined) return current;
    throw new ReelError('usage', `The mock of ${file} runs only while a test does`, {
      hint: 'Use it within a test, or in a hook that comes after useMock.',
    });
  };
  return {
    get url() {
      return running().url;
    },
    get command() {
      return running().command;
    },
    get args() {
      return running().args;
    },
    get transport() {
      return running().transport;
    },
    report: () => running().report(),
  };
}

/** So many misses are told one by one. */
const MAX_TOLD = 20;

function refuseMisses({ missed, forwarded, misses }: MockReport): void {
  const count = missed - forwarded;
  if (count === 0) return;
  const told = misses.filter(({ isForwarded }) => !isForwarded).slice(0, MAX_TOLD);
  const lines = told.map(({ message }) => `  ${message}`);
  if (count > told.length) lines.push(`  … and ${count - told.length} more`);
  throw new Error(`Not in the recording:\n${lines.join('\n')}`);
}

expect.extend({
  async toMatchRecording(given: MatchableRecording, file: string, options: MatchOptions = {}) {
    const { testPath, snapshotState, isNot } = this;
    const path = besides(testPath, file);
    if (isNot && !existsSync(path)) {
      throw new ReelError('file-not-found', `There is no recording ${path} that it could differ from`, {
        hint: 'Make one first: without not, the first run does.',
      });
    }
    // What is to differ is never accepted.
    const writing = isNot ? 'none' : writingOf(snapshotState);
    const { matches, message } = await inLibraryWords(() => matchRecording(given, path, options, writing));
    const accept = writing === 'new' ? '\nAccept it with vitest -u.' : '';
    return { pass: matches, message: () => (isNot ? message : `${message}${accept}`) };
  },
});

/** Vitest is no peer dependency: several versions of npm crash on an optional one. So this says what is missing. */
async function loadVitest(): Promise<typeof import('vitest')> {
  try {
    return await import('vitest');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new ReelError('usage', 'mcpreel/vitest needs Vitest 3.2 or newer', {
      hint: 'Install it: npm install --save-dev vitest',
      cause,
    });
  }
}

/** What vitest is told to do with snapshots holds for recordings. */
function writingOf(state: object): MatchWriting {
  const { snapshotUpdateState, _updateSnapshot } = state as Readonly<Record<string, unknown>>;
  // Vitest 3 has it under the second name only.
  const wanted = snapshotUpdateState ?? _updateSnapshot;
  return wanted === 'all' || wanted === 'none' ? wanted : 'new';
}

function besides(testPath: string | undefined, file: string): string {
  return testPath === undefined ? resolve(file) : resolve(dirname(testPath), file);
}

declare module 'vitest' {
  interface Matchers<T> {
    /**
     * Compares a session with a recording. The first run makes it, `vitest -u` accepts what has changed, and in CI it must be
     * there. A relative path begins where the test file is.
     *
     * ```ts
     * await expect(recording).toMatchRecording('recordings/shop.json');
     * ```
     */
    toMatchRecording(file: string, options?: MatchOptions): Promise<void>;
  }
}
