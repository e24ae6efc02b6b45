import { describe, expect, it } from 'vitest';
import { isLongRun } from '../support/long-run.ts';
import { UserProject } from './user-project.ts';

const CLIENT = `import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { recordSession } from 'mcpreel';
import 'mcpreel/vitest';
import { useMock } from 'mcpreel/vitest';
import { beforeEach, expect, test } from 'vitest';

async function stockAt(transport, item = 'pear') {
  const client = new Client({ name: 'user', version: '1.0.0' });
  await client.connect(transport);
  const { content } = await client.callTool({ name: 'stock', arguments: { item } });
  return content[0].text;
}
`;

/** A server test: the response about pears must match the recorded one. */
const SERVER_TEST = `${CLIENT}
test('says what it said', async () => {
  await using recording = await recordSession({ command: ['node', 'server.js'] });
  await stockAt(recording.transport);
  await expect(recording).toMatchRecording('recordings/stock.json');
});
`;

describe('toMatchRecording in a separate project', () => {
  it('records first, then compares, reports changes, and accepts them with -u', { timeout: 180_000 }, async () => {
    const project = new UserProject();
    project.write('server.test.ts', SERVER_TEST);
    expect(await project.vitest()).toMatchObject({ code: 0 });
    const recorded = project.read('recordings/stock.json');
    expect(recorded).toContain('\\"count\\":3');

    // The last run also compares unchanged responses.
    if (isLongRun) expect(await project.vitest()).toMatchObject({ code: 0 });
    expect(project.read('recordings/stock.json')).toBe(recorded);

    project.serve(2);
    const changed = await project.vitest();
    expect(changed.code).toBe(1);
    expect(changed.output).toContain(
      [
        `Error: The session differs from ${project.path('recordings/stock.json')}: 1 difference`,
        '  tools/call stock {"item":"pear"}',
        '    $.result.content[0].text.count',
        '    - 3',
        '    + 4',
        'Accept it with vitest -u.',
      ].join('\n'),
    );
    expect(project.read('recordings/stock.json')).toBe(recorded);

    expect(await project.vitest(['-u'])).toMatchObject({ code: 0 });
    expect(project.read('recordings/stock.json')).toContain('\\"count\\":4');
    expect(await project.vitest([], { CI: 'true' })).toMatchObject({ code: 0 });
  });

  it('makes no recording in CI', { timeout: 240_000 }, async () => {
    const project = new UserProject();
    project.write('server.test.ts', SERVER_TEST);
    const { code, output } = await project.vitest([], { CI: 'true' });
    expect(code).toBe(1);
    expect(output).toContain(`Error: No recording ${project.path('recordings/stock.json')}, and in CI none is created`);
    expect(project.files()).not.toContain('recordings/stock.json');
  });

  it('accepts sessions and paths, and refuses anything else', { timeout: 240_000 }, async () => {
    const project = new UserProject();
    const test = `${CLIENT}
test('takes them', async () => {
  const recording = await recordSession({ command: ['node', 'server.js'], file: 'session.json' });
  await stockAt(recording.transport);
  const recorded = await recording.stop();
  await expect(recorded).toMatchRecording('one.jsonl');
  await expect(recorded.session).toMatchRecording('one.jsonl', { compare: 'strict' });
  await expect('session.json').toMatchRecording('one.jsonl');
  const other = await recordSession({ command: ['node', 'server.js'] });
  await stockAt(other.transport, 'fig');
  await expect(other).not.toMatchRecording('one.jsonl');
  await expect(expect(other).not.toMatchRecording('none.jsonl')).rejects.toThrow('No recording ');
  await expect(expect(7).toMatchRecording('one.jsonl')).rejects.toThrow('Not a session');
  const silent = await recordSession({ command: ['node', 'server.js'] });
  await expect(expect(silent).toMatchRecording('none.jsonl')).rejects.toThrow('No messages to write to');
});
`;
    project.write('kinds.test.ts', test);
    const { code, output } = await project.vitest();
    expect({ code, output }).toEqual({ code: 0, output });
    expect(project.files().filter((name) => name.endsWith('.jsonl'))).toEqual(['one.jsonl']);
  });
});

describe('useMock in a separate project', () => {
  it('gives each test its own mock, over every transport', { timeout: 240_000 }, async () => {
    const project = new UserProject();
    project.write('server.test.ts', SERVER_TEST);
    expect(await project.vitest()).toMatchObject({ code: 0 });
    const test = `${CLIENT}
const mock = useMock('recordings/stock.json', { exhausted: 'error' });
const addresses = [];

beforeEach(() => { addresses.push(mock.url); });

test.each(['transport', 'command', 'url'])('by %s', async (way) => {
  const ways = {
    transport: () => mock.transport,
    command: () => new StdioClientTransport(mock),
    url: () => new StreamableHTTPClientTransport(new URL(mock.url)),
  };
  expect(await stockAt(ways[way]())).toContain('"count":3');
  await expect(stockAt(mock.transport, 'fig')).rejects.toThrow('no match for tools/call stock');
  expect(mock.report()).toMatchObject({ answered: 3, misses: [{ name: 'stock' }] });
  expect(new Set(addresses).size).toBe(addresses.length);
});
`;
    project.write('client.test.ts', test);
    const { code, output } = await project.vitest(['client']);
    expect({ code, output }).toEqual({ code: 0, output });
    expect(output).toContain('3 passed');
  });

  it('fails a test on a miss with failOnMiss, and refuses use outside of a test', { timeout: 240_000 }, async () => {
    const project = new UserProject();
    project.write('server.test.ts', SERVER_TEST);
    expect(await project.vitest()).toMatchObject({ code: 0 });
    const test = `${CLIENT}
const mock = useMock('recordings/stock.json', { failOnMiss: true });
expect(() => mock.url).toThrow('The mock of recordings/stock.json runs only while a test does');

test('asks for figs', async () => {
  await expect(stockAt(mock.transport, 'fig')).rejects.toThrow();
});
`;
    project.write('client.test.ts', test);
    const { code, output } = await project.vitest(['client']);
    expect(code).toBe(1);
    expect(output).toContain('Error: Not in the recording:\n  no match for tools/call stock; closest is #003: ');
  });
});
