import type { HttpTransport } from '../capture/capture-options.ts';
import type { MatchLevel } from '../mock/match-keys.ts';
import type { MockReport } from '../mock/mock-report.ts';
import { type ExhaustedPolicy, MockServer } from '../mock/mock-server.ts';
import { eventsOf, mockOnListener, type OpenMock } from '../mock/open-mock.ts';
import type { ClientTransport } from './client-transport.ts';
import { assertKnown, usage } from './given-option.ts';
import type { GivenSession } from './given-session.ts';
import { inLibraryWords } from './in-library-words.ts';
import { openLocalEndpoint } from './local-endpoint.ts';
import { type ErrorOnMiss, type ForwardOnMiss, mockSource } from './mock-misses.ts';
import { httpListen } from './recording-options.ts';
import { thisProcess } from './this-process.ts';

/** How a recording answers. */
export type MockOptions = (ErrorOnMiss | ForwardOnMiss) & {
  /** What is spoken at `url`; `streamable-http` if absent. */
  readonly listenTransport?: HttpTransport | undefined;
  /** The port of `url`; any that is free if absent, or 0. */
  readonly listenPort?: number | undefined;
  /** How exactly requests must be the recorded ones; `normal` if absent. */
  readonly match?: MatchLevel | undefined;
  /** When all recordings of a request were used: the last one again, or an error; `repeat` if absent. */
  readonly exhausted?: ExhaustedPolicy | undefined;
  /** Answers at once (`none`, if absent), when they came (`recorded`), or so many times as fast. */
  readonly timing?: 'none' | 'recorded' | number | undefined;
  /** Told of what the command line would say on stderr. */
  readonly onNote?: ((line: string) => void) | undefined;
};

/** A recording that answers as its server did, any number of clients at once. */
export interface Mock extends AsyncDisposable {
  /** Where clients connect over HTTP. */
  readonly url: string;
  /** The program that a client runs as its server: `new StdioClientTransport(mock)` does. */
  readonly command: string;
  /** The arguments of that program. */
  readonly args: string[];
  /** A way in for the next client of this process: `client.connect(mock.transport)`. */
  readonly transport: ClientTransport;
  /** What was answered so far, what nobody asked for, and what was missing. */
  report(): MockReport;
  /** Answers nobody any more; resolves with what became of the recording. Whoever calls it again gets the same. */
  stop(): Promise<MockReport>;
}

/**
 * Answers clients from a recording, as the recorded server did. It can be reached in three ways at once: at `url`, by running
 * `command`, and by `transport` within this process.
 *
 * ```ts
 * const mock = await startMock('session.json');
 * await client.connect(mock.transport);
 * // …
 * await mock.stop();
 * ```
 */
export function startMock(recording: GivenSession, options: MockOptions = {}): Promise<Mock> {
  return inLibraryWords(() => start(recording, options));
}

async function start(recording: GivenSession, options: MockOptions): Promise<Mock> {
  const { listenTransport = 'streamable-http', listenPort, match = 'normal', exhausted = 'repeat' } = options;
  assertKnown('listenTransport', listenTransport, ['streamable-http', 'sse']);
  assertKnown('match', match, ['strict', 'normal', 'loose']);
  assertKnown('exhausted', exhausted, ['repeat', 'error']);
  const timing = timingFrom(options.timing);
  const listen = httpListen(listenTransport, listenPort);
  const note = (line: string): void => options.onNote?.(line);
  let http: OpenMock | undefined;
  const source = await mockSource(recording, options, () => http?.listener, note);
  const { label, dialogues, forwarding } = source;
  const mockServer = new MockServer(dialogues, {
    match,
    exhausted,
    timing,
    label,
    note,
    openFallback: forwarding?.openFallback,
  });
  const listening = await mockOnListener(mockServer, listen, thisProcess);
  http = listening;
  const endpoint = await openLocalEndpoint().catch(async (error: unknown) => {
    await listening.close();
    throw error;
  });
  endpoint.admit(eventsOf(mockServer, () => undefined));
  let stopped: Promise<MockReport> | undefined;
  const stop = (): Promise<MockReport> => {
    stopped ??= (async () => {
      await Promise.all([listening.close(), endpoint.close()]);
      mockServer.close();
      await forwarding?.close();
      await source.keep();
      return mockServer.report();
    })();
    return stopped;
  };
  return {
    url: listening.url ?? '',
    command: endpoint.command,
    args: [...endpoint.args],
    get transport() {
      return endpoint.transport;
    },
    report: () => mockServer.report(),
    stop,
    [Symbol.asyncDispose]: () => stop().then(() => undefined),
  };
}

function timingFrom(given: MockOptions['timing'] = 'none'): 'none' | number {
  if (given === 'none') return given;
  if (given === 'recorded') return 1;
  if (typeof given === 'number' && given > 0) return given;
  throw usage(`timing ${given} is not known`, 'Give none, recorded, or how many times as fast, like 10.');
}
