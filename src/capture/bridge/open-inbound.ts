import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Bridge } from '../../proxy/bridge/bridge.ts';
import { DEFAULT_MAX_MESSAGE_BYTES } from '../../transport/bounded-lines.ts';
import { flushed } from '../../transport/flushed.ts';
import { type HttpListener, type ListenOptions, openListener } from '../../transport/http/http-listener.ts';
import type { InboundOptions } from '../../transport/inbound/inbound-exchange.ts';
import type { InboundEvents, InboundTransport } from '../../transport/inbound/inbound-transport.ts';
import { SSE_PATH, SseInbound } from '../../transport/inbound/sse-inbound.ts';
import { openStdioInbound } from '../../transport/inbound/stdio-inbound.ts';
import { STREAMABLE_PATH, StreamableInbound } from '../../transport/inbound/streamable-inbound.ts';
import { endsWithin } from '../../transport/time-limit.ts';
import type { BridgeCaptureOptions, ListenerDeps, StdioDeps } from '../capture-options.ts';
import type { BridgeRecorder } from './bridge-recorder.ts';

/** How long a client on mcpreel's own stdout has to read the remaining output. */
const LAST_WORDS_MS = 1000;

export interface InboundUse {
  readonly bridge: Bridge;
  readonly recorder: BridgeRecorder;
  /** Called when the only possible client has left. */
  readonly onLeft: () => void;
}

/** The client-facing side of a running bridge. */
export interface OpenInbound {
  /** The address for clients, if there is one. */
  readonly url: string | undefined;
  /** mcpreel's own listener. */
  readonly listener: HttpListener | undefined;
  /** Whether there is only one client, whose session ends with its server. */
  readonly isLone: boolean;
  /** Starts accepting clients. */
  begin(use: InboundUse): void;
  /** Ends all client dialogues. */
  leave(): void;
  /** Stops accepting clients. */
  close(): Promise<void>;
}

type InboundDeps = Pick<ListenerDeps, 'nowMs' | 'newId'> & Pick<StdioDeps, 'stdin' | 'stdout' | 'closeStdout'>;

/** Opens the client-facing side of a bridge. */
export async function openInbound(options: BridgeCaptureOptions, deps: InboundDeps): Promise<OpenInbound> {
  const { listen, maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES } = options;
  if (listen.transport === 'stdio') return ownStreams(maxMessageBytes, deps);
  return listening(listen, maxMessageBytes, deps);
}

function ownStreams(maxMessageBytes: number, { stdin, stdout, closeStdout }: InboundDeps): OpenInbound {
  let inbound: InboundTransport | undefined;
  return {
    url: undefined,
    listener: undefined,
    isLone: true,
    begin({ bridge, recorder, onLeft }) {
      const events = inboundEvents(bridge, recorder, onLeft);
      inbound = openStdioInbound({ stdin, stdout, maxMessageBytes, events });
    },
    leave: () => inbound?.close(),
    async close() {
      await endsWithin(flushed(stdout), LAST_WORDS_MS);
      closeStdout();
    },
  };
}

async function listening(listen: ListenOptions, maxMessageBytes: number, deps: InboundDeps): Promise<OpenInbound> {
  const isSse = listen.transport === 'sse';
  let inbound: SseInbound | StreamableInbound | undefined;
  const onRequest = (request: IncomingMessage, response: ServerResponse, path: string): void =>
    inbound?.take(request, response, path);
  const listener = await openListener({ ...listen, onRequest });
  return {
    url: listener.origin + (isSse ? SSE_PATH : STREAMABLE_PATH),
    listener,
    isLone: false,
    begin({ bridge, recorder }) {
      const { nowMs, newId } = deps;
      const events = inboundEvents(bridge, recorder, () => undefined);
      const options: InboundOptions = { events, nowMs, newId, maxMessageBytes, token: listen.token };
      inbound = isSse ? new SseInbound(options) : new StreamableInbound(options);
    },
    leave: () => inbound?.close(),
    close: () => listener.close(),
  };
}

/** Connects the clients of an inbound transport with the bridge, and records what they receive. */
export function inboundEvents(bridge: Bridge, recorder: BridgeRecorder, onLeft: () => void): InboundEvents {
  return {
    onDialogue(dialogue) {
      const joined = bridge.join(dialogue);
      return {
        ...joined,
        onEnd() {
          joined.onEnd();
          onLeft();
        },
      };
    },
    onReported: (...reported) => recorder.onReported(...reported),
    onReportedAsBatch: (...reported) => recorder.onReportedAsBatch(...reported),
    onEndpoint: (...endpoint) => recorder.onEndpoint(...endpoint),
    onUndelivered: (...message) => recorder.onUndelivered(...message),
    onStrayLine: (line) => recorder.onStrayLine(line),
    nextExchange: () => recorder.nextExchange(),
    onExchange: (exchange) => recorder.onExchange(exchange),
  };
}
