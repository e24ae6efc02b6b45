import { fileURLToPath } from 'node:url';
import { Client as V2Client } from '@modelcontextprotocol/client';
import { StdioClientTransport as V2Stdio } from '@modelcontextprotocol/client/stdio';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as V1Stdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { onTestFinished, vi } from 'vitest';
import type { ClientTransport } from '../../src/index.ts';
import { Place } from '../support/place.ts';
import { type HttpTransport, v1Transport, v2Transport } from '../support/sdk-transports.ts';

/** The server file with the tools `stock` and `order`. */
export const SHOP: string = fileURLToPath(new URL('../servers/shop.mjs', import.meta.url));

/** The command of the server's first version, or of its second, which counts differently and lacks a tool. */
export function shop(version: 1 | 2): string[] {
  return [process.execPath, SHOP, String(version)];
}

/** An empty folder that is also this process's state folder during the test. */
export function ownPlace(): Place {
  const place = new Place();
  vi.stubEnv('MCPREEL_HOME', place.home);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  return place;
}

/** How a client connects: over a transport, or to a command or a URL. */
export type ConnectionWay =
  | { readonly transport: ClientTransport }
  | { readonly command: string; readonly args: string[] }
  | { readonly url: string; readonly kind: HttpTransport };

/** The part of a connected client that these tests use. */
export interface ShopClient {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

const about = { name: 'test-client', version: '1.0.0' };

/** Clients of both SDK versions, with the same behavior here. */
export const clients: readonly (readonly [string, (way: ConnectionWay) => Promise<ShopClient>])[] = [
  ['SDK v1', connectV1],
  ['SDK v2', connectV2],
];

export async function connectV1(way: ConnectionWay): Promise<ShopClient> {
  const client = new V1Client(about);
  if ('transport' in way) await client.connect(way.transport);
  else if ('url' in way) {
    await client.connect(v1Transport({ url: way.url, transport: way.kind }).transport);
  } else await client.connect(new V1Stdio(way));
  return client;
}

async function connectV2(way: ConnectionWay): Promise<ShopClient> {
  const client = new V2Client(about);
  if ('transport' in way) await client.connect(way.transport);
  else if ('url' in way) {
    await client.connect(v2Transport({ url: way.url, transport: way.kind }).transport);
  } else await client.connect(new V2Stdio(way));
  return client;
}

/** Sends the same requests to any server and disconnects; returns the response about pears. */
export async function goShopping(client: ShopClient): Promise<string> {
  await client.listTools();
  const reported = await client.callTool({ name: 'stock', arguments: { item: 'pear' } });
  await client.close();
  return (reported as { content: readonly { text: string }[] }).content[0]?.text ?? '';
}
