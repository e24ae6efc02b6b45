import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { replayCommand } from '../../src/cli/commands/replay/replay.ts';
import { splitCommandLine } from '../../src/model/command-line.ts';
import { Place } from '../support/place.ts';

const page = readFileSync(new URL('../../docs/replay.md', import.meta.url), 'utf8');

/** The page's server: its second version counts differently and lacks a tool. */
const SERVER = `const tools = ['stock', 'quote', 'order'].slice(0, process.argv[2] === '2' ? 2 : 3);
const answer = ({ id, method, params }) => {
  if (method === 'initialize') return { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'shop', version: '1' } };
  if (method === 'tools/list') return { tools: tools.map((name) => ({ name, inputSchema: { type: 'object' } })) };
  const count = process.argv[2] === '2' ? 4 : 3;
  return { content: [{ type: 'text', text: params.name === 'stock' ? JSON.stringify({ count }) : '5 coins' }] };
};
module.exports = answer;
if (process.stdin) require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: answer(message) }));
});`;

const CLIENT = [
  {
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 1, method: 'tools/list' },
  { id: 2, method: 'tools/call', params: { name: 'stock', arguments: { item: 'pear' } } },
  { id: 3, method: 'tools/call', params: { name: 'quote', arguments: { item: 'pear' } } },
];

/** A folder with a recorded session of the first version. */
async function recorded(): Promise<Place> {
  const place = new Place();
  place.write('server.js', SERVER);
  const running = place.start(['--session-file', 'session.json', '--', process.execPath, 'server.js', '1']);
  for (const message of CLIENT) {
    running.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    if ('id' in message) await running.sent(`"id":${message.id}`);
  }
  running.end();
  await running.ended;
  return place;
}

/** The same server over HTTP, stopped after the test. */
async function listening(): Promise<string> {
  const module = { exports: (_: object): object => ({}) };
  new Function('module', 'require', 'process', SERVER)(module, {}, { argv: [] });
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const message = JSON.parse(body || '{}') as { id?: number };
      if (message.id === undefined) {
        response.writeHead(request.method === 'GET' ? 405 : 202).end();
        return;
      }
      const answer = { jsonrpc: '2.0', id: message.id, result: module.exports(message) };
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const commands = [...page.matchAll(/^mcpreel (.*)$/gm)].map(([, line = '']) => splitCommandLine(line));

describe('docs/replay.md', () => {
  it('shows what a replay prints', async () => {
    const place = await recorded();
    const { stdout, code } = await place.run(commands[0] ?? []);
    const untimed = (sent: string): string => sent.replaceAll(/\d+ ms/g, 'n ms');
    expect(untimed(page)).toContain(`\`\`\`\n${untimed(stdout)}\`\`\`\n`);
    expect(code).toBe(3);
  });

  it('contains only command lines that work, in the order given', async () => {
    const place = await recorded();
    const url = await listening();
    expect(commands.length).toBeGreaterThan(6);
    for (const args of commands.slice(1)) {
      const outcome = await place.run(args.map((word) => word.replace('http://127.0.0.1:3000/mcp', url)));
      expect({ args, ...outcome }).toMatchObject({ args, code: 0 });
    }
    for (const name of ['results.json', 'junit.xml', 'replay.sarif', 'run.json']) expect(place.files()).toContain(name);
    // The last command accepted the second version's count, but not its list of tools, which was not selected.
    const { stdout } = await place.run(commands[0] ?? []);
    expect(stdout).toContain('Results: 3/4 matched, 1 changed, 0 timed out, 0 failed');
  });

  it('names every flag of the command, and no other', () => {
    const known = replayCommand({} as never)
      .options.map(({ long }) => long)
      .filter((flag) => flag !== undefined);
    const ofReading = ['--session-file', '--format', '--strict', '--identity', '--transport'];
    const named = new Set(page.match(/--[a-z][a-z-]*/g));
    expect(known.filter((flag) => !named.has(flag) && !ofReading.includes(flag))).toEqual([]);
    expect([...named].filter((flag) => !known.includes(flag))).toEqual([]);
  });
});
