import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { answering, writeTalk } from '../replay/told-session.ts';
import { CommandPlace } from '../support/command-place.ts';
import { MCPREEL } from '../support/mcpreel-process.ts';
import { pings, seedExample, sessionText } from '../support/session-texts.ts';
import { asRoot, skipOnWindows, unless } from '../support/unless.ts';

const CALLS = [['get_count', '3']] as const;
const SAME = { get_count: '3' };

describe('an output file that is given as -', () => {
  it.each([
    [['export', 'a.json']],
    [['export', 'a.json', '-f', 'trace']],
    [['export', 'a.json', '-f', 'markdown']],
    [['export', 'a.json', '-f', 'assay']],
    [['export', 'a.json', '-f', 'html']],
    [['redact', 'a.json']],
    [['import', 'a.json', '--to', 'session']],
    [['proxy', 'export', '--session-file', 'a.json']],
  ])('%j -o - writes the bytes to standard output that it writes to a file', async (args) => {
    const place = new CommandPlace();
    place.write('a.json', seedExample);
    const toFile = await place.run([...args, '-o', 'out']);
    const { code, bytes, stderr } = await place.run([...args, '-o', '-']);
    expect([toFile.code, code]).toEqual([0, 0]);
    expect(bytes.toString()).toBe(place.read('out'));
    expect(stderr).not.toContain('Error');
    expect(place.files()).toEqual(['a.json', 'out']);
  });

  it.each(['/dev/stdout', '/dev/fd/1'])(
    '%s counts as standard output, and is never replaced',
    skipOnWindows('Windows has no /dev'),
    async (name) => {
      const place = new CommandPlace();
      const before = lstatSync('/dev/stdout').isSymbolicLink();
      place.write('a.json', sessionText(pings(1)));
      const out = openSync(place.path('out'), 'w');
      const args = [MCPREEL, 'check', 'a.json', '--sarif', name];
      const { status } = spawnSync(process.execPath, args, { cwd: place.folder, stdio: ['ignore', out, 'ignore'] });
      closeSync(out);
      expect(status).toBe(3);
      expect(JSON.parse(place.read('out'))).toMatchObject({ version: '2.1.0' });
      expect(lstatSync('/dev/stdout').isSymbolicLink()).toBe(before);
    },
  );

  it('names standard output for the normalized trace of import', async () => {
    const place = new CommandPlace();
    place.write('a.json', seedExample);
    const { code, stdout } = await place.run(['trace', 'import-mcp', '--input', 'a.json', '--out-trace', '-']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\{"type":"episode_start"/);
    expect(place.files()).toEqual(['a.json']);
  });

  it('redact --json reports no file', async () => {
    const place = new CommandPlace();
    const { stdout, stderr } = await place.run(['redact', '-', '-o', '-', '--json'], { input: seedExample });
    expect(stdout).toBe(seedExample);
    expect(JSON.parse(stderr)).toMatchObject({ output: null });
  });

  it.each(['--output', '--record', '--junit', '--sarif', '--html'])(
    'replay %s - prints only that result on standard output, and the rest on standard error',
    async (flag) => {
      const place = new CommandPlace();
      const file = writeTalk(place, CALLS);
      const before = place.files();
      const { code, stdout, stderr } = await place.run(['replay', file, flag, '-', '--', ...answering(SAME)]);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^[{<]/);
      expect(stdout).not.toContain('Results: ');
      expect(stderr).toContain('  #000 > initialize match');
      expect(stderr).toContain('Results: 2/2 matched');
      expect(place.files()).toEqual(before);
    },
  );

  it.each(['--junit', '--sarif'])('check %s - prints only that report on standard output', async (flag) => {
    const place = new CommandPlace();
    place.write('a.json', sessionText(pings(1)));
    const { code, stdout, stderr } = await place.run(['check', 'a.json', flag, '-']);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^[{<]/);
    expect(stderr).toContain('hung-call');
    expect(stderr).toContain('1 session');
  });

  it('diff --html - prints only the page', async () => {
    const place = new CommandPlace();
    place.write('a.json', seedExample);
    const { code, stdout } = await place.run(['diff', 'a.json', 'a.json', '--html', '-']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^<!doctype html>/i);
    expect(place.files()).toEqual(['a.json']);
  });

  it('replay --learn --ignore-file - prints only the learned rules', async () => {
    const place = new CommandPlace();
    const file = writeTalk(place, CALLS);
    const before = place.files();
    const flags = ['--learn', '2', '--ignore-file', '-'];
    const { code, stdout, stderr } = await place.run(['replay', file, ...flags, '--', ...answering(SAME)]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('Results: 2/2 matched');
    expect(place.files()).toEqual(before);
  });

  it('import refuses - for a folder', async () => {
    const place = new CommandPlace();
    place.write('a.json', seedExample);
    expect(await place.run(['import', 'a.json', '--out-dir', '-'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'Error: --out-dir must be a folder, found -. Use -o - for standard output, or ./- for such a folder.\n',
    });
    expect(place.files()).toEqual(['a.json']);
  });

  it('refuses two results on standard output', async () => {
    const place = new CommandPlace();
    place.write('a.json', seedExample);
    expect(await place.run(['check', 'a.json', '--junit', '-', '--sarif', '-'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'Error: --junit and --sarif both write to standard output. Name a file for one of them.\n',
    });
  });
});

describe('a result that cannot be written', () => {
  /** A server that leaves a file behind as soon as it starts. */
  const leavesMark = (place: CommandPlace): string[] => [
    process.execPath,
    '-e',
    `require('node:fs').writeFileSync(${JSON.stringify(place.path('sent'))}, ''); process.stdin.resume()`,
  ];

  it.each(['--output', '--record', '--junit', '--sarif', '--html'])(
    'replay %s fails before anything is sent, and leaves nothing behind',
    async (flag) => {
      const place = new CommandPlace();
      const file = writeTalk(place, CALLS);
      mkdirSync(place.path('folder'));
      const before = place.files();
      for (const [target, why] of [
        ['missing/out', 'no such file or folder'],
        ['missing/', 'no such file or folder'],
        ['folder', 'is a folder'],
        ['folder/', 'is a folder'],
        ['', 'the path is empty'],
      ] as const) {
        const outcome = await place.run(['replay', file, flag, target, '--', ...leavesMark(place)]);
        const stderr = `Error: Cannot write ${target || '""'}: ${why}\n`;
        expect(outcome).toMatchObject({ code: 1, stdout: '', stderr });
      }
      expect(place.files()).toEqual(before);
    },
  );

  it.each([
    ['out', 'out'],
    ['out', './out'],
    ['out', 'folder/../out'],
    ['link', 'out'],
    ['out', 'dangling'],
    ['folder/x', 'linked/x'],
  ])(
    'replay refuses %s and %s for two results, before anything is sent',
    skipOnWindows('Windows has no links for everybody'),
    async (first, second) => {
      const place = new CommandPlace();
      const file = writeTalk(place, CALLS);
      mkdirSync(place.path('folder'));
      symlinkSync('folder', place.path('linked'));
      symlinkSync('out', place.path(first === 'link' ? 'link' : 'dangling'));
      if (first === 'link') place.write('out', 'old');
      const before = place.files();
      expect(
        await place.run(['replay', file, '--output', first, '--record', second, '--', ...leavesMark(place)]),
      ).toMatchObject({
        code: 2,
        stdout: '',
        stderr: `Error: --output and --record both write to ${second}. Name another file for one of them.\n`,
      });
      expect(place.files()).toEqual(before);
    },
  );

  it('check refuses one file for both reports, and accepts one device for both', async () => {
    const place = new CommandPlace();
    place.write('a.json', seedExample);
    expect(await place.run(['check', 'a.json', '--junit', 'two', '--sarif', 'two'])).toMatchObject({ code: 2 });
    expect(place.files()).toEqual(['a.json']);
    if (process.platform === 'win32') return;
    const toDevice = ['check', 'a.json', '--junit', '/dev/null', '--sarif', '/dev/null'];
    expect(await place.run(toDevice)).toMatchObject({ code: 0 });
  });

  it('replay refuses the file of learned rules for another result', async () => {
    const place = new CommandPlace();
    const file = writeTalk(place, CALLS);
    const flags = ['--learn', '2', '--ignore-file', 'one', '--output', 'one'];
    expect(await place.run(['replay', file, ...flags, '--', ...leavesMark(place)])).toMatchObject({ code: 2 });
    expect(place.files()).not.toContain('sent');
  });

  it('replay --update fails before anything is sent if the folder is read-only', unless(asRoot), async () => {
    const place = new CommandPlace();
    const file = writeTalk(place, CALLS);
    chmodSync(place.folder, 0o500);
    const { code, stderr } = await place.run(['replay', file, '--update', '--', ...leavesMark(place)]);
    chmodSync(place.folder, 0o700);
    expect({ code, stderr }).toEqual({ code: 1, stderr: `Error: Cannot write ${file}: permission denied\n` });
    expect(place.files()).not.toContain('sent');
  });

  it('does not touch an existing file before there is a result', async () => {
    const place = new CommandPlace();
    const file = writeTalk(place, CALLS);
    place.write('out.json', 'precious');
    const before = place.files();
    const { code } = await place.run(['replay', file, '--output', 'out.json', '--', './no-such-server']);
    expect([code, place.read('out.json')]).toEqual([1, 'precious']);
    expect(place.files()).toEqual(before);
  });
});
