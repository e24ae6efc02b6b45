import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { checkNode, OLDEST_NODE } from '../../src/cli/commands/doctor/doctor.ts';
import type { DoctorCheck } from '../../src/cli/commands/doctor/doctor-check.ts';
import { splitCommandLine } from '../../src/model/command-line.ts';
import { ClientHome } from '../support/client-home.ts';
import type { McpreelProcess } from '../support/mcpreel-process.ts';

/** A server that runs until it is killed. */
const SERVER = [process.execPath, '-e', 'process.stdin.resume()'];

interface Report {
  readonly checks: readonly DoctorCheck[];
  readonly wrong: number;
  readonly notes: number;
}

async function examine(home: ClientHome): Promise<Report & { readonly code: number | null }> {
  const { code, stdout, stderr } = await home.run('doctor', '--json');
  expect(stderr).toBe('');
  return { code, ...(JSON.parse(stdout) as Report) };
}

function wrongIn({ checks }: Report): DoctorCheck[] {
  return checks.filter(({ mark }) => mark === 'wrong');
}

/** A live session that other commands can find. */
async function running(home: ClientHome, ...flags: string[]): Promise<McpreelProcess> {
  const session = home.place.start([...flags, '--label', 'mine', '--', ...SERVER], home.env);
  await vi.waitFor(() => {
    expect(readdirSync(home.place.path('home/live')).join()).toContain('.json');
    // The trace may be written later than that.
    const [trace = ''] = readdirSync(home.place.path('home/sessions')).filter((name) => name.endsWith('.jsonl'));
    expect(home.place.read(`home/sessions/${trace}`)).toContain('"type":"meta"');
  }, 20_000);
  return session;
}

