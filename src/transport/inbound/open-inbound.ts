import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { DEFAULT_MAX_MESSAGE_BYTES } from '../bounded-lines.ts';
import { flushed } from '../flushed.ts';
import { BodyBudget } from '../http/body-budget.ts';
import { type HttpListener, type ListenOptions, openListener } from '../http/http-listener.ts';
import { endsWithin } from '../time-limit.ts';
import { ConversationLimit } from './conversation-limit.ts';
import type { InboundEvents, InboundTransport } from './inbound-transport.ts';
import { SSE_PATH, SseInbound } from './sse-inbound.ts';
import { openStdioInbound } from './stdio-inbound.ts';
import { STREAMABLE_PATH, StreamableInbound } from './streamable-inbound.ts';

/** How long a client on mcpreel's own stdout has to read the remaining output. */
const LAST_WORDS_MS = 1000;

/** mcpreel's own stdin and stdout, for a client that runs mcpreel as its server. */
export interface OwnStreams {
  readonly stdin: Readable;
  readonly stdout: Writable;
}

/** How clients reach mcpreel: over its own streams, or over a listener. */
export interface OpenInbound {
  /** The address for clients, if there is one. */
  readonly url: string | undefined;
  readonly listener: HttpListener | undefined;
  /** Whether there is only one client, whose session ends with its server. */
  readonly isLone: boolean;
  /** Starts accepting clients. */
  begin(events: InboundEvents): void;
  /** Ends all client dialogues. */
  leave(): void;
  /** Stops accepting clients. */
  close(): Promise<void>;
}

export function openStreams(
  { stdin, stdout }: OwnStreams,
  maxMessageBytes: number = DEFAULT_MAX_MESSAGE_BYTES,
): OpenInbound {
  let inbound: InboundTransport | undefined;
  return {
    url: undefined,
    listener: undefined,
    isLone: true,
    begin(events) {
      inbound = openStdioInbound({ stdin, stdout, maxMessageBytes, events });
    },
    leave: () => inbound?.close(),
    close: async () => void (await endsWithin(flushed(stdout), LAST_WORDS_MS)),
  };
}

/** Opens a listener. Clients must be accepted in the same turn. */
export async function openHttpInbound(
  listen: ListenOptions,
  /** With `note`, all clients together are limited, and the user is told when they reach the limit. */
  deps: {
    readonly nowMs: () => number;
    readonly newId: () => string;
    readonly note?: (line: string) => void;
    /** Called with each error of the listener. */
    readonly onError?: (error: Error) => void;
  },
  maxMessageBytes: number = DEFAULT_MAX_MESSAGE_BYTES,
): Promise<OpenInbound> {
  const isSse = listen.transport === 'sse';
  let inbound: SseInbound | StreamableInbound | undefined;
  const onRequest = (request: IncomingMessage, response: ServerResponse, path: string): void =>
    inbound?.take(request, response, path);
  const listener = await openListener({ ...listen, onRequest, onError: deps.onError });
  return {
    url: listener.origin + (isSse ? SSE_PATH : STREAMABLE_PATH),
    listener,
    isLone: false,
    begin(events) {
      const { nowMs, newId, note } = deps;
      const options = {
        events,
        nowMs,
        newId,
        maxMessageBytes,
        token: listen.token,
        bodies: note && new BodyBudget(note, listen.maxWaitingBytes),
        conversations: note && new ConversationLimit(note, listen.maxConversations),
      };
      inbound = isSse ? new SseInbound(options) : new StreamableInbound(options);
    },
    leave: () => inbound?.close(),
    close: () => listener.close(),
  };
}
