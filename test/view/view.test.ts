import { appendFileSync, truncateSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { AGE_ARMORED, AGE_KEY_FILE, AGE_PLAIN } from '../support/age-sample.ts';
import { Place } from '../support/place.ts';
import { seedExample } from '../support/session-texts.ts';
import { ServedView } from './served-view.ts';

const TRACE = [
  '{"v":1,"type":"meta","startedAt":"2026-01-01T00:00:00.000Z","label":"one","command":["node","s.js"],"id":"11111111-1111-4111-8111-111111111111","transport":"stdio"}',
  '{"t":"2026-01-01T00:00:01.000Z","dir":"in","seq":0,"raw":{"jsonrpc":"2.0","id":1,"method":"ping"}}',
  '{"t":"2026-01-01T00:00:02.000Z","type":"end","exitCode":0,"durationMs":2000}',
  '',
].join('\n');

it('prints only its URL, serves the given files, and exits with 0 on Ctrl-C', async () => {
  const place = new Place();
  place.write('seed.json', seedExample);
  place.write('a.jsonl', TRACE);
  const view = await ServedView.start(place, ['seed.json', 'a.jsonl']);
  expect(view.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
  const { files, live } = JSON.parse((await view.ask('/api/opened')).text);
  expect(live).toBe(false);
  expect(files.map(({ name }: { name: string }) => name)).toEqual(['seed.json', 'a.jsonl']);
  expect((await view.ask('/api/files/1')).text).toBe(TRACE);
  view.process.signal('SIGINT');
  expect(await view.process.ended).toMatchObject({ code: 0, stdout: `${view.url}\n`, stderr: '' });
});

it('reports on stderr, before the page reads it, what the page shows of a large recording', async () => {
  const place = new Place();
  const [meta = '', ping = '', end = ''] = TRACE.split('\n');
  const path = place.path(place.write('day.jsonl', `${meta}\n${ping}\n`));
  truncateSync(path, 1_200_000_000);
  appendFileSync(path, `\n${end}\n`);
  const view = await ServedView.start(place, ['day.jsonl']);
  view.process.signal('SIGINT');
  const { stderr } = await view.process.ended;
  expect(stderr).toMatch(/^mcpreel: day\.jsonl has 1\.2 GB\. .* To open a part of it: mcpreel export day\.jsonl /);
});

it('uses a new token every time, and the given port', async () => {
  const place = new Place();
  place.write('seed.json', seedExample);
  const first = await ServedView.start(place, ['seed.json']);
  const second = await ServedView.start(place, ['seed.json']);
  expect(second.token).not.toBe(first.token);
  first.process.signal('SIGTERM');
  expect(await first.process.ended).toMatchObject({ code: 0 });
  const third = await ServedView.start(place, ['seed.json', '--port', String(first.port)]);
  expect(third.port).toBe(first.port);
});

it('shows a recording by id, from standard input, or the newest one by default', async () => {
  const place = new Place();
  place.write('home/sessions/2026-01-01T00-00-00-000Z-one-11111111.jsonl', TRACE);
  const byId = await ServedView.start(place, ['1111']);
  expect((await byId.ask('/api/files/0')).text).toBe(TRACE);
  const unasked = await ServedView.start(place, []);
  expect((await unasked.ask('/api/files/0')).text).toBe(TRACE);
  const piped = await ServedView.start(place, ['-'], seedExample);
  expect(JSON.parse((await piped.ask('/api/opened')).text).files[0].name).toBe('standard input');
  expect((await piped.ask('/api/files/0')).text).toBe(seedExample);
});

it('serves the parts of a trace as one file, and an encrypted recording decrypted', async () => {
  const place = new Place();
  const part = (number: number, text: string): string =>
    text.replace('"transport":"stdio"', `"transport":"stdio","part":${number},"before":${number - 1}`);
  const [meta = '', message = '', end = ''] = TRACE.split('\n');
  const [first, second] = [`${part(1, meta)}\n${message}\n`, `${part(2, meta)}\n${end}\n`];
  place.write('a.jsonl', first);
  place.write('a.part-2.jsonl', second);
  place.write('ping.age', AGE_ARMORED);
  place.write('key.txt', AGE_KEY_FILE);
  const view = await ServedView.start(place, ['a.jsonl', 'ping.age', '--identity', 'key.txt']);
  expect((await view.ask('/api/files/0')).text).toBe(first + second);
  expect((await view.ask('/api/files/1')).text).toBe(AGE_PLAIN);
});

it('reports errors in one line', async () => {
  const place = new Place();
  place.write('seed.json', seedExample);
  place.write('note.txt', 'Dear diary');
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const wrong: [args: string[], code: number, line: RegExp][] = [
    [['missing.json'], 1, /^Error: No file or session id "missing\.json". List sessions: mcpreel sessions\n$/],
    [['seed.json', 'note.txt'], 1, /^Error: .*note\.txt[^\n]*\n$/],
    [
      ['seed.json', '--port', String(port)],
      1,
      /^Error: Cannot listen on 127\.0\.0\.1:\d+: the port is in use\. Use --port 0 for any free port\.\n$/,
    ],
    [['seed.json', '--port', '70000'], 2, /^Error: --port 70000 is not a port\. [^\n]+\n$/],
    [['seed.json', '--port', 'x'], 2, /^Error: --port x is not a port\. [^\n]+\n$/],
    [[], 1, /^Error: No session is running and none was recorded\. [^\n]+\n$/],
  ];
  for (const [args, code, line] of wrong) {
    const outcome = await place.run(['view', '--no-open', ...args]);
    expect([args, outcome.code, outcome.stdout]).toEqual([args, code, '']);
    expect(outcome.stderr).toMatch(line);
  }
});

it('waits for sessions if none is running', async () => {
  const view = await ServedView.start(new Place(), ['--live']);
  expect(JSON.parse((await view.ask('/api/opened')).text)).toEqual({ files: [], live: true });
  view.process.signal('SIGINT');
  expect(await view.process.ended).toMatchObject({
    code: 0,
    stderr: 'No session is running yet. New ones will appear on the page.\n',
  });
});

it('prints help with examples', async () => {
  const { code, stdout } = await new Place().run(['view', '--help']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/\nExamples:\n {2}\$ mcpreel view session\.json\n {2}\$ mcpreel view --live/);
});
