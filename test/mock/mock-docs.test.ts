import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { splitCommandLine } from '../../src/model/command-line.ts';
import { Place } from '../support/place.ts';
import { jsonLines, readSessionFile } from '../support/recordings.ts';
import { sessionText } from '../support/session-texts.ts';

const page = readFileSync(new URL('../../docs/mock.md', import.meta.url), 'utf8');

/** The code blocks of one language in the page. */
function blocks(language: string): string[] {
  return [...page.matchAll(/^```([\w-]*)\n(.*?)^```$/gms)]
    .filter(([, tag]) => tag === language)
    .map(([, , code = '']) => code);
}

const session = sessionText([
  { payload: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}' },
  { payload: '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}', from: '<', more: '"correlated_id":"msg-001"' },
]);

const call = (b: number): string =>
  `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":${b}}}}`;

/** A server program that answers every request. */
const PROGRAM = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  console.log(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, result: { content: [] } }));
});`;

/** The same server over HTTP. */
async function startAnswering(): Promise<string> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { id } = JSON.parse(body) as { id: number };
      const answer = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } });
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer);
    });
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** Sends a recorded request to a listening mock. */
async function askOver(url: string): Promise<string> {
  if (url.endsWith('/sse')) {
    const stream = await fetch(url, { headers: { accept: 'text/event-stream' } });
    const { value } = (await stream.body?.getReader().read()) ?? {};
    return new TextDecoder().decode(value);
  }
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const initialize = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}';
  return (await fetch(url, { method: 'POST', headers, body: initialize })).text();
}

describe('docs/mock.md', () => {
  const commands = blocks('sh')
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.startsWith('mcpreel '))
    .map((line) => splitCommandLine(line).slice(1));

  it('contains command lines', () => {
    expect(commands.length).toBeGreaterThan(5);
  });

  it.each(commands.map((args) => [args.join(' '), args] as const))(
    'has a command line that works: mcpreel %s',
    async (_, args) => {
      const place = new Place();
      place.write('session.json', session);
      place.write('server.js', PROGRAM);
      const server = args.includes('--target-url') ? await startAnswering() : '';
      const given = args.map((arg) => (arg.startsWith('http:') ? server : arg));
      if (!given.includes('--listen-transport')) {
        const { stdout, code } = await place.run(given, { input: `${call(2)}\n` });
        expect(jsonLines(stdout)).toEqual([{ jsonrpc: '2.0', id: 9, result: { content: [] } }]);
        expect(code).toBe(0);
        if (given.includes('--record-mode')) expect(readSessionFile(place.path('new.json')).messages).toHaveLength(2);
        return;
      }
      const running = place.start([...given.filter((arg) => !/^\d+$|^--listen-port$/.test(arg)), '--listen-port', '0']);
      const [, url = ''] = await running.noted(/^mcpreel: Listening on (\S+), serving session.json$/m);
      expect(await askOver(url)).toMatch(/"protocolVersion":"2025-11-25"|^event: endpoint\n/);
      running.signal('SIGINT');
      expect(await running.ended).toMatchObject({ code: 0, stdout: '' });
    },
  );

  it('shows the actual output for requests that were not recorded', async () => {
    const place = new Place();
    place.write('session.json', session);
    const [taken, miss, summary] = blocks('');
    const loose = await place.run(['mock', 'session.json', '--match', 'loose'], { input: `${call(3)}\n` });
    expect(loose.stderr).toContain(taken);
    const normal = await place.run(['mock', 'session.json'], { input: `${call(3)}\n` });
    expect(jsonLines(normal.stdout)).toMatchObject([{ error: { message: `mcpreel: ${miss?.trim()}` } }]);
    expect(normal.stderr.endsWith(summary ?? '-')).toBe(true);
  });

  it('names every flag', async () => {
    const { stdout } = await new Place().run(['mock', '--help']);
    const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag = '']) => flag);
    const read = ['--session-file', '--format', '--strict', '--identity', '--help'];
    for (const flag of flags.filter((name) => !read.includes(name))) expect(page).toContain(`\`${flag}`);
  });
});
