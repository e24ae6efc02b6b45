import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { initialize } from '../../support/link-witness.ts';
import { inLongRuns } from '../../support/long-run.ts';
import { Place } from '../../support/place.ts';
import { rawHttpServer } from '../../support/raw-http-server.ts';
import { scriptServer } from '../../support/servers.ts';
import { HIDDEN_CALLS, HIDDEN_LINES, type HiddenCall } from './hidden-calls.ts';
import { outcomeOf, watchedSession } from './watched-session.ts';

const PING = '{"jsonrpc":"2.0","id":99,"method":"ping"}';
const JSON_TYPE = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const hasCall = (text: string): boolean => /delete(?:_|\\u005f)all/.test(text.replaceAll('\0', ''));

describe.each([true, false])('a bridge, with fail-closed %s', (failsClosed) => {
  it('applies rules to the lines of a stdio client, and answers lines that it cannot read', async () => {
    const { url, requests } = await rawHttpServer(({ body }, response) => {
      const { id } = JSON.parse(body) as { id?: number };
      response.writeHead(id === undefined ? 202 : 200, { 'Content-Type': 'application/json' });
      response.end(id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
    });
    const session = await watchedSession(
      { listen: 'stdio', target: url, targetTransport: 'streamable-http' },
      { failsClosed, forbidden: 'tool:delete_all dir:>' },
    );
    let received = '';
    session.stdout.setEncoding('utf8').on('data', (text: string) => (received += text));
    // An HTTP server reads a body as a whole, whatever its line ends are.
    const lines = [...HIDDEN_CALLS, ...HIDDEN_LINES.filter(({ isDoubted }) => isDoubted !== true)];
    for (const { bytes } of lines) session.stdin.write(Buffer.concat([bytes, Buffer.from('\n')]));
    session.stdin.write(`${PING}\n`);
    while (!received.includes('"id":99')) await once(session.stdout, 'data');
    const actions = await session.stop();
    const through = requests.filter(({ body }) => hasCall(body));
    const marked = actions.filter(({ action, as }) => action === 'unread' && as === 'forward');
    expect(through.length).toBeLessThanOrEqual(failsClosed ? 0 : marked.length);
    const errors = received
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } });
    // Each line that is not a message is answered, and so is each that was refused.
    const isNone = ({ title }: HiddenCall): boolean =>
      /UTF-16|NUL|form feed|another message|a word|comma|comment|quotes|cut off|too long|list of lists|several/.test(
        title,
      );
    expect(errors.filter(({ error }) => error?.code === -32700).length).toBeGreaterThanOrEqual(
      lines.filter(isNone).length,
    );
  });

  it.each(inLongRuns(['sse', 'streamable-http'] as const, ['streamable-http'] as const))(
    'applies rules to messages that a client sends over %s to a program',
    async (listen) => {
      const place = new Place();
      const script = `const fs = require('fs'); let rest = '';
        process.stdin.setEncoding('latin1').on('data', (text) => {
          fs.appendFileSync(${JSON.stringify(place.path('heard.txt'))}, text);
          const lines = (rest + text).split('\\n');
          rest = lines.pop();
          for (const line of lines) {
            const { id, method } = JSON.parse(line);
            if (id !== undefined && id !== null) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
          }
        });`;
      const session = await watchedSession(
        { listen, command: scriptServer(script) },
        { failsClosed, forbidden: 'tool:delete_all dir:>' },
      );
      const opened = await fetch(session.url, {
        method: listen === 'sse' ? 'GET' : 'POST',
        headers: JSON_TYPE,
        ...(listen === 'sse' ? {} : { body: initialize(0) }),
      });
      let address = session.url;
      const headers: Record<string, string> = { ...JSON_TYPE };
      if (listen === 'sse') {
        const reader = opened.body?.getReader();
        const first = Buffer.from((await reader?.read())?.value ?? []).toString();
        address = new URL(/data: (.*)/.exec(first)?.[1] ?? '', session.url).href;
        void reader
          ?.read()
          .then(function drain(read): unknown {
            return read.done ? undefined : reader.read().then(drain);
          })
          .catch(() => undefined);
      } else {
        headers['Mcp-Session-Id'] = opened.headers.get('mcp-session-id') ?? '';
        await opened.text();
      }
      const post = (body: Buffer | string): Promise<unknown> =>
        fetch(address, { method: 'POST', headers, body }).then((response) => response.text());
      for (const { bytes } of HIDDEN_CALLS) await post(bytes);
      await post(PING);
      await expect.poll(() => readFileSync(place.path('heard.txt'), 'latin1')).toContain('"id":99');
      const actions = await session.stop();
      const through = readFileSync(place.path('heard.txt'), 'latin1').split('\n').filter(hasCall);
      const marked = actions.filter(({ action, as }) => action === 'unread' && as === 'forward');
      expect(through.length).toBeLessThanOrEqual(failsClosed ? 0 : marked.length);
      expect(outcomeOf(actions, false)).toBe('ruled');
    },
  );
});
