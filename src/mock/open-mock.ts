import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { DEFAULT_MAX_MESSAGE_BYTES, type ListenOptions } from '../capture/capture-options.ts';
import { flushed } from '../transport/flushed.ts';
import { type HttpListener, openListener } from '../transport/http/http-listener.ts';
import type { InboundEvents } from '../transport/inbound/inbound-transport.ts';
import { SSE_PATH, SseInbound } from '../transport/inbound/sse-inbound.ts';
import { openStdioInbound } from '../transport/inbound/stdio-inbound.ts';
import { STREAMABLE_PATH, StreamableInbound } from '../transport/inbound/streamable-inbound.ts';
import { endsWithin } from '../transport/time-limit.ts';
import type { MockServer } from './mock-server.ts';

/** What a client on our own streams gets to take the rest of what was said. */
const LAST_WORDS_MS = 1000;

export interface OpenMockDeps {
  readonly nowMs: () => number;
  readonly newId: () => string;
}

/** Our own streams, for a client that runs us as its server. */
export interface MockStreams {
  readonly stdin: Readable;
  readonly stdout: Writable;
}

/** Clients that are being answered. */
export interface OpenMock {
  /** Where they connect, if there is an address. */
  readonly url: string | undefined;
  /** Where we listen ourselves. */
  readonly listener: HttpListener | undefined;
  /** Resolves when the only client that there can be has left; of a listener never. */
  readonly left: Promise<void>;
  /** Answers nobody any more. */
  close(): Promise<void>;
}

/** Answers the client at our own stdin and stdout. */
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

/** Answers clients that connect. */
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

/** What fronts tell beside what clients say is of no interest here: nothing of it is recorded. */
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
