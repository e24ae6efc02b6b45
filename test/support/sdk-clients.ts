import { Client as V2Client, type ClientOptions as V2Options } from '@modelcontextprotocol/client';
import { StdioClientTransport as V2Transport } from '@modelcontextprotocol/client/stdio';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CreateMessageRequestSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { MCPREEL } from './mcpreel-process.ts';
import type { Place } from './place.ts';
import { type Tap, tap } from './tap.ts';

/** A client of either SDK, as far as the conversations need one. */
export interface Peer {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  listResources(): Promise<unknown>;
  listResourceTemplates(): Promise<unknown>;
  listPrompts(): Promise<unknown>;
  readResource(params: { uri: string }): Promise<unknown>;
  close(): Promise<void>;
}

/** A client that has shaken hands with its server. */
export interface Connected {
  readonly client: Peer;
  readonly call: (name: string, args: Record<string, unknown>, onprogress?: () => void) => Promise<unknown>;
  readonly noted: Tap;
  readonly stderr: () => string;
}

/** What a client runs, and what it has to offer itself. */
export interface Offer {
  readonly args: readonly string[];
  readonly place: Place;
  readonly rootUri?: string;
}

/** Connects a client to mcpreel with these arguments. */
export type Connect = (offer: Offer) => Promise<Connected>;

const about = { name: 'test-client', version: '1.0.0' };
const options = { capabilities: { roots: { listChanged: true }, sampling: {} } };
const sample = { role: 'assistant', model: 'none', content: { type: 'text', text: 'Hello.' } } as const;

export const connectV1: Connect = async (offer) => {
  const client = new V1Client(about, options);
  client.setRequestHandler(ListRootsRequestSchema, () => rootsOf(offer));
  client.setRequestHandler(CreateMessageRequestSchema, () => sample);
  const transport = new V1Transport(commandOf(offer));
  const stderr = textOf(transport.stderr);
  const noted = tap(transport);
  await client.connect(transport);
  const call: Connected['call'] = (name, args, onprogress) =>
    client.callTool({ name, arguments: args }, undefined, onprogress && { onprogress });
  return { client, call, noted, stderr };
};

export const connectV2: Connect = (offer) => connectV2As(offer, {});

/** Asks the server in a process of its own which revisions it speaks, and then starts it again to talk with it. */
export const connectV2Auto: Connect = (offer) => connectV2As(offer, { versionNegotiation: { mode: 'auto' } });

async function connectV2As(offer: Offer, more: V2Options): Promise<Connected> {
  const client = new V2Client(about, { ...options, ...more });
  client.setRequestHandler('roots/list', () => rootsOf(offer));
  client.setRequestHandler('sampling/createMessage', () => sample);
  const transport = new V2Transport(commandOf(offer));
  const stderr = textOf(transport.stderr);
  const noted = tap(transport);
  await client.connect(transport);
  const call: Connected['call'] = (name, args, onprogress) =>
    client.callTool({ name, arguments: args }, onprogress && { onprogress });
  return { client, call, noted, stderr };
}

function rootsOf({ rootUri = 'file:///tmp/é' }: Offer): { roots: { uri: string; name: string }[] } {
  return { roots: [{ uri: rootUri, name: 'a root' }] };
}

function commandOf({ args, place }: Offer): {
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