describe('mcpreel doctor', () => {
  it('reports that nothing was recorded yet, and leaves nothing behind', async () => {
    const home = new ClientHome({});
    const { code, stdout, stderr } = await home.run('doctor');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`ok     node: Node ${process.versions.node} `);
    expect(stdout).toContain(`note   state folder: ${home.place.home} does not exist yet`);
    expect(stdout).toContain('note   sessions: no recordings yet\n       → Try it: mcpreel demo\n');
    expect(stdout).toMatch(/\nNo problems \(\d notes\)\n$/);
    expect(existsSync(home.place.home)).toBe(false);
  });

  it('finds no problems in what mcpreel itself recorded', async () => {
    const home = new ClientHome({});
    await home.place.runBuilt(['--', ...SERVER], { env: home.env });
    const report = await examine(home);
    expect(wrongIn(report)).toEqual([]);
    expect(report.code).toBe(0);
    expect(report.checks).toContainEqual(expect.objectContaining({ topic: 'permissions', mark: 'ok' }));
    expect(report.checks).toContainEqual(
      expect.objectContaining({ topic: 'sessions', mark: 'ok', what: expect.stringMatching(/^1 session recorded, /) }),
    );
  });

  it('finds files and folders that others can read, and its fix restricts them', async () => {
    const home = new ClientHome({});
    await home.place.runBuilt(['--', ...SERVER], { env: home.env });
    const [trace = ''] = home.place.traces();
    chmodSync(home.place.path(trace), 0o644);
    chmodSync(home.place.path('home/sessions'), 0o755);
    const report = await examine(home);
    expect(report.code).toBe(3);
    const [check] = wrongIn(report);
    expect(check?.what).toContain(`${home.place.path(trace)}: readable by other users`);
    const [program = '', ...args] = splitCommandLine(check?.mend ?? '');
    execFileSync(program, args);
    expect(await examine(home)).toMatchObject({ code: 0, wrong: 0 });
    expect(home.place.mode(trace)).toBe(0o600);
  });

  it('notes symbolic links in the state folder, and does not follow them', async () => {
    const home = new ClientHome({ 'elsewhere/open.txt': 'x' });
    home.place.write('home/sessions/x.txt', '');
    execFileSync('chmod', ['-R', 'go=', home.place.home]);
    symlinkSync(home.path('elsewhere'), home.place.path('home/sessions/link'));
    const report = await examine(home);
    expect(report.code).toBe(0);
    expect(report.checks.filter(({ topic }) => topic === 'permissions')).toEqual([
      expect.objectContaining({ mark: 'note', what: expect.stringContaining('sessions/link: a symbolic link') }),
    ]);
  });

  it('reports a state folder that is a file', async () => {
    const home = new ClientHome({});
    home.place.write('home', '');
    const report = await examine(home);
    expect(report.code).toBe(3);
    expect(wrongIn(report)).toEqual([
      expect.objectContaining({ topic: 'state folder', what: expect.stringContaining('it is not a folder') }),
    ]);
  });

  it('reports that the recordings cannot be listed', async () => {
    const home = new ClientHome({});
    home.place.write('home/sessions', '');
    const report = await examine(home);
    expect(report.code).toBe(3);
    expect(wrongIn(report)).toContainEqual(
      expect.objectContaining({ topic: 'sessions', what: expect.stringContaining('Cannot use the state folder') }),
    );
  });

  it('lists the running sessions', async () => {
    const home = new ClientHome({});
    const session = await running(home);
    await vi.waitFor(async () => {
      const { checks } = await examine(home);
      expect(checks).toContainEqual(
        expect.objectContaining({
          mark: 'ok',
          what: expect.stringMatching(/^session \w{8} \(mine, process \d+\) is running/),
        }),
      );
    }, 20_000);
    session.end();
    await session.ended;
  });

  it('finds a session file that was not written because mcpreel was killed, and shows how to recover it', async () => {
    const home = new ClientHome({});
    const session = await running(home, '--no-journal', '--session-file', 'out.json');
    session.signal('SIGKILL');
    await session.ended;
    const report = await examine(home);
    expect(report.code).toBe(3);
    expect(report.checks).toContainEqual(
      expect.objectContaining({ mark: 'ok', what: 'removed leftovers of 1 killed session' }),
    );
    const [check] = wrongIn(report);
    expect(check?.what).toMatch(/^session \w{8} \(mine\) was cut short before .*out\.json was written$/);
    // The path comes from the trace, so no command that writes there is recommended.
    expect(check?.mend).not.toContain('out.json');
    const [, ...args] = splitCommandLine(check?.mend ?? '');
    expect(await home.run(...args)).toMatchObject({ code: 0 });
    expect(await examine(home)).toMatchObject({ code: 0, wrong: 0 });
  });

  it('finds wrapped servers whose recorder is gone, and its fix wraps them again', async () => {
    const server = { command: process.execPath, args: ['/gone/mcpreel.cjs', '--label', 'files', '--', 'node', 'x.js'] };
    const home = new ClientHome({ '.cursor/mcp.json': JSON.stringify({ mcpServers: { files: server } }) });
    const report = await examine(home);
    expect(report.code).toBe(3);
    const [check] = wrongIn(report);
    expect(check?.what).toBe('Cursor: files needs /gone/mcpreel.cjs, which was not found');
    for (const command of (check?.mend ?? '').split(' && ')) {
      expect(await home.run(...splitCommandLine(command).slice(1))).toMatchObject({ code: 0 });
    }
    const after = await examine(home);
    expect(after).toMatchObject({ code: 0, wrong: 0 });
    expect(after.checks).toContainEqual({ topic: 'clients', mark: 'ok', what: 'Cursor: files is wrapped' });
  });

  it('finds unreadable configuration, and counts the servers that are not recorded', async () => {
    const home = new ClientHome({
      '.cursor/mcp.json': '{"mcpServers": ',
      '.gemini/settings.json': '{"mcpServers":{"a":{"command":"node"}}}',
    });
    const report = await examine(home);
    expect(report.code).toBe(3);
    expect(wrongIn(report).map(({ what }) => what)).toEqual([expect.stringContaining('.cursor/mcp.json: ')]);
    expect(report.checks).toContainEqual(expect.objectContaining({ mark: 'note', what: '1 server not wrapped' }));
  });

  it.each([
    ['20.18.3', 'wrong'],
    ['18.20.0', 'wrong'],
    ['20.19.0', 'ok'],
    ['22.1.0', 'ok'],
    ['26.0.0-nightly', 'ok'],
  ])('marks Node %s as %s', (version, mark) => {
    expect(checkNode(version, '/usr/bin/node').mark).toBe(mark);
  });

  it('requires the Node version of package.json', () => {
    const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(`>=${OLDEST_NODE}`).toBe(`${engines.node}.0`);
  });
});

describe('docs/doctor.md', () => {
  const text = readFileSync(new URL('../../docs/doctor.md', import.meta.url), 'utf8');

  it('contains only commands that work', async () => {
    const home = new ClientHome({});
    const lines = [...text.matchAll(/^mcpreel (.*)$/gm)].map(([, line = '']) => line.replace(/ [<>|] .*$/, ''));
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(await home.run(...line.split(' '))).toMatchObject({ code: 0, stderr: '' });
  });

  it('names every topic that doctor checks', () => {
    for (const topic of ['node', 'state folder', 'permissions', 'clients', 'sessions']) {
      expect(text).toContain(`| \`${topic}\` |`);
    }
  });
});
