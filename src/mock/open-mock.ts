import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { DEFAULT_MAX_MESSAGE_BYTES } from '../transport/bounded-lines.ts';
import { flushed } from '../transport/flushed.ts';
import { type HttpListener, type ListenOptions, openListener } from '../transport/http/http-listener.ts';
import type { InboundEvents } from '../transport/inbound/inbound-transport.ts';
import { SSE_PATH, SseInbound } from '../transport/inbound/sse-inbound.ts';
import { openStdioInbound } from '../transport/inbound/stdio-inbound.ts';
import { STREAMABLE_PATH, StreamableInbound } from '../transport/inbound/streamable-inbound.ts';
import { endsWithin } from '../transport/time-limit.ts';
import type { MockServer } from './mock-server.ts';

/** How long the mock waits for a stdio client to read the remaining output. */
const LAST_WORDS_MS = 1000;

export interface OpenMockDeps {
  readonly nowMs: () => number;
  readonly newId: () => string;
}

/** The process's own stdin and stdout, for a client that runs mcpreel as its server. */
export interface MockStreams {
  readonly stdin: Readable;
  readonly stdout: Writable;
}

/** A mock that is accepting clients. */
export interface OpenMock {
  /** The address clients connect to, if the mock listens on one. */
  readonly url: string | undefined;
  readonly listener: HttpListener | undefined;
  /** Resolves when the client on stdio has left. With a listener it never resolves. */
  readonly left: Promise<void>;
  /** Stops answering clients. */
  close(): Promise<void>;
}

/** Serves the client on the process's own stdin and stdout. */
export function mockOnStreams(mockServer: MockServer, { stdin, stdout }: MockStreams): OpenMock {
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const events = eventsOf(mockServer, leave);
  const inbound = openStdioInbound({ stdin, stdout, maxMessageBytes: DEFAULT_MAX_MESSAGE_BYTES, events });
  return {
    url: undefined,
    listener: undefined,
    left,
    async close() {
      inbound.close();
      await endsWithin(flushed(stdout), LAST_WORDS_MS);
    },
  };
}

/** Serves clients that connect to a listener. */
export async function mockOnListener(
  mockServer: MockServer,
  listen: ListenOptions,
  deps: OpenMockDeps,
): Promise<OpenMock> {
  const { token, transport } = listen;
  const events = eventsOf(mockServer, () => undefined);
  const options = { events, ...deps, maxMessageBytes: DEFAULT_MAX_MESSAGE_BYTES, token };
  const inbound = transport === 'sse' ? new SseInbound(options) : new StreamableInbound(options);
  const onRequest = (request: IncomingMessage, response: ServerResponse, path: string): void =>
    inbound.take(request, response, path);
  const listener = await openListener({ ...listen, onRequest });
  return {
    url: listener.origin + (transport === 'sse' ? SSE_PATH : STREAMABLE_PATH),
    listener,
    left: new Promise(() => undefined),
    async close() {
      inbound.close();
      await listener.close();
    },
  };
}

/** Passes new clients to the mock. The other inbound events matter only to a recording, so they are ignored. */
export function eventsOf(mockServer: MockServer, onLeft: () => void): InboundEvents {
  let exchanges = 0;
  return {
    onDialogue: (dialogue) => mockServer.join(dialogue, onLeft),
    onReported: () => undefined,
    onReportedAsBatch: () => undefined,
    onEndpoint: () => undefined,
    onUndelivered: () => undefined,
    onStrayLine: () => undefined,
    nextExchange: () => ++exchanges,
    onExchange: () => undefined,
  };
}
