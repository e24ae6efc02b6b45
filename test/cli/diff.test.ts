import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { type Connect, connectV1, connectV2 } from '../support/sdk-clients.ts';

const page = readFileSync(new URL('../../docs/diff.md', import.meta.url), 'utf8');
const documented = /^```\n(A: .*?)^```$/ms.exec(page)?.[1];

const shop = fileURLToPath(new URL('../servers/shop.mjs', import.meta.url));

/** Records a client session with one version of the shop server, with two of its calls in parallel. */
async function record(
  place: CommandPlace,
  connect: Connect,
  version: 1 | 2,
  items: readonly string[],
): Promise<string> {
  const file = `v${version}.json`;
  const args = ['--session-file', file, '--', process.execPath, shop, String(version)];
  const { client, call } = await connect({ place, args });
  try {
    await client.listTools();
    await Promise.all(items.map((item) => call('quote', { item })));
    await call('stock', { item: 'pear' });
  } finally {
    await client.close();
  }
  return file;
}

describe.each([
  ['SDK v1', connectV1],
  ['SDK v2', connectV2],
])('diff of two versions of a server, recorded with a client of %s', (_, connect) => {
  it('finds the changed result and the removed tool, and no difference in the concurrent calls', async () => {
    const place = new CommandPlace();
    const a = await record(place, connect, 1, ['pear', 'fig']);
    const b = await record(place, connect, 2, ['fig', 'pear']);
    const { code, stdout, stderr } = await place.run(['diff', a, b]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(documented);
    expect((await place.run(['diff', '--exit-code', a, b])).code).toBe(3);
    expect(await place.run(['diff', '--exit-code', a, a])).toMatchObject({
      code: 0,
      stdout: 'A: v1.json, 5 calls\nB: v1.json, 5 calls\n\nNo differences\n',
    });
  });
});

describe('diff of two recordings of one server', () => {
  it.each([
    ['everything', connectV1],
    ['everything', connectV2],
  ])('finds no differences: %s', async (name, connect) => {
    const place = new CommandPlace();
    const server = fileURLToPath(import.meta.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`));
    for (const file of ['a.json', 'b.json']) {
      const args = ['--session-file', file, '--', process.execPath, server];
      const { client, call, noted } = await connect({ place, args });
      try {
        // The server sends roots/list some time after the handshake; it must not fall between two other calls.
        await noted.answers('roots/list');
        await client.listTools();
        await client.listPrompts();
        await client.listResources();
        await client.listResourceTemplates();
        await call('echo', { message: file === 'a.json' ? 'é' : '\u00e9' });
        await call('get-sum', { a: 1, b: 2.5 });
        await call('get-structured-content', { location: 'Chicago' });
        await call('trigger-long-running-operation', { duration: 0.01, steps: 2 }, { onprogress: () => undefined });
        await call('trigger-sampling-request', { prompt: 'Say hello.', maxTokens: 5 });
      } finally {
        await client.close();
      }
    }
    const { stdout } = await place.run(['diff', 'a.json', 'b.json']);
    expect(stdout.split('\n').slice(2)).toEqual(['', 'No differences', '']);
    expect(stdout).toMatch(/^A: a\.json, 1[1-9] calls$/m);
  });
});
