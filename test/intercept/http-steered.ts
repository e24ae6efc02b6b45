import { RawPeer } from '../http/raw-peers.ts';
import { type HttpProxy, startProxy } from '../support/http-proxy.ts';
import { Place } from '../support/place.ts';
import { Screen } from './screen.ts';

/** A running mcpreel in front of an HTTP target, with a control client. */
export interface SteeredHttp {
  readonly proxy: HttpProxy;
  readonly screen: Screen;
  /** Posts a body and waits for the response. */
  readonly post: (body: string | Uint8Array, headers?: Readonly<Record<string, string>>) => Promise<Response>;
  /** Opens a connection whose bytes the test reads and writes. */
  readonly connect: () => Promise<RawPeer>;
}

/** Starts mcpreel; messages that match the filter are held from the start. */
export async function steerHttp(
  target: string,
  filter: string | undefined,
  flags: readonly string[] = [],
): Promise<SteeredHttp> {
  const place = new Place();
  const proxy = await startProxy(place, ['--target-url', target, ...flags], null);
  const screen = await Screen.open(place);
  if (filter !== undefined) await screen.hold(filter);
  const sent = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  return {
    proxy,
    screen,
    post: (body, headers = {}) => fetch(proxy.url, { method: 'POST', body, headers: { ...sent, ...headers } }),
    connect: () => RawPeer.to(proxy.url),
  };
}

export const ping = (id: number, more = ''): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"${more}}`;
export const pong = (id: number, more = ''): string => `{"jsonrpc":"2.0","id":${id},"result":{${more}}}`;
export const note = (name: string): string => `{"jsonrpc":"2.0","method":"notifications/${name}"}`;
