import { utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandLines } from '../support/command-lines.ts';
import { CommandPlace } from '../support/command-place.ts';
import { jsonLines, parseTrace } from '../support/recordings.ts';
import { echoServer } from '../support/servers.ts';
import { type TraceShape, traceText } from '../support/trace-texts.ts';
import { notLinux, unless } from '../support/unless.ts';
import { Terminal } from './terminal.ts';

const ids = ['aaaa1111', 'bbbb2222', 'cccc3333', 'dddd4444'].map((digits) => `${digits}-0000-4000-8000-000000000000`);
const [A = '', B = '', C = '', D = ''] = ids;

/** Stores a trace in the state folder, with a modification time this many days ago. */
function store(place: CommandPlace, shape: TraceShape & { readonly daysAgo?: number }): string {
  const { id = A, label = 'fs', daysAgo = 0 } = shape;
  const name = place.write(
    `home/sessions/2026-03-04T10-00-00-000Z-${label}-${id.slice(0, 8)}.jsonl`,
    traceText({ id, ...shape }),
  );
  const time = Date.now() / 1000 - daysAgo * 86_400;
  utimesSync(place.path(name), time, time);
  return name;
}

/** Registers this process as the one that runs a session. */
function announce(place: CommandPlace, id: string, trace: string): void {
  const startedAt = '2026-03-04T10:00:00.000Z';
  place.write(`home/live/${id}.json`, JSON.stringify({ id, pid: process.pid, startedAt, label: 'fs', trace }));
}

/** Four sessions: ended, killed, truncated and live. */
function fourSessions(): CommandPlace {
  const place = new CommandPlace();
  store(place, { id: A, label: 'first', startedAt: '2026-03-01T10:00:00.000Z', end: { durationMs: 65_000 } });
  store(place, {
    id: B,
    label: 'second',
    startedAt: '2026-03-02T10:00:00.000Z',
    end: { exitCode: 143, signal: 'SIGTERM' },
  });
  store(place, { id: C, label: 'third', startedAt: '2026-03-03T10:00:00.000Z' });
  announce(place, D, place.path(store(place, { id: D, label: 'fourth', startedAt: '2026-03-04T10:00:00.000Z' })));
  return place;
}

