import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  symlinkSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { safeLabel } from '../../src/catalog/trace-names.ts';
import { replaceFile } from '../../src/files/replace-file.ts';
import { liveSessions } from '../../src/state/live-sessions.ts';
import { MCPREEL } from '../support/mcpreel-process.ts';
import { NOBODY } from '../support/other-user.ts';
import { Place } from '../support/place.ts';
import { parseTrace } from '../support/recordings.ts';
import { echoServer } from '../support/servers.ts';
import { seedExample } from '../support/session-texts.ts';
import { notLinux, notRoot, skipOnWindows, unless } from '../support/unless.ts';

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';

/** Every option that names a file to write. */
const writing: readonly [what: string, args: readonly string[]][] = [
  ['a session file', ['--session-file', 'out', '--', ...echoServer]],
  ['an export', ['export', 'seed.json', '-o', 'out']],
  ['a report', ['check', 'seed.json', '--junit', 'out']],
  ['an import', ['import', 'seed.json', '--out-trace', 'out']],
];

function placeWithSeed(): Place {
  const place = new Place();
  place.write('seed.json', seedExample);
  place.write('precious', 'precious');
  return place;
}

describe('output paths that already exist', skipOnWindows('Windows has no file modes'), () => {
  it.each(writing)('%s is never written through a symlink', async (_, args) => {
    const place = placeWithSeed();
    symlinkSync('precious', place.path('out'));
    const { code } = await place.run(args, { input: PING });
    expect([0, 3]).toContain(code);
    expect(place.read('precious')).toBe('precious');
    expect(lstatSync(place.path('out')).isFile()).toBe(true);
    expect(place.mode('out')).toBe(0o600);
  });

  it.each(writing)('%s is not written through a dangling symlink or a hard link', async (_, args) => {
    const dangling = placeWithSeed();
    symlinkSync('nowhere', dangling.path('out'));
    const twin = placeWithSeed();
    linkSync(twin.path('precious'), twin.path('out'));
    await Promise.all([dangling, twin].map((place) => place.run(args, { input: PING })));
    expect(existsSync(dangling.path('nowhere'))).toBe(false);
    expect(lstatSync(dangling.path('out')).isFile()).toBe(true);
    expect(twin.read('precious')).toBe('precious');
    expect(lstatSync(twin.path('out')).nlink).toBe(1);
  });

  it.each(writing)('%s replaces a symlink to a device, and does not write into the device', async (_, args) => {
    const place = placeWithSeed();
    symlinkSync('/dev/null', place.path('out'));
    const { code } = await place.run(args, { input: PING });
    expect([0, 3]).toContain(code);
    expect(lstatSync(place.path('out')).isFile()).toBe(true);
    expect(place.read('out')).not.toBe('');
  });

  it('replaces a symlink to a pipe, and writes nothing into the pipe', async () => {
    const place = placeWithSeed();
    execFileSync('mkfifo', [place.path('pipe')]);
    symlinkSync('pipe', place.path('out'));
    expect((await place.run(['export', 'seed.json', '-o', 'out'])).code).toBe(0);
    expect(lstatSync(place.path('out')).isFile()).toBe(true);
  });

  it('writes into the streams that the shell passes, and leaves their names alone', unless(notLinux), async () => {
    const place = placeWithSeed();
    const before = lstatSync('/dev/stdout');
    const script = `"${process.execPath}" "${MCPREEL}" export seed.json`;
    const shell = (line: string): string =>
      execFileSync('bash', ['--norc', '-c', line], { cwd: place.folder, env: place.environment(), encoding: 'utf8' });
    expect(shell(`${script} -o /dev/stdout | head -c 1`)).toBe('{');
    shell(`echo first > out; ${script} -o /dev/stdout >> out`);
    expect(place.read('out')).toMatch(/^first\n.*"messages"/s);
    shell(`${script} -o /dev/fd/5 5> five`);
    expect(place.read('five')).toContain('"messages"');
    expect(shell(`${script} -o >(head -c 1 > sub); wait $!`)).toContain('Exported');
    expect(lstatSync('/dev/stdout').ino).toBe(before.ino);
  });

  it.each([
    ['a link', symlinkSync],
    ['a hard link', linkSync],
  ])(
    'writes only to the pipe that it has checked, if %s takes its place meanwhile',
    unless(notLinux),
    async (_, put) => {
      const place = placeWithSeed();
      // At any moment between the check and the opening: they are some turns of the event loop apart.
      for (let turns = 0; turns < 60; turns++) {
        const out = place.path(`out-${turns}`);
        execFileSync('mkfifo', [out]);
        const reader = openSync(out, constants.O_RDWR | constants.O_NONBLOCK);
        put(place.path('precious'), `${out}-swap`);
        const writing = replaceFile(out, ['stolen']).catch(() => undefined);
        for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
        renameSync(`${out}-swap`, out);
        await writing;
        closeSync(reader);
        expect(place.read('precious')).toBe('precious');
      }
    },
  );

  it('writes nothing to a pipe of another user', unless(notRoot), async () => {
    const place = placeWithSeed();
    execFileSync('mkfifo', ['-m', '666', place.path('out')]);
    chownSync(place.path('out'), NOBODY, NOBODY);
    const { code, stderr } = await place.run(['export', 'seed.json', '-o', 'out']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'Error: Cannot write out: it is a pipe owned by another user\n',
    });
  });

  it.each([
    ['baseline', 'show', '--baseline', 'out'],
    ['baseline', 'reset', '--all', '--baseline', 'out'],
    ['check', 'seed.json', '--baseline', 'out'],
    ['diff', 'seed.json', 'seed.json', '--ignore-file', 'out'],
    ['replay', 'seed.json', '--ignore-file', 'out', '--', ...echoServer],
    ['replay', 'seed.json', '--learn', '2', '--ignore-file', 'out', '--', ...echoServer],
    ['replay', 'seed.json', '--output', 'out', '--', ...echoServer],
    ['check', 'seed.json', '--junit', 'out'],
    ['--session-file', 'out', '--save-every', '1', '--', ...echoServer],
  ])('does not wait for a pipe of another user: %s %s %s %s', unless(notRoot), async (...args) => {
    const place = placeWithSeed();
    execFileSync('mkfifo', ['-m', '666', place.path('out')]);
    chownSync(place.path('out'), NOBODY, NOBODY);
    const { stderr } = await place.run(args, { input: PING });
    expect(stderr).toContain('it is a pipe owned by another user');
  });

  it('reads a pipe of its own user', skipOnWindows('Windows has no named pipes'), async () => {
    const place = placeWithSeed();
    execFileSync('mkfifo', [place.path('rules')]);
    const running = place.run(['diff', 'seed.json', 'seed.json', '--ignore-file', 'rules']);
    await writeFile(place.path('rules'), '$.result.total\n');
    expect(await running).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a result in place of its own recording', () => {
  it.each([
    ['export', 'seed.json', '-f', 'csv', '-o', 'seed.json'],
    ['export', 'seed.json', '-f', 'markdown', '-o', './sub/../seed.json'],
    ['export', 'seed.json', '-f', 'html', '-o', 'seed.json'],
    ['export', 'seed.json', '--filter', 'tool:none', '-o', 'seed.json'],
    ['export', 'link.json', '-f', 'csv', '-o', 'seed.json'],
    ['check', 'seed.json', '--junit', 'seed.json'],
    ['check', 'seed.json', '--sarif', 'seed.json'],
    ['diff', 'seed.json', 'seed.json', '--html', 'seed.json'],
    ['replay', 'seed.json', '--output', 'seed.json', '--', 'true'],
    ['replay', 'seed.json', '--record', 'seed.json', '--', 'true'],
  ])('refuses to overwrite its recording: %s %s %s %s %s %s', async (...args) => {
    const place = placeWithSeed();
    symlinkSync('seed.json', place.path('link.json'));
    const { code, stderr } = await place.run(args.filter((word) => word !== undefined));
    expect([code, stderr]).toEqual([2, expect.stringContaining('would overwrite the recording')]);
    expect(place.read('seed.json')).toBe(seedExample);
  });

  it('refuses to overwrite a recording that is named by its session id', async () => {
    const place = placeWithSeed();
    await place.run(['--', ...echoServer], { input: PING });
    const [trace = ''] = place.traces();
    const before = place.read(trace);
    const id = trace.slice(-'12345678.jsonl'.length, -'.jsonl'.length);
    expect((await place.run(['export', id, '-f', 'csv', '-o', trace])).code).toBe(2);
    expect(place.read(trace)).toBe(before);
  });

  it('overwrites its own recording if the result contains all of it', async () => {
    const place = placeWithSeed();
    expect((await place.run(['export', 'seed.json', '-f', 'trace', '-o', 'seed.json'])).code).toBe(0);
    expect(place.read('seed.json')).toContain('"type":"meta"');
  });
});

describe('A label', () => {
  const labels = [
    '../../../evil',
    '/etc/evil',
    'a\nb\r\u001b[2J',
    'x'.repeat(5000),
    'con',
    '-rf',
    '.',
    '..',
    '.hidden',
    '\u202eevil',
    ' ',
  ];

  it('a label never becomes a path, for any input', async () => {
    const place = new Place();
    await Promise.all(labels.map((label) => place.run([`--label=${label}`, '--', ...echoServer], { input: PING })));
    const names = place.files();
    expect(names).toHaveLength(labels.length);
    for (const name of names) expect(name).toMatch(/^home\/sessions\/\d{4}-[\w.-]{1,140}-[\da-f]{8}\.jsonl$/);
    const reported = names.map((name) => parseTrace(place.read(name)).meta.label);
    expect(reported.toSorted()).toEqual(labels.toSorted());
  });

  it.each(labels)('a label never starts a file name with a dot or a dash: %j', (label) => {
    expect(safeLabel(label)).toMatch(/^\w[\w.-]{0,59}$/);
  });
});

describe('The name of a trace', () => {
  it('reports a trace name that cannot be created in one line, and keeps forwarding', async () => {
    const place = new Place();
    for (const name of ['x'.repeat(300), `${'d/'.repeat(3000)}x`]) {
      const { code, stdout, stderr } = await place.run(['--trace-file', name, '--', ...echoServer], { input: PING });
      expect({ code, stdout }).toEqual({ code: 0, stdout: PING });
      expect(stderr).toMatch(/^mcpreel: Recording paused: [^\n]+\n$/);
    }
  });
});

async function liveLabels({ home }: Place): Promise<string[]> {
  return (await liveSessions(home, process.kill)).map(({ label }) => label);
}

describe('The state folder', skipOnWindows('Windows has no file modes'), () => {
  it('the state folder can be a symlink, and traces in it are accessible only to their owner', async () => {
    const place = new Place();
    mkdirSync(place.path('real'), { mode: 0o700 });
    symlinkSync('real', place.home);
    expect(await place.run(['--', ...echoServer], { input: PING })).toMatchObject({ code: 0, stderr: '' });
    const [name = ''] = readdirSync(place.path('real/sessions'));
    expect(place.mode(`real/sessions/${basename(name)}`)).toBe(0o600);
  });

  it('the state folder is not writable for other users, who could impersonate a session', async () => {
    const place = new Place();
    mkdirSync(`${place.home}/live`, { recursive: true });
    chmodSync(`${place.home}/live`, 0o777);
    const running = place.start(['--', ...echoServer]);
    running.write(PING);
    await running.sent('ping');
    expect(place.mode('home/live') & 0o022).toBe(0);
    const [announced = ''] = readdirSync(`${place.home}/live`).filter((name) => name.endsWith('.json'));
    expect(place.mode(`home/live/${announced}`)).toBe(0o600);
    running.end();
    await running.ended;
    chmodSync(`${place.home}/live`, 0o777);
    await place.run(['sessions']);
    expect(place.mode('home/live') & 0o022).toBe(0);
  });

  it('sessions in a state folder of another user do not count as running, also for root', unless(notRoot), async () => {
    const place = new Place();
    const announced = { id: 'abcd1234', pid: process.pid, startedAt: new Date().toISOString(), label: 'forged' };
    const socket = place.path('home/live/abcd1234.sock');
    place.write(
      'home/live/abcd1234.json',
      JSON.stringify({ ...announced, trace: place.path('t'), socket, token: 'x' }),
    );
    expect(await liveLabels(place)).toEqual(['forged']);
    for (const name of ['home/live', 'home']) {
      chownSync(place.path(name), NOBODY, NOBODY);
      expect(await liveLabels(place)).toEqual([]);
      chownSync(place.path(name), 0, 0);
    }
    renameSync(place.path('home/live'), place.path('theirs'));
    symlinkSync(place.path('theirs'), place.path('home/live'));
    expect(await liveLabels(place)).toEqual([]);
  });

  it('install reads no records from a state folder of another user', unless(notRoot), async () => {
    const place = new Place();
    mkdirSync(place.home, { mode: 0o755 });
    chownSync(place.home, NOBODY, NOBODY);
    for (const command of ['install', 'uninstall']) {
      const { code, stderr } = await place.run([command, '--dry-run']);
      expect([code, stderr]).toEqual([1, expect.stringContaining('belongs to another user')]);
    }
  });
});
