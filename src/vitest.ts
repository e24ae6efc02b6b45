// The `mcpreel/vitest` entry point: `useMock` and the matcher `toMatchRecording`.
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

/**
 * Options for a mock that serves the tests of a file.
 *
 * @example
 * ```ts
 * import { useMock, type UseMockOptions } from 'mcpreel/vitest';
 * import { expect, test } from 'vitest';
 *
 * const options: UseMockOptions = { failOnMiss: true, match: 'strict' };
 * const mock = useMock('session.json', options);
 *
 * test('has a mock', () => expect(mock.report().missed).toBe(0));
 * ```
 */
export type UseMockOptions = MockOptions & {
  /**
   * Whether a test fails if a request had no recorded response. The client gets an error in any case. Default: `false`.
   */
  readonly failOnMiss?: boolean | undefined;
};

/**
 * The mock of the running test.
 *
 * @example
 * ```ts
 * import { type MockOfTest, useMock } from 'mcpreel/vitest';
 * import { expect, test } from 'vitest';
 *
 * const mock: MockOfTest = useMock('session.json');
 *
 * test('has a mock', () => expect(mock.url).toMatch(/^http:/));
 * ```
 */
export type MockOfTest = Omit<Mock, 'stop' | typeof Symbol.asyncDispose>;

/**
 * Starts a mock from a recording for each of the following tests. Every test gets its own mock, which starts from the
 * beginning and stops after the test. A relative path is relative to the test file.
 *
 * @example
 * ```ts
 * import { Client } from '@modelcontextprotocol/sdk/client/index.js';
 * import { useMock } from 'mcpreel/vitest';
 * import { expect, test } from 'vitest';
 *
 * const mock = useMock('session.json');
 *
 * test('counts pears', async () => {
 *   const client = new Client({ name: 'example', version: '1.0.0' });
 *   await client.connect(mock.transport);
 *   const { content } = await client.callTool({ name: 'stock', arguments: { item: 'pear' } });
 *   expect(content).toMatchObject([{ text: expect.stringContaining('"count":3') }]);
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

/** The maximum number of misses in the error message. */
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
      throw new ReelError('file-not-found', `No recording ${path} to compare with`, {
        hint: 'Create it first: run the test once without .not.',
      });
    }
    // With `not`, a recording is never written.
    const writing = isNot ? 'none' : writingOf(snapshotState);
    const { matches, message } = await inLibraryWords(() => matchRecording(given, path, options, writing));
    const accept = writing === 'new' ? '\nAccept it with vitest -u.' : '';
    return { pass: matches, message: () => (isNot ? message : `${message}${accept}`) };
  },
});

/**
 * Loads Vitest, or reports that it is missing. Vitest is not a peer dependency, because several npm versions crash on
 * optional ones.
 */
async function loadVitest(): Promise<typeof import('vitest')> {
  try {
    return await import('vitest');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new ReelError('usage', 'mcpreel/vitest needs Vitest 3.2 or newer: npm install --save-dev vitest', {
      cause,
    });
  }
}

/** Vitest's setting for updating snapshots applies to recordings, too. */
function writingOf(state: object): MatchWriting {
  const { snapshotUpdateState, _updateSnapshot } = state as Readonly<Record<string, unknown>>;
  // Vitest 3 only has the second name.
  const wanted = snapshotUpdateState ?? _updateSnapshot;
  return wanted === 'all' || wanted === 'none' ? wanted : 'new';
}

function besides(testPath: string | undefined, file: string): string {
  return testPath === undefined ? resolve(file) : resolve(dirname(testPath), file);
}

declare module 'vitest' {
  interface Matchers<T> {
    /**
     * Compares a session with a recording. The first run writes the recording, and `vitest -u` accepts changes. In CI,
     * the recording must exist. A relative path is relative to the test file.
     *
     * @example
     * ```ts
     * import { Client } from '@modelcontextprotocol/sdk/client/index.js';
     * import { recordSession } from 'mcpreel';
     * import 'mcpreel/vitest';
     * import { expect, test } from 'vitest';
     *
     * test('answers as recorded', async () => {
     *   await using recording = await recordSession({ command: ['node', 'server.js'] });
     *   const client = new Client({ name: 'example', version: '1.0.0' });
     *   await client.connect(recording.transport);
     *   await client.callTool({ name: 'stock', arguments: { item: 'pear' } });
     *   await expect(recording).toMatchRecording('recordings/shop.json');
     * });
     * ```
     */
    toMatchRecording(file: string, options?: MatchOptions): Promise<void>;
  }
}