/** Makes mcpreel treat its output as a terminal. */
function terminal(columns: number): Record<string, string> {
  const set = `Object.assign(process.stdout,{isTTY:true,columns:${columns}})`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${set}` };
}

describe('mcpreel sessions', () => {
  it.each(commandLines([['sessions'], ['sessions', 'list']]))(
    'lists recorded sessions, newest first: $line',
    async ({ args }) => {
      const place = fourSessions();
      const { code, stdout, stderr } = await place.runBuilt(args, { env: { TZ: 'UTC' } });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.replaceAll(/ {2,}/g, '  ').split('\n')).toEqual([
        'ID  STARTED  TIME  ENTRIES  SIZE  STATE  LABEL',
        expect.stringMatching(/^dddd4444 {2}2026-03-04 10:00 {2}\d+ d {2}2 {2}\d+ B {2}live {2}fourth$/),
        expect.stringMatching(/^cccc3333 {2}2026-03-03 10:00 {2}\d+ d {2}2 {2}\d+ B {2}cut short {2}third$/),
        expect.stringMatching(/^bbbb2222 {2}2026-03-02 10:00 {2}1\.00 s {2}2 {2}\d+ B {2}SIGTERM {2}second$/),
        expect.stringMatching(/^aaaa1111 {2}2026-03-01 10:00 {2}1 min 5 s {2}2 {2}\d+ B {2}exit 0 {2}first$/),
        '',
      ]);
    },
  );

  it('the list fits the terminal width for any label, and is not truncated elsewhere', async () => {
    const place = new CommandPlace();
    const label = 'l'.repeat(300);
    store(place, { id: A, meta: { label }, end: { probe: true, signal: 'SIGTERM' } });
    store(place, { id: B, meta: { label: '🎞'.repeat(300) } });
    for (const columns of [80, 120]) {
      const { stdout } = await place.runBuilt(['sessions'], { env: { ...terminal(columns), NO_COLOR: '1' } });
      expect(stdout).toContain('l…\n');
      expect(stdout).toContain('SIGTERM, probe');
      expect(Math.max(...stdout.split('\n').map((line) => [...line].length))).toBe(columns);
    }
    expect((await place.run(['sessions'])).stdout).toContain(`  ${label}\n`);
  });

  it('escapes control characters in names', async () => {
    const place = new CommandPlace();
    const hostile = '\u001b[2J\nforged\u202e';
    store(place, { id: A, meta: { label: hostile, command: [hostile], transport: hostile }, end: { signal: hostile } });
    for (const args of [
      ['sessions'],
      ['sessions', 'show', A],
      ['sessions', 'prune', '--older-than', '0s', '--dry-run'],
    ]) {
      const { stdout } = await place.run(args);
      expect(stdout).toContain('\\u001b[2J');
      for (const raw of ['\u001b', '\u202e', '\nforged']) expect(stdout).not.toContain(raw);
    }
  });

  it('uses color only on a terminal and without NO_COLOR', async () => {
    const place = fourSessions();
    const plain = (await place.run(['sessions'])).stdout;
    expect(plain).not.toContain('\u001b');
    expect((await place.runBuilt(['sessions'], { env: { ...terminal(80), NO_COLOR: '1' } })).stdout).not.toContain(
      '\u001b',
    );
    expect((await place.runBuilt(['sessions'], { env: terminal(80) })).stdout).toContain('\u001b[32mdddd4444');
  });

  it('prints the same as JSON, with a summary at the end', async () => {
    const place = fourSessions();
    const { stdout } = await place.run(['sessions', '--json']);
    const [live, cut, killed, ended, last] = jsonLines(stdout);
    expect(live).toMatchObject({ session: D, state: 'live', pid: process.pid, ended_at: null });
    expect(cut).toMatchObject({ session: C, state: 'cut short', exit_code: null, ended_at: null });
    expect(killed).toMatchObject({ session: B, state: 'ended', exit_code: 143, signal: 'SIGTERM' });
    const [path = ''] = place.traces();
    const bytes = place.read(path).length;
    expect(ended).toEqual({
      session: A,
      label: 'first',
      transport: 'stdio',
      server_command: 'node fs.js',
      server_url: null,
      started_at: '2026-03-01T10:00:00+00:00',
      ended_at: '2026-03-01T10:00:03+00:00',
      duration_ms: 65_000,
      state: 'ended',
      exit_code: 0,
      signal: null,
      probe: false,
      entries: 2,
      bytes,
      pid: null,
      files: [{ path: place.path(path), bytes }],
    });
    const total = place.traces().reduce((sum, name) => sum + place.read(name).length, 0);
    expect(last).toEqual({ summary: { sessions: 4, bytes: total } });
  });

  it('reports an empty list and the folder it read', async () => {
    const place = new CommandPlace();
    expect(await place.run(['sessions'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: `No sessions in ${place.path('home/sessions')}\n`,
    });
    expect((await place.run(['sessions', '--json'])).stdout).toBe('{"summary":{"sessions":0,"bytes":0}}\n');
  });

  it('lists a real recording, and an empty trace by its file name', async () => {
    const place = new CommandPlace();
    await place.runBuilt(['--label', 'real', '--', ...echoServer], { input: '{"jsonrpc":"2.0","method":"hello"}\n' });
    const { id } = parseTrace(place.trace()).meta;
    place.write('home/sessions/2026-03-04T10-00-00-000Z-full-disk-bbbb2222.jsonl', '');
    place.write('home/sessions/notes.jsonl', '{"a":1}\n');
    const listed = jsonLines((await place.run(['sessions', '--json'])).stdout);
    expect(
      listed
        .slice(0, -1)
        .map(({ session }) => session)
        .sort(),
    ).toEqual([id, 'bbbb2222'].sort());
    expect(listed.find(({ session }) => session === id)).toMatchObject({ label: 'real', entries: 2, exit_code: 0 });
  });

  it('lists a running session whose trace is in another folder', async () => {
    const place = new CommandPlace();
    announce(place, A, place.path(place.write('elsewhere.jsonl', traceText({ id: A }))));
    expect((await place.run(['sessions'])).stdout).toMatch(/\naaaa1111 .* live +fs\n$/);
    expect((await place.run(['sessions', 'show', 'aaaa'])).stdout).toContain(
      `File: ${place.path('elsewhere.jsonl')} (`,
    );
  });
});

describe('mcpreel sessions show', () => {
  it('prints the details of a session', async () => {
    const place = fourSessions();
    const ended = await place.runBuilt(['sessions', 'show', 'AAAA'], { env: { TZ: 'UTC' } });
    const [name = ''] = place.traces();
    expect(ended).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `Session: ${A}
Label: first
Server command: node fs.js
Transport: stdio
Started: 2026-03-01 10:00:00
Ended: 2026-03-01 10:00:03
Duration: 1 min 5 s
State: exit 0
Entries: 2
File: ${place.path(name)} (${place.read(name).length} B)
`,
    });
    expect((await place.run(['sessions', 'show', D])).stdout).toContain(`State: live\nProcess: ${process.pid}\n`);
    const data = await place.run(['sessions', 'show', 'cccc3333', '--json']);
    expect(JSON.parse(data.stdout)).toMatchObject({ session: C, state: 'cut short' });
  });

  it.each([
    ['eeee', /^Error: No session id starts with eeee\. .*\n$/],
    ['aaa', /^Error: aaa is too short\. .*\n$/],
    [`${A.slice(0, -1)}1`, /^Error: No session id starts with .*\n$/],
  ])('rejects the unknown id %s', async (id, message) => {
    const { code, stdout, stderr } = await fourSessions().run(['sessions', 'show', id]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

describe('mcpreel sessions rm', () => {
  it('removes the selected sessions and nothing else', async () => {
    const place = fourSessions();
    const goes = (name: string): boolean => /-(aaaa1111|bbbb2222)\.jsonl$/.test(name);
    const others = place.traces().filter((name) => !goes(name));
    const bytes = place
      .traces()
      .filter(goes)
      .reduce((sum, name) => sum + place.read(name).length, 0);
    const outcome = await place.run(['sessions', 'rm', 'aaaa', B, 'aaaa1111']);
    expect(outcome).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `Deleted 2 sessions, ${bytes} B\n`,
    });
    expect(place.traces()).toEqual(others);
  });

  it.each([
    ['runs', ['aaaa', 'dddd'], /^Error: Session dddd is still running \(process \d+\)\. .*\n$/],
    ['is not there', ['aaaa', 'eeee'], /^Error: No session id starts with eeee\. .*\n$/],
    ['is not the only one', ['aaaa', 'bbbb'], /^Error: 2 session ids start with bbbb\. .*\n$/],
  ])('removes nothing if one of them %s', async (_, args, message) => {
    const place = fourSessions();
    store(place, { id: 'bbbb9999-0000-4000-8000-000000000000' });
    const before = place.traces();
    const { code, stdout, stderr } = await place.run(['sessions', 'rm', ...args]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
    expect(place.traces()).toEqual(before);
  });
});

describe('mcpreel sessions prune', () => {
  function aged(): CommandPlace {
    const place = new CommandPlace();
    store(place, { id: A, daysAgo: 40, end: {} });
    store(place, { id: B, daysAgo: 20 });
    store(place, { id: C, daysAgo: 1, end: {} });
    announce(place, D, place.path(store(place, { id: D, daysAgo: 50 })));
    return place;
  }

  const left = (place: CommandPlace): string[] => place.traces().map((name) => name.slice(-14, -10));

  it.each([
    ['30d', ['bbbb', 'cccc', 'dddd']],
    ['2w', ['cccc', 'dddd']],
    ['12h', ['dddd']],
    ['0s', ['dddd']],
    ['41d', ['aaaa', 'bbbb', 'cccc', 'dddd']],
  ])('removes sessions last written more than %s ago, but keeps running sessions', async (age, expected) => {
    const place = aged();
    const { code, stdout, stderr } = await place.run(['sessions', 'prune', '--older-than', age, '--yes']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const count = 4 - expected.length;
    if (count === 0) expect(stdout).toBe('No session is old enough\n');
    else expect(stdout).toMatch(new RegExp(`^Deleted ${count} session${count === 1 ? '' : 's'}, [\\d.]+ k?B\n$`));
    expect(left(place)).toEqual(expected);
  });

  it('only reports what it would remove with --dry-run', async () => {
    const place = aged();
    const { stdout } = await place.run(['sessions', 'prune', '--older-than', '2w', '--dry-run']);
    expect(stdout).toMatch(/^.*\n.*\nWould delete 2 sessions, [\d.]+ k?B\n$/);
    expect(stdout).toMatch(/^aaaa1111 /m);
    const data = await place.run(['sessions', 'prune', '--older-than', '2w', '--dry-run', '--json']);
    expect(JSON.parse(data.stdout)).toEqual({
      would_remove: expect.arrayContaining([A, B]),
      bytes: expect.any(Number),
    });
    expect(left(place)).toHaveLength(4);
  });

  it('reports the removed sessions as JSON', async () => {
    const { stdout } = await aged().run(['sessions', 'prune', '--older-than', '30d', '--yes', '--json']);
    expect(JSON.parse(stdout)).toEqual({ removed: [A], bytes: expect.any(Number) });
  });

  it('refuses to remove sessions without a terminal or --yes, but succeeds if there are no matches', async () => {
    const place = aged();
    expect(await place.run(['sessions', 'prune', '--older-than', '30d'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Error: Nothing deleted: no terminal to ask for confirmation. Confirm with --yes.\n',
    });
    expect(left(place)).toHaveLength(4);
    expect(await place.run(['sessions', 'prune', '--older-than', '99d'])).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ['y\n', [], 3],
    ['yes\n', [], 3],
    ['n\n', [], 4],
    ['\n', [], 4],
    ['', [], 4],
    ['', ['--yes'], 3],
  ])('asks for confirmation on a terminal unless --yes is given: input %j, flags %s', async (input, flags, count) => {
    const place = aged();
    const env = { NODE_OPTIONS: '--import=data:text/javascript,process.stdin.isTTY=true' };
    const { code, stderr } = await place.runBuilt(['sessions', 'prune', '--older-than', '30d', ...flags], {
      input,
      env,
    });
    expect(code).toBe(0);
    expect(left(place)).toHaveLength(count);
    const question = flags.length > 0 ? '' : expect.stringMatching(/^Delete 1 session, \d+ B\? \[y\/N\] /);
    expect(stderr).toEqual(question);
  });

  it('treats Ctrl-C as an interrupt and not as an answer', unless(notLinux), async () => {
    const place = aged();
    const asking = new Terminal('sessions prune --older-than 30d', place);
    await asking.shown(/\[y\/N\]/);
    asking.interrupt();
    expect(await asking.ended).toBe(130);
    expect(asking.screen()).not.toContain('Nothing deleted');
    expect(left(place)).toHaveLength(4);
  });

  it.each(['30', 'd', '30x', '-1d', '1.5d', '30 d', ''])('rejects the age %j as a usage error', async (age) => {
    const { code, stdout, stderr } = await aged().run(['sessions', 'prune', `--older-than=${age}`]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^Error: .*like 30d\.\n$/);
  });
});

describe('every subcommand', () => {
  it.each(['list', 'show', 'rm', 'prune', 'recover'])('%s has a help text with an example', async (name) => {
    const { code, stdout } = await new CommandPlace().run(['sessions', name, '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nExamples?:\n {2}\$ mcpreel sessions/);
  });
});
