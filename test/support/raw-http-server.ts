import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface RawHttpServer {
  readonly url: URL;
  /** The requests, in the order in which they were complete. */
  readonly requests: readonly RawRequest[];
}

/** A server that answers with the test's handler; it is stopped after the test. */
export async function rawHttpServer(
  answer: (request: RawRequest, response: ServerResponse) => unknown,
): Promise<RawHttpServer> {
  const requests: RawRequest[] = [];
  const take = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = incoming;
    const request = { method, path: url, headers, body: await text(incoming) };
    requests.push(request);
    await answer(request, response);
  };
  // A client that disconnects before its request is complete gets no response.
  const server = createServer((incoming, response) => void take(incoming, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), requests };
}
