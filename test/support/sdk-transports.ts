import {
  SSEClientTransport as V2Sse,
  StreamableHTTPClientTransport as V2Streamable,
  type Transport as V2Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as V2Stdio } from '@modelcontextprotocol/client/stdio';
import { SSEClientTransport as V1Sse } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport as V1Stdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as V1Streamable } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as V1Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { MCPREEL } from './mcpreel-process.ts';
import type { Place } from './place.ts';

export type HttpTransport = 'streamable-http' | 'sse';

/** How a client connects to mcpreel: it starts mcpreel with these arguments, or connects to a URL. */
export type Way =
  | { readonly args: readonly string[]; readonly place: Place }
  | {
      readonly url: string;
      readonly transport: HttpTransport;
      readonly fetch?: typeof fetch;
      /** Whether it resumes a stream that ended without a response (default: true). */
      readonly resumes?: boolean;
    };

/** An SDK transport that is not connected yet, of either SDK. */
export interface WayOut<Transport> {
  readonly transport: Transport;
  readonly stderr: () => string;
  /** Ends the session on the server, if the transport supports it. */
  readonly terminate: () => Promise<void>;
}

export function v1Transport(way: Way): WayOut<V1Transport> {
  if ('args' in way) return overStdio(new V1Stdio(commandOf(way)));
  const { address, options } = addressOf(way);
  if (way.transport === 'sse') return overHttp(new V1Sse(address, options));
  const transport = new V1Streamable(address, options);
  // Its session id may be undefined, which the SDK's own interface does not allow.
  return overHttp(transport as V1Transport, () => transport.terminateSession());
}

export function v2Transport(way: Way): WayOut<V2Transport> {
  if ('args' in way) return overStdio(new V2Stdio(commandOf(way)));
  const { address, options } = addressOf(way);
  if (way.transport === 'sse') return overHttp(new V2Sse(address, options));
  const transport = new V2Streamable(address, options);
  return overHttp(transport as V2Transport, () => transport.terminateSession());
}

function overHttp<Transport>(
  transport: Transport,
  terminate = async (): Promise<void> => undefined,
): WayOut<Transport> {
  return { transport, stderr: () => '', terminate };
}

function overStdio<Transport extends { readonly stderr: NodeJS.EventEmitter | null }>(
  transport: Transport,
): WayOut<Transport> {
  return { transport, stderr: textOf(transport.stderr), terminate: async () => undefined };
}

/** The options of both SDKs; the older transport has no resumable streams. */
function addressOf({ url, fetch, resumes = true }: Extract<Way, { url: string }>): {
  address: URL;
  options: { fetch?: typeof globalThis.fetch; reconnectionOptions?: typeof NEVER_RESUMES };
} {
  const options = { ...(fetch && { fetch }), ...(!resumes && { reconnectionOptions: NEVER_RESUMES }) };
  return { address: new URL(url), options };
}

const NEVER_RESUMES = {
  maxRetries: 0,
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 1000,
  reconnectionDelayGrowFactor: 1,
};

function commandOf({ args, place }: Extract<Way, { place: Place }>): {
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  stderr: 'pipe';
} {
  return {
    command: process.execPath,
    args: [MCPREEL, ...args],
    env: place.environment(),
    cwd: place.folder,
    stderr: 'pipe',
  };
}

function textOf(stream: NodeJS.EventEmitter | null): () => string {
  let text = '';
  stream?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return () => text;
}
