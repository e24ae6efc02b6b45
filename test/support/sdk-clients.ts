import { Client as V2Client, type ClientOptions as V2Options } from '@modelcontextprotocol/client';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { v1Transport, v2Transport, type Way } from './sdk-transports.ts';
import { type Tap, tap } from './tap.ts';

/** The part of an SDK client that the conversations use, for either SDK. */
export interface Peer {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  listResources(): Promise<unknown>;
  listResourceTemplates(): Promise<unknown>;
  listPrompts(): Promise<unknown>;
  readResource(params: { uri: string }): Promise<unknown>;
  subscribeResource(params: { uri: string }): Promise<unknown>;
  unsubscribeResource(params: { uri: string }): Promise<unknown>;
  setLoggingLevel(level: 'debug'): Promise<unknown>;
  sendRootsListChanged(): Promise<void>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly onprogress?: () => void;
  readonly signal?: AbortSignal;
}

/** A client that has completed its handshake. */
export interface Connected {
  readonly client: Peer;
  readonly call: (name: string, args: Record<string, unknown>, options?: CallOptions) => Promise<unknown>;
  /** Sends any request, and returns its result unvalidated. */
  readonly request: (method: string, params: Record<string, unknown>) => Promise<Record<string, unknown>>;
  readonly noted: Tap;
  readonly stderr: () => string;
  /** Ends the session on the server if the transport can, and then closes the client. */
  readonly leave: () => Promise<void>;
}

/** An SDK v2 client, which can also subscribe to changes on the server. */
export interface ConnectedV2 extends Connected {
  readonly listen: (filter: { toolsListChanged: boolean }) => Promise<{ close(): Promise<void> }>;
}

/** How a client connects to its server, and its capabilities. */
export type Offer = Way & {
  readonly rootUri?: string;
  /** Whether it declares roots (default: true). */
  readonly roots?: boolean;
};

/** Connects a client to a server through mcpreel. */
export type Connect = (offer: Offer) => Promise<Connected>;

const about = { name: 'test-client', version: '1.0.0' };
const sample = { role: 'assistant', model: 'none', content: { type: 'text', text: 'Hello.' } } as const;
const filledIn = { action: 'accept', content: { name: 'Zoë', check: true } } as const;
const anything = z.looseObject({});

export const connectV1: Connect = async (offer) => {
  const client = new V1Client(about, optionsOf(offer));
  if (offer.roots !== false) client.setRequestHandler(ListRootsRequestSchema, () => rootsOf(offer));
  client.setRequestHandler(CreateMessageRequestSchema, () => sample);
  client.setRequestHandler(ElicitRequestSchema, () => filledIn);
  const { transport, stderr, terminate } = v1Transport(offer);
  const noted = tap(transport);
  await client.connect(transport);
  return {
    client,
    call: (name, args, more) => client.callTool({ name, arguments: args }, undefined, more),
    request: (method, params) => client.request({ method, params }, anything),
    noted,
    stderr,
    leave: () => terminate().then(() => client.close()),
  };
};

export const connectV2: Connect = (offer) => connectV2As(offer, {});

/** First asks which revisions the server supports; a stdio server is started twice for this. */
export const connectV2Auto: Connect = (offer) => connectV2As(offer, { versionNegotiation: { mode: 'auto' } });

/** Supports only the newest revision. */
export const connectV2Modern = (offer: Offer): Promise<ConnectedV2> =>
  connectV2As(offer, { versionNegotiation: { mode: { pin: '2026-07-28' } } });

async function connectV2As(offer: Offer, more: V2Options): Promise<ConnectedV2> {
  const client = new V2Client(about, { ...optionsOf(offer), ...more });
  if (offer.roots !== false) client.setRequestHandler('roots/list', () => rootsOf(offer));
  client.setRequestHandler('sampling/createMessage', () => sample);
  client.setRequestHandler('elicitation/create', () => filledIn);
  const { transport, stderr, terminate } = v2Transport(offer);
  const noted = tap(transport);
  await client.connect(transport);
  return {
    client,
    call: (name, args, callOptions) => client.callTool({ name, arguments: args }, callOptions),
    request: (method, params) => client.request({ method, params }, anything),
    listen: (filter) => client.listen(filter),
    noted,
    stderr,
    leave: () => terminate().then(() => client.close()),
  };
}

function optionsOf({ roots = true }: Offer): { capabilities: { sampling: Nothing; elicitation: Nothing } } {
  return { capabilities: { ...(roots && { roots: { listChanged: true } }), sampling: {}, elicitation: {} } };
}

type Nothing = Record<string, never>;

function rootsOf({ rootUri = 'file:///tmp/é' }: Offer): { roots: { uri: string; name: string }[] } {
  return { roots: [{ uri: rootUri, name: 'a root' }] };
}
