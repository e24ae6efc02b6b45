import type { MatchLevel } from '../mock/match-keys.ts';
import type { MockReport } from '../mock/mock-report.ts';
import { type ExhaustedPolicy, MockServer } from '../mock/mock-server.ts';
import { eventsOf, mockOnListener, type OpenMock } from '../mock/open-mock.ts';
import type { HttpTransport } from '../transport/http/http-listener.ts';
import type { ClientTransport } from './client-transport.ts';
import { assertKnown, usage } from './given-option.ts';
import type { GivenSession } from './given-session.ts';
import { inLibraryWords } from './in-library-words.ts';
import { openLocalEndpoint } from './local-endpoint.ts';
import { type ErrorOnMiss, type ForwardOnMiss, mockSource } from './mock-misses.ts';
import { httpListen } from './recording-options.ts';
import { thisProcess } from './this-process.ts';

/**
 * Options for a mock that answers from a recording.
 *
 * @example
 * ```ts
 * import { type MockOptions, startMock } from 'mcpreel';
 *
 * const options: MockOptions = { match: 'loose', exhausted: 'error', timing: 'recorded' };
 * const mock = await startMock('session.json', options);
 * await mock.stop();
 * ```
 */
export type MockOptions = (ErrorOnMiss | ForwardOnMiss) & {
  /** The transport at `url`. Default: `streamable-http`. */
  readonly listenTransport?: HttpTransport | undefined;
  /** The port of `url`. Default: 0, which picks a free port. */
  readonly listenPort?: number | undefined;
  /** How closely requests must match the recorded ones. Default: `normal`. */
  readonly match?: MatchLevel | undefined;
  /**
   * What to do when all recorded responses to a request were used: send the last one again, or an error. Default:
   * `repeat`.
   */
  readonly exhausted?: ExhaustedPolicy | undefined;
  /**
   * When to send responses: at once (`none`), with the recorded delays (`recorded`), or this many times as fast.
   * Default: `none`.
   */
  readonly timing?: 'none' | 'recorded' | number | undefined;
  /** Called for each line that the command line would print to stderr. */
  readonly onNote?: ((line: string) => void) | undefined;
};

/**
 * A mock server that answers from a recording. It serves any number of clients at once.
 *
 * @example
 * ```ts
 * import { type Mock, startMock } from 'mcpreel';
 *
 * const mock: Mock = await startMock('session.json');
 * console.log(`Connect clients to ${mock.url}`);
 * await mock.stop();
 * ```
 */
export interface Mock extends AsyncDisposable {
  /** The URL for clients that connect over HTTP. */
  readonly url: string;
  /** The program that a client runs as its server, as in `new StdioClientTransport(mock)`. */
  readonly command: string;
  /** The arguments of that program. */
  readonly args: string[];
  /** The transport for the next client in this process: `client.connect(mock.transport)`. */
  readonly transport: ClientTransport;
  /** Reports the requests answered so far, the unused recorded requests and the misses. */
  report(): MockReport;
  /** Stops the mock, and resolves with the final report. Further calls return the same result. */
  stop(): Promise<MockReport>;
}

/**
 * Answers clients from a recording, as the recorded server did. Clients can connect to `url`, run `command`, or use
 * `transport` within this process.
 *
 * @example
 * ```ts
 * import { Client } from '@modelcontextprotocol/sdk/client/index.js';
 * import { startMock } from 'mcpreel';
 *
 * const mock = await startMock('session.json');
 * const client = new Client({ name: 'example', version: '1.0.0' });
 * await client.connect(mock.transport);
 * console.log(await client.callTool({ name: 'stock', arguments: { item: 'pear' } }));
 * await client.close();
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
  throw usage(`Unknown timing: ${given}`, 'Use none, recorded, or a speed like 10.');
}
