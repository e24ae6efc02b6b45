import type { ServerResponse } from 'node:http';
import { type RawRequest, rawHttpServer } from '../support/raw-http-server.ts';

export const JSON_TYPE = { 'Content-Type': 'application/json' };
export const SSE_TYPE = { 'Content-Type': 'text/event-stream' };

export function idOf({ body }: RawRequest): number | string {
  return (JSON.parse(body) as { id: number | string }).id;
}

export function result(id: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: {} });
}

/** Answers `initialize` with a session id and accepts notifications; the test handles everything else. */
export function sessionServer(
  answer: (request: RawRequest, response: ServerResponse) => void,
): ReturnType<typeof rawHttpServer> {
  return rawHttpServer((requested, response) => {
    const { method = '', id = undefined } =
      requested.body === '' ? {} : (JSON.parse(requested.body) as Record<string, string>);
    if (method === 'initialize') {
      const answered = { jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25' } };
      response.writeHead(200, { ...JSON_TYPE, 'Mcp-Session-Id': 'the-session' }).end(JSON.stringify(answered));
    } else if (requested.method === 'POST' && id === undefined) response.writeHead(202).end();
    else if (requested.method === 'DELETE') response.writeHead(200).end();
    else if (requested.method === 'GET' && requested.headers['last-event-id'] === undefined)
      response.writeHead(405).end();
    else answer(requested, response);
  });
}
