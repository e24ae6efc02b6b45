import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Bridge } from '../../proxy/bridge/bridge.ts';
import { flushed } from '../../transport/flushed.ts';
import { type HttpListener, openListener } from '../../transport/http/http-listener.ts';
import type { InboundOptions } from '../../transport/inbound/inbound-exchange.ts';
import type { InboundTransport, InboundEvents } from '../../transport/inbound/inbound-transport.ts';
import { SSE_PATH, SseInbound } from '../../transport/inbound/sse-inbound.ts';
import { openStdioFront } from '../../transport/inbound/stdio-inbound.ts';
import { STREAMABLE_PATH, StreamableInbound } from '../../transport/inbound/streamable-inbound.ts';
import { endsWithin } from '../../transport/time-limit.ts';
import {
  type BridgeCaptureOptions,
  DEFAULT_MAX_MESSAGE_BYTES,
  type ListenerSurroundings,
  type ListenOptions,
  type StdioSurroundings,
} from '../capture-options.ts';
import type { BridgeRecorder } from './bridge-recorder.ts';

/** What a client on our own streams gets to take the rest of what was said. */
const LAST_WORDS_MS = 1000;

export interface InboundUse {
  readonly bridge: Bridge;
  readonly recorder: BridgeRecorder;
  /** Told when the only client that there can be has left. */
  readonly onLeft: () => void;
}

/** Where clients come in. */
export interface OpenInbound {
  /** Where they connect, if there is an address. */
  readonly url: string | undefined;
  /** Where we listen ourselves. */
  readonly listener: HttpListener | undefined;
  /** Whether there is one client only, who leaves when its server ends. */
  readonly isLone: boolean;
  /** Lets them in. */
  begin(use: InboundUse): void;
  /** Ends what they have begun. */
  leave(): void;
  /** Lets nobody in any more. */
  close(): Promise<void>;
}

type InboundDeps = Pick<ListenerSurroundings, 'nowMs' | 'newId'> &
  Pick<StdioSurroundings, 'stdin' | 'stdout' | 'closeStdout'>;

/** Opens the side of a bridge that clients talk to. */
export async function openFront(options: BridgeCaptureOptions, around: InboundDeps): Promise<OpenInbound> {
  const { listen, maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES } = options;
  if (listen.transport === 'stdio') return ownStreams(maxMessageBytes, around);
  return listening(listen, maxMessageBytes, around);
}

function ownStreams(maxMessageBytes: number, { stdin, stdout, closeStdout }: InboundDeps): OpenInbound {
  let front: InboundTransport | undefined;
  return {
    url: undefined,
    listener: undefined,
    isLone: true,
    begin({ bridge, recorder, onLeft }) {
      const events = frontEvents(bridge, recorder, onLeft);
      front = openStdioFront({ stdin, stdout, maxMessageBytes, events });
    },
    leave: () => front?.close(),
    async close() {
      await endsWithin(flushed(stdout), LAST_WORDS_MS);
      closeStdout();
    },
  };
}

async function listening(listen: ListenOptions, maxMessageBytes: number, around: InboundDeps): Promise<OpenInbound> {
  const isSse = listen.transport === 'sse';
  let front: SseInbound | StreamableInbound | undefined;
  const onRequest = (request: IncomingMessage, response: ServerResponse, path: string): void =>
    front?.take(request, response, path);
  const listener = await openListener({ ...listen, onRequest });
  return {
    url: listener.origin + (isSse ? SSE_PATH : STREAMABLE_PATH),
    listener,
    isLone: false,
    begin({ bridge, recorder }) {
      const { nowMs, newId } = around;
      const events = frontEvents(bridge, recorder, () => undefined);
      const options: InboundOptions = { events, nowMs, newId, maxMessageBytes, token: listen.token };
      front = isSse ? new SseInbound(options) : new StreamableInbound(options);
    },
    leave: () => front?.close(),
    close: () => listener.close(),
  };
}

/** Joins what clients of a front say with a target, and has what they are told recorded. */
export function frontEvents(bridge: Bridge, recorder: BridgeRecorder, onLeft: () => void): InboundEvents {
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
    onTold: (...told) => recorder.onTold(...told),
    onToldAsBatch: (...told) => recorder.onToldAsBatch(...told),
    onEndpoint: (...endpoint) => recorder.onEndpoint(...endpoint),
    onUndelivered: (...message) => recorder.onUndelivered(...message),
    onStrayLine: (line) => recorder.onStrayLine(line),
    nextExchange: () => recorder.nextExchange(),
    onExchange: (exchange) => recorder.onExchange(exchange),
  };
}
