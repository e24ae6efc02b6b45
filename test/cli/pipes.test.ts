import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { MCPREEL, type Outcome } from '../support/mcpreel-process.ts';
import { seedExample } from '../support/session-texts.ts';
import { skipOnWindows } from '../support/unless.ts';

const ON_PIPES = skipOnWindows('Windows has no named pipes in folders');

const TRANSCRIPT = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}\n';

/** Creates a named pipe, into which the content is written once. */
function fifo(place: CommandPlace, name: string, content: string): string {
  execFileSync('mkfifo', [place.path(name)]);
  // The writer waits for a reader, and fails if that closes the pipe early.
  void writeFile(place.path(name), content);
  return name;
}

describe('a named pipe', () => {
  it.each([
    [['inspect']],
    [['inspect', '--calls']],
    [['check']],
    [['export', '-f', 'jsonrpc']],
    [['stats']],
    [['redact', '--check']],
    [['import', '--to', 'trace']],
  ])('reads a named pipe with %j like standard input', ON_PIPES, async (command) => {
    const place = new CommandPlace();
    const piped = await place.run([...command, fifo(place, 'pipe', seedExample)]);
    const given = await place.run([...command, '-'], { input: seedExample });
    const named = ({ code, stdout, stderr }: Outcome): unknown => [
      code,
      stdout,
      stderr.replaceAll(/standard input|pipe/g, 'it'),
    ];
    expect(named(piped)).toEqual(named(given));
    expect(piped.code).toBe(0);
    expect(place.files()).toEqual([]);
  });

  it('reads a named pipe in place of either file in a comparison', ON_PIPES, async () => {
    const place = new CommandPlace();
    const args = ['diff', fifo(place, 'a', seedExample), fifo(place, 'b', seedExample), '--exit-code'];
    expect(await place.run(args)).toMatchObject({ code: 0, stderr: '' });
  });

  it('reports a named pipe without content as empty', ON_PIPES, async () => {
    const place = new CommandPlace();
    expect(await place.run(['inspect', fifo(place, 'pipe', '')])).toMatchObject({
      code: 1,
      stderr: 'Error: pipe is empty\n',
    });
  });
});

describe('a process substitution', () => {
  async function bash(place: CommandPlace, script: string): Promise<{ code: number; stdout: string; stderr: string }> {
    const env = { ...place.environment(), NODE: process.execPath, MCPREEL };
    const child = spawn('bash', ['--norc', '-c', script.replaceAll('mcpreel', '"$NODE" "$MCPREEL"')], {
      cwd: place.folder,
      env,
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk));
    child.stdin.end(seedExample);
    const [code] = (await once(child, 'close')) as [number];
    return { code, stdout, stderr };
  }

  it('reads a process substitution like a file on both sides of a comparison', ON_PIPES, async () => {
    const place = new CommandPlace();
    place.write('a.json', seedExample);
    place.write('b.json', seedExample.replaceAll('"capabilities": {}', '"capabilities": {"roots": {}}'));
    const { code, stdout, stderr } = await bash(place, 'mcpreel diff --exit-code <(cat a.json) <(cat b.json)');
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(stdout).toContain('roots');
  });

  it('imports a process substitution to stdout, because its folder is not one for results', ON_PIPES, async () => {
    const place = new CommandPlace();
    place.write('talk.jsonl', TRANSCRIPT);
    const { code, stdout } = await bash(place, 'mcpreel import <(cat talk.jsonl)');
    expect(code).toBe(0);
    expect(stdout).toBe((await place.run(['import', '-'], { input: TRANSCRIPT })).stdout);
    expect(stdout).toContain('"episode_id":"stdin"');
  });

  it.each(['/dev/stdin', '/dev/fd/0', '-'])('reads standard input by the name %s', ON_PIPES, async (name) => {
    const place = new CommandPlace();
    for (const source of ['', ' < a.json', ' < <(cat a.json)']) {
      place.write('a.json', seedExample);
      const { code, stdout, stderr } = await bash(place, `mcpreel inspect ${name}${source}`);
      expect([source, code, stderr]).toEqual([source, 0, '']);
      expect(stdout).toContain('Messages: 2\n');
    }
  });

  it('diff refuses one pipe for both sessions', ON_PIPES, async () => {
    const place = new CommandPlace();
    execFileSync('mkfifo', [place.path('pipe')]);
    expect(await place.run(['diff', 'pipe', './pipe'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'Error: The pipe ./pipe is given twice. Pass a file for one of them.\n',
    });
  });

  it('an interrupt ends a command that waits for the writer of a pipe', ON_PIPES, async () => {
    const place = new CommandPlace();
    execFileSync('mkfifo', [place.path('pipe')]);
    const running = place.start(['inspect', 'pipe']);
    // Without a reader, opening a pipe for writing fails instead of waiting.
    const opening = (): number | undefined => {
      try {
        return openSync(place.path('pipe'), constants.O_WRONLY | constants.O_NONBLOCK);
      } catch {
        return undefined;
      }
    };
    const writer = await vi.waitUntil(opening, { timeout: 30_000, interval: 10 });
    running.signal('SIGINT');
    expect(await running.ended).toMatchObject({ signal: 'SIGINT', stdout: '' });
    closeSync(writer);
  });
});
