import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { openStreamableLink } from '../../src/transport/outbound/streamable-link.ts';
import { linkTo } from '../support/http-links.ts';
import { initialize, initialized, notification, request } from '../support/link-witness.ts';
import { type RawHttpServer, type RawRequest, rawHttpServer } from '../support/raw-http-server.ts';
import { JSON_TYPE, SSE_TYPE, sessionServer } from './streamable-server.ts';

interface Forgetful extends RawHttpServer {
  /** Ends all sessions so far. */
  forget(): void;
  /** Methods and session ids of the accepted messages. */
  readonly accepted: string[];
}

const TOOLS = [
  { name: 'read', annotations: { readOnlyHint: true } },
  { name: 'put', annotations: { idempotentHint: true } },
  { name: 'append', annotations: { readOnlyHint: false } },
  { name: 'plain' },
];

/** A server that answers 404 to messages of an ended session. */
async function forgetfulServer(refusesAgain = false, lost = 'no such session'): Promise<Forgetful> {
  let sessions = 0;
  const accepted: string[] = [];
  const take = ({ method: verb, headers, body }: RawRequest, response: ServerResponse): void => {
    if (verb !== 'POST') {
      response.writeHead(verb === 'DELETE' ? 200 : 405).end();
      return;
    }
    const { id, method } = JSON.parse(body) as { id?: unknown; method: string };
    const opens = method === 'initialize' && !(refusesAgain && sessions > 0);
    if (opens) sessions++;
    const current = `session-${sessions}`;
    if (method !== 'initialize' && headers['mcp-session-id'] !== current) {
      response.writeHead(404, JSON_TYPE).end(lost);
      return;
    }
    accepted.push(`${method} in ${current}`);
    if (id === undefined) response.writeHead(202).end();
    else if (method === 'initialize' && !opens) response.writeHead(503).end();
    else {
      const result = method === 'initialize' ? { protocolVersion: '2025-11-25' } : { tools: TOOLS };
      response.writeHead(200, { ...JSON_TYPE, 'Mcp-Session-Id': current });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    }
  };
  const server = await rawHttpServer(take);
  return { ...server, accepted, forget: () => void sessions++ };
}

async function begun(server: Forgetful): Promise<ReturnType<typeof linkTo>> {
  const linked = linkTo(openStreamableLink, server.url);
  linked.link.send(initialize(0));
  linked.link.send(initialized);
  linked.link.send(request(1, 'tools/list'));
  await linked.witness.answerTo(1);
  return linked;
}

describe('a session that the server has ended', () => {
  it.each([
    ['tools/list', {}],
    ['tools/call', { name: 'read' }],
    ['tools/call', { name: 'put' }],
  ])('starts an ended session again, and sends %s %o again', async (method, params) => {
    const server = await forgetfulServer();
    const { link, witness } = await begun(server);
    server.forget();
    server.accepted.length = 0;
    link.send(request(2, method, params));
    expect(JSON.parse((await witness.answerTo(2)).text)).toHaveProperty('result');
    expect(server.accepted).toEqual([
      'initialize in session-3',
      'notifications/initialized in session-3',
      `${method} in session-3`,
    ]);
    // The client asked to initialize once, and gets one answer.
    expect(witness.messages.map(({ text }) => (JSON.parse(text) as { id: unknown }).id)).toEqual([0, 1, 2]);
  });

  it.each([
    ['tools/call', { name: 'append' }, 'the tool "append" is not marked as idempotent or read-only'],
    ['tools/call', { name: 'plain' }, 'the tool "plain" is not marked'],
    ['tools/call', { name: 'unlisted' }, 'the tool "unlisted" is not marked'],
    ['vendor/transfer', {}, 'vendor/transfer may not be idempotent'],
  ])('starts an ended session again, but does not send %s %o again', async (method, params, why) => {
    const server = await forgetfulServer();
    const { link, witness } = await begun(server);
    server.forget();
    link.send(request(2, method, params));
    const { error } = JSON.parse((await witness.answerTo(2)).text);
    expect(error).toMatchObject({ code: -32001, data: { httpStatus: 404 } });
    expect(error.message).toContain(`was not sent again, because ${why}`);
    expect(server.accepted.filter((sent) => sent.startsWith(method))).toEqual([]);
    // The next request uses the new session.
    link.send(request(3, method, params));
    expect(JSON.parse((await witness.answerTo(3)).text)).toHaveProperty('result');
  });

  it('starts a session once for several requests that miss it', async () => {
    const server = await forgetfulServer();
    const { link, witness } = await begun(server);
    server.forget();
    for (const id of [2, 3, 4]) link.send(request(id, 'tools/list'));
    for (const id of [2, 3, 4]) {
      expect(JSON.parse((await witness.answerTo(id)).text)).toHaveProperty('result');
    }
    expect(server.accepted.filter((sent) => sent === 'initialize in session-3')).toHaveLength(1);
  });

  it.each([null, 2])('starts a session again if the body of the 404 is an error with the id %s', async (id) => {
    const lost = JSON.stringify({ jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id });
    const server = await forgetfulServer(false, lost);
    const { link, witness } = await begun(server);
    server.forget();
    link.send(request(2, 'tools/list'));
    expect(JSON.parse((await witness.answerTo(2)).text)).toHaveProperty('result');
    expect(server.accepted).toContain('initialize in session-3');
  });

  it('fails the request if no session can be started', async () => {
    const server = await forgetfulServer(true);
    const { link, witness } = await begun(server);
    server.forget();
    link.send(request(2, 'tools/list'));
    const { error } = JSON.parse((await witness.answerTo(2)).text);
    expect(error).toMatchObject({ code: -32001, data: { httpStatus: 404 } });
  });
});

it('settles a cancelled request without resuming its stream and without an invented error', async () => {
  let cut: () => void = () => undefined;
  const { url, requests } = await sessionServer((requested, response) => {
    if (requested.method === 'GET') response.writeHead(200, SSE_TYPE).end();
    else if (requested.body.includes('ping'))
      response.writeHead(200, JSON_TYPE).end('{"jsonrpc":"2.0","id":9,"result":{}}');
    else {
      response.writeHead(200, SSE_TYPE).write('id: 1\nretry: 0\ndata:\n\n');
      cut = () => response.end();
    }
  });
  const { link, witness } = linkTo(openStreamableLink, url);
  link.send(initialize(0));
  link.send(request(1, 'tools/call', { name: 'slow' }));
  await expect.poll(() => requests.some(({ body }) => body.includes('slow'))).toBe(true);
  link.send(notification('notifications/cancelled', { requestId: 1 }));
  await witness.exchange(({ status }) => status === 202);
  cut();
  await witness.exchange(({ bytes }) => bytes.response > 0 && bytes.response < 30);
  link.send(request(9, 'ping'));
  await witness.answerTo(9);
  expect(requests.filter(({ method }) => method === 'GET')).toEqual([]);
  expect(witness.messages.filter(({ text }) => text.includes('"id":1'))).toEqual([]);
});
