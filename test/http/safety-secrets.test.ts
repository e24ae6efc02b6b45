import { describe, expect, it } from 'vitest';
import { eventsOf, type Json } from '../support/recordings.ts';
import type { Field } from './http-message.ts';
import { ask, Line, OK, withLength } from './oracle.ts';

const JSON_TYPE: Field = ['Content-Type', 'application/json'];
const FORM_TYPE: Field = ['Content-Type', 'application/x-www-form-urlencoded'];

/** Stops mcpreel, and returns the text of every file it wrote. */
async function leftBy(line: Line): Promise<{ text: string; exchanges: Json[] }> {
  const { trace } = await line.proxy.stop();
  const text = line.place
    .files()
    .map((name) => line.place.read(name))
    .join('\n');
  return { text, exchanges: eventsOf(trace, 'http.exchange') as Json[] };
}

describe('HTTP bodies that are not messages', () => {
  it('forwards and never records tokens, registrations, forms and pages', async () => {
    const line = await Line.open(['--session-file', 'session.json', '--redact', 'off']);
    const tokens = '{"access_token":"SECRET-1","token_type":"Bearer","refresh_token":"SECRET-2"}';
    const form = 'grant_type=authorization_code&code=SECRET-3&code_verifier=SECRET-4';
    await line.expectSame(
      withLength(ask('POST /token HTTP/1.1', [FORM_TYPE], form)),
      withLength({ start: 'HTTP/1.1 200 OK', fields: [JSON_TYPE, ['Cache-Control', 'no-store']], body: tokens }),
    );
    await line.expectSame(
      withLength(ask('POST /token HTTP/1.1', [JSON_TYPE], '{"grant_type":"refresh_token","refresh_token":"SECRET-5"}')),
      withLength({ start: 'HTTP/1.1 400 No', fields: [JSON_TYPE], body: '{"error":"invalid_grant","x":"SECRET-6"}' }),
    );
    await line.expectSame(
      withLength(ask('POST /register HTTP/1.1', [JSON_TYPE], '{"client_name":"SECRET-7"}')),
      withLength({ start: 'HTTP/1.1 201 Created', fields: [JSON_TYPE], body: '[{"client_secret":"SECRET-8"}]' }),
    );
    await line.expectSame(
      ask('GET /authorize HTTP/1.1'),
      withLength({ start: 'HTTP/1.1 200 OK', fields: [['Content-Type', 'text/html']], body: '<p>SECRET-9</p>' }),
    );
    await line.expectSame(
      withLength(ask('POST /mcp HTTP/1.1', [], 'SECRET-10')),
      withLength({
        start: 'HTTP/1.1 200 OK',
        fields: [['Content-Type', 'text/event-stream']],
        body: 'data: SECRET-11\n\n',
      }),
    );
    const { text, exchanges } = await leftBy(line);
    expect(exchanges.map(({ path, status }) => `${String(path)} ${String(status)}`)).toEqual([
      '/token 200',
      '/token 400',
      '/register 201',
      '/authorize 200',
      '/mcp 200',
    ]);
    expect(text).not.toContain('SECRET');
  });
});

describe('secrets in headers and URLs', () => {
  it('forwards secrets, and records them without their values', async () => {
    const line = await Line.open();
    const request: Field[] = [
      ['Authorization', 'Bearer SECRET-abcdef-1'],
      ['Cookie', 'session=SECRET-abcdef-2'],
      ['X-Api-Key', 'SECRET-abcdef-3'],
      ['Accept', 'application/json'],
      ['Mcp-Session-Id', 'kept-as-it-is'],
    ];
    const fields: Field[] = [['Set-Cookie', 'session=SECRET-abcdef-4; HttpOnly']];
    await line.expectSame(
      ask('GET /mcp?access_token=SECRET-abcdef-5&a=b HTTP/1.1', request),
      withLength({ start: 'HTTP/1.1 200 OK', fields, body: 'ok' }),
    );
    const { text, exchanges } = await leftBy(line);
    expect(text).not.toContain('SECRET');
    expect(exchanges).toMatchObject([
      {
        path: expect.stringMatching(/^\/mcp\?access_token=.+&a=b$/),
        requestHeaders: [
          ['Host', 'localhost'],
          ['Authorization', expect.stringMatching(/^Bearer /)],
          ['Cookie', expect.stringMatching(/^session=/)],
          ['X-Api-Key', expect.any(String)],
          ['Accept', 'application/json'],
          ['Mcp-Session-Id', 'kept-as-it-is'],
        ],
        responseHeaders: [
          ['Set-Cookie', expect.stringMatching(/^session=.*; HttpOnly$/)],
          ['Content-Length', '2'],
        ],
      },
    ]);
  });

  it('added headers replace those of the client, and their values are never recorded', async () => {
    const flags = [
      '--header',
      'Authorization: Bearer ADDED-SECRET',
      '--header',
      'X-More:  both words ',
      '--header',
      'X-Empty:',
    ];
    const line = await Line.open(flags);
    const echo = '{"jsonrpc":"2.0","id":1,"result":"ADDED-SECRET and Bearer ADDED-SECRET"}';
    const { requested, received: reported } = await line.carry(
      ask('GET /mcp HTTP/1.1', [
        ['authorization', 'Bearer theirs'],
        ['X-Kept', 'a'],
        ['x-more', 'theirs'],
      ]),
      withLength({ start: 'HTTP/1.1 200 OK', fields: [JSON_TYPE], body: echo }),
    );
    expect(requested.fields).toEqual([
      ['Host', line.server.host],
      ['X-Kept', 'a'],
      ['Authorization', 'Bearer ADDED-SECRET'],
      ['X-More', 'both words'],
      ['X-Empty', ''],
      ['Connection', 'keep-alive'],
    ]);
    expect(reported.body.toString()).toBe(echo);
    const { text } = await leftBy(line);
    expect(text).not.toContain('ADDED-SECRET');
    expect(text).not.toContain('both words');
    expect(text).not.toContain('X-Empty');
  });

  it('an added Host header replaces the existing one', async () => {
    const line = await Line.open(['--header', 'Host: other.example']);
    const { requested } = await line.carry(ask('GET /mcp HTTP/1.1'), OK);
    expect(requested.fields).toEqual([
      ['Host', 'other.example'],
      ['Connection', 'keep-alive'],
    ]);
  });
});

describe('the Host header', () => {
  it('keeps the Host header of the client with --keep-host', async () => {
    const kept = await Line.open(['--keep-host']);
    const { requested } = await kept.carry(ask('GET /mcp HTTP/1.1'), OK);
    expect(requested.fields[0]).toEqual(['Host', 'localhost']);
  });
});
