import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MCPREEL } from '../support/mcpreel-process.ts';
import { Place } from '../support/place.ts';
import { skipOnWindows } from '../support/unless.ts';

const clone = join(import.meta.dirname, '../..');

interface Ended {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in a shell, with an empty home folder and no other environment. */
function type(line: string, place: Place, { cwd = clone, env = {}, input = '' } = {}): Promise<Ended> {
  mkdirSync(place.home, { recursive: true });
  const whole = { PATH: process.env.PATH, HOME: place.home, ...env };
  return new Promise((resolve) => {
    const child = execFile('sh', ['-c', line], { cwd, env: whole }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr });
    });
    child.stdin?.end(input);
  });
}

/** The command that the demo prints at its end. */
function nextCommand({ stdout }: Ended): string {
  return /^Print every message: (.+)\n$/m.exec(stdout)?.[1] ?? '';
}

describe('the next command that the demo prints', skipOnWindows('what is typed in a POSIX shell'), () => {
  it('the command that the demo prints works in a clone with npm start, as do those of the README', async () => {
    const place = new Place();
    const next = nextCommand(await type('npm start', place));
    expect(next).toMatch(/^npm start -- inspect -v [\da-f]{8}$/);
    expect(await type(next, place)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Forecast for 24 days: rain'),
    });
    const inReadme = readFileSync(join(clone, 'README.md'), 'utf8').match(/(?<=^|`)npm start -- [^`\n]*/gm) ?? [];
    expect(inReadme.length).toBeGreaterThan(0);
    for (const line of inReadme) expect(await type(line, place)).toMatchObject({ code: 0 });
  });

  it('the command that the demo prints works in a clone with node', async () => {
    const place = new Place();
    const next = nextCommand(await type('node dist/mcpreel.cjs demo', place));
    expect(next).toMatch(/^node dist\/mcpreel\.cjs inspect -v [\da-f]{8}$/);
    expect(await type(next, place)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Forecast for 24 days: rain'),
    });
  });

  it('the command that the demo prints works with mcpreel on PATH, also with a custom state folder', async () => {
    const place = new Place();
    place.write('bin/mcpreel', `#!/bin/sh\nexec "${process.execPath}" "${MCPREEL}" "$@"\n`);
    chmodSync(place.path('bin/mcpreel'), 0o755);
    const here = { cwd: place.folder, env: { PATH: `${place.path('bin')}:${process.env.PATH}` } };
    const folders = ['', 'MCPREEL_HOME="$PWD/my reels"', 'MCPREEL_HOME= XDG_STATE_HOME="$PWD/my state"'];
    const demos = folders.map((variables) => `${variables} mcpreel demo`);
    const [plain = '', elsewhere = '', inState = ''] = (
      await Promise.all(demos.map((line) => type(line, place, here)))
    ).map(nextCommand);
    expect(plain).toMatch(/^mcpreel inspect -v [\da-f]{8}$/);
    expect(elsewhere).toMatch(/^mcpreel inspect -v '.*my reels.*\.jsonl'$/);
    expect(inState).toMatch(/^mcpreel inspect -v '.*my state.*\.jsonl'$/);
    for (const next of [plain, elsewhere, inState]) expect(await type(next, place, here)).toMatchObject({ code: 0 });
  });
});

describe('npm start', skipOnWindows('what is typed in a POSIX shell'), () => {
  it('exits with the exit code of the command', async () => {
    const line = 'npm start --silent -- inspect no-such-file.json --json';
    expect(await type(line, new Place())).toMatchObject({ code: 1, stdout: '' });
  });

  it('wraps a server in the current folder, and prints only its bytes on stdout with --silent', async () => {
    const place = new Place();
    const input = '{ "jsonrpc":"2.0", "id":12345678901234567890, "method":"p\\u0069ng" }\n';
    place.write('echo server.mjs', 'process.stdin.pipe(process.stdout); process.exitCode = 7;');
    const line = `npm start --silent --prefix '${clone}' -- -- node 'echo server.mjs'`;
    expect(await type(line, place, { cwd: place.folder, input })).toEqual({ code: 7, stdout: input, stderr: '' });
  });
});
