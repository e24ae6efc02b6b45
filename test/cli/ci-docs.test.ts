import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { splitCommandLine } from '../../src/model/command-line.ts';
import { Place } from '../support/place.ts';
import { runInShell } from '../support/shell.ts';

const page = readFileSync(new URL('../../docs/ci.md', import.meta.url), 'utf8');

/** The command lines in the page, in order. */
const commands = [...page.matchAll(/^mcpreel .*$/gm)].map(([line]) => splitCommandLine(line).slice(1));

/** The page's script that checks every recording. */
const [, gate = ''] = /^```bash\n(.*?)^```$/ms.exec(page) ?? [];

/** A server with a tool that returns a count. */
const server = (count: number): string => `
const answer = ({ method }) => {
  if (method === 'initialize') return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'shop', version: '1' } };
  if (method === 'tools/list') return { tools: [{ name: 'stock', inputSchema: { type: 'object' } }] };
  return { content: [{ type: 'text', text: '${count}' }] };
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: answer(message) }));
});`;

const CLIENT = [
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"stock","arguments":{}}}',
];

/** A repository with a server and the recording that the page starts with. */
async function recorded(): Promise<Place> {
  const place = new Place();
  place.write('server.js', server(3));
  place.write('ignore.txt', '');
  place.write('recordings/.gitkeep', '');
  const running = place.start(commands[0] ?? []);
  for (const [index, message] of CLIENT.entries()) {
    running.write(`${message}\n`);
    if (index !== 1) await running.sent(`"id":${Math.max(0, index - 1)}`);
  }
  running.end();
  await running.ended;
  place.write('new.json', place.read('recordings/stock.json'));
  return place;
}

describe('docs/ci.md', () => {
  it('contains only commands that work, one after the other', async () => {
    const place = await recorded();
    const others = commands.slice(1).filter(([name]) => name !== 'mock');
    expect(others.length).toBeGreaterThan(5);
    for (const args of others) expect({ args, ...(await place.run(args)) }).toMatchObject({ args, code: 0 });
  });

  it('contains a mock command that listens for clients', async () => {
    const place = await recorded();
    const running = place.start(commands.find(([name]) => name === 'mock') ?? []);
    await running.noted(/http:\/\/127\.0\.0\.1:/);
    running.signal('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 0 });
  });

  it('contains a gate that passes for an unchanged server, and writes reports', async () => {
    const place = await recorded();
    expect(runInShell(place, gate)).toMatchObject({ code: 0 });
    expect(place.files()).toEqual(expect.arrayContaining(['reports/stock-check.xml', 'reports/stock-replay.xml']));
  });

  it('contains a gate that fails for a server that answers differently', async () => {
    const place = await recorded();
    place.write('server.js', server(4));
    const { code, stdout } = runInShell(place, gate);
    expect(code).toBe(3);
    expect(stdout).toContain('$.result.content[0].text');
  });
});
