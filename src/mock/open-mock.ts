import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { DEFAULT_MAX_MESSAGE_BYTES, type ListenOptions } from '../capture/capture-options.ts';
import { flushed } from '../transport/flushed.ts';
import { type HttpListener, openListener } from '../transport/http/http-listener.ts';
import type { InboundEvents } from '../transport/inbound/inbound-transport.ts';
import { SSE_PATH, SseInbound } from '../transport/inbound/sse-inbound.ts';
import { openStdioFront } from '../transport/inbound/stdio-inbound.ts';
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
export function mockOnStreams(play: MockServer, { stdin, stdout }: MockStreams): OpenMock {
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const events = eventsOf(play, leave);
  const front = openStdioFront({ stdin, stdout, maxMessageBytes: DEFAULT_MAX_MESSAGE_BYTES, events });
  return {
    url: undefined,
    listener: undefined,
    left,
    async close() {
      front.close();
      await endsWithin(flushed(stdout), LAST_WORDS_MS);
    },
  };
}

/** Answers clients that connect. */
export async function mockOnListener(play: MockServer, listen: ListenOptions, around: OpenMockDeps): Promise<OpenMock> {
  const { token, transport } = listen;
  const events = eventsOf(play, () => undefined);
  const options = { events, ...around, maxMessageBytes: DEFAULT_MAX_MESSAGE_BYTES, token };
  const front = transport === 'sse' ? new SseInbound(options) : new StreamableInbound(options);
  const onRequest = (request: IncomingMessage, response: ServerResponse, path: string): void =>
    front.take(request, response, path);
  const listener = await openListener({ ...listen, onRequest });
  return {
    url: listener.origin + (transport === 'sse' ? SSE_PATH : STREAMABLE_PATH),
    listener,
    left: new Promise(() => undefined),
    async close() {
      front.close();
      await listener.close();
    },
  };
}

/** What fronts tell beside what clients say is of no interest here: nothing of it is recorded. */
export function eventsOf(play: MockServer, onLeft: () => void): InboundEvents {
  let exchanges = 0;
  return {
    onDialogue: (dialogue) => play.join(dialogue, onLeft),
    onTold: () => undefined,
    onToldAsBatch: () => undefined,
    onEndpoint: () => undefined,
    onUndelivered: () => undefined,
    onStrayLine: () => undefined,
    nextExchange: () => ++exchanges,
    onExchange: () => undefined,
  };
}
