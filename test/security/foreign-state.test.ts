import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, lchownSync, mkdirSync, readdirSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NOBODY } from '../support/other-user.ts';
import { Place } from '../support/place.ts';
import { echoServer } from '../support/servers.ts';
import { notRoot, skipOnWindows, unless } from '../support/unless.ts';

const ID = '550e8400';
const TRACE = `{"v":1,"type":"meta","startedAt":"2026-05-12T23:00:00.000Z","label":"f","command":["node"],"id":"${ID}-e29b-41d4-a716-446655440000","transport":"stdio","metadata":{},"kind":"mcp"}
{"t":"2026-05-12T23:00:00.100Z","dir":"in","seq":0,"id":"x1","raw":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}
{"t":"2026-05-12T23:00:00.110Z","dir":"out","seq":1,"id":"x2","corr":"x1","raw":{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}}}
{"t":"2026-05-12T23:00:30.000Z","type":"end","exitCode":0,"durationMs":1}
`;
const ACCEPTED = { version: 1, servers: {} };

/** A state folder of another user with one old trace. */
function foreignPlace(): Place {
  const place = new Place();
  place.write('home/sessions/a.jsonl', TRACE);
  utimesSync(place.path('home/sessions/a.jsonl'), 0, 0);
  for (const name of ['home', 'home/sessions', 'home/sessions/a.jsonl']) chownSync(place.path(name), NOBODY, NOBODY);
  return place;
}

it.each([
  ['everybody', 0, 0o777],
  ['a group of other users', NOBODY, 0o775],
])(
  'a session with --intercept does not start below a folder that %s can write to',
  unless(notRoot),
  async (_, gid, mode) => {
    const place = new Place();
    mkdirSync(place.path('shared/mine'), { recursive: true });
    chownSync(place.path('shared'), 0, gid);
    chmodSync(place.path('shared'), mode);
    const env = { MCPREEL_HOME: place.path('shared/mine/state') };
    const { code, stderr } = await place.run(['--intercept', '--', ...echoServer], { env });
    expect([code, stderr]).toEqual([1, expect.stringContaining('Not started: held messages could not be released')]);
    expect(readdirSync(place.path('shared/mine'))).toEqual([]);
  },
);

describe('a state folder that belongs to another user', unless(notRoot), () => {
  it.each([
    ['sessions'],
    ['sessions', 'show', ID],
    ['sessions', 'recover', ID],
    ['sessions', 'rm', ID],
    ['sessions', 'prune', '--older-than', '1d', '--yes'],
    ['inspect', ID],
    ['export', ID, '-o', 'out.json'],
    ['stats'],
    ['baseline', 'accept', ID],
    ['baseline', 'accept', 'own.jsonl'],
    ['baseline', 'show'],
    ['baseline', 'reset', '--all'],
    ['install', '--dry-run'],
    ['uninstall', '--dry-run'],
  ])('is neither read nor changed by %s %s %s', async (...args) => {
    const place = foreignPlace();
    place.write('own.jsonl', TRACE);
    const before = place.files();
    const { code, stderr } = await place.run(args.filter((word) => word !== undefined));
    expect({ code, lines: stderr.trimEnd().split('\n').slice(0, 1) }).toEqual({
      code: 1,
      lines: [expect.stringContaining(`${place.home} belongs to another user`)],
    });
    expect(place.files()).toEqual(before);
  });

  it('prune does not follow a link that another user put in place of the sessions', async () => {
    const place = new Place();
    place.write('victim/mine.jsonl', TRACE);
    utimesSync(place.path('victim/mine.jsonl'), 0, 0);
    mkdirSync(place.home);
    symlinkSync(place.path('victim'), join(place.home, 'sessions'));
    lchownSync(join(place.home, 'sessions'), NOBODY, NOBODY);
    const { code, stderr } = await place.run(['sessions', 'prune', '--older-than', '1d', '--yes']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('belongs to another user')]);
    expect(existsSync(place.path('victim/mine.jsonl'))).toBe(true);
  });

  it('sessions are not removed in a folder of this user that can be reached only through one of another user', async () => {
    const place = new Place();
    mkdirSync(place.path('theirs'));
    place.write('theirs/mine/a.jsonl', TRACE);
    utimesSync(place.path('theirs/mine/a.jsonl'), 0, 0);
    chownSync(place.path('theirs'), NOBODY, NOBODY);
    mkdirSync(place.home);
    symlinkSync(place.path('theirs/mine'), join(place.home, 'sessions'));
    const { code, stderr } = await place.run(['sessions', 'prune', '--older-than', '1d', '--yes']);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${place.path('theirs')} belongs to another user`)]);
    expect(place.files()).toEqual(['theirs/mine/a.jsonl']);
  });

  it('baseline accept does not wait for a pipe of another user', async () => {
    const place = new Place();
    place.write('own.jsonl', TRACE);
    execFileSync('mkfifo', ['-m', '666', place.path('out')]);
    chownSync(place.path('out'), NOBODY, NOBODY);
    const { code, stderr } = await place.run(['baseline', 'accept', 'own.jsonl', '--baseline', 'out']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'Error: Cannot read out: it is a pipe owned by another user\n',
    });
  });

  it('check uses no baseline of another user, and needs none', async () => {
    const place = foreignPlace();
    place.write('own.jsonl', TRACE);
    expect((await place.run(['check', 'own.jsonl', '--fail-on', 'drift'])).code).toBe(0);
    place.write('home/baseline.json', JSON.stringify(ACCEPTED));
    const refused = await place.run(['check', 'own.jsonl', '--fail-on', 'drift']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('belongs to another user')]);
    expect((await place.run(['check', 'own.jsonl', '--no-baseline'])).code).toBe(0);
  });

  it('import writes nothing beside a trace of a foreign state folder unless it is told where', async () => {
    const place = foreignPlace();
    const before = place.files();
    const { code, stderr } = await place.run(['import', 'home/sessions/a.jsonl']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('belongs to another user')]);
    expect(place.files()).toEqual(before);
    expect((await place.run(['import', 'home/sessions/a.jsonl', '-o', 'a.trace.jsonl'])).code).toBe(0);
  });
});

describe('folders of sessions that others can list', skipOnWindows('Windows has no file modes'), () => {
  it.each([
    ['a recording', ['--', ...echoServer]],
    ['a command', ['sessions']],
  ])('are closed by %s', async (_, args) => {
    const place = new Place();
    mkdirSync(join(place.home, 'sessions'), { recursive: true });
    chmodSync(place.home, 0o755);
    chmodSync(join(place.home, 'sessions'), 0o770);
    expect((await place.run(args)).code).toBe(0);
    expect([place.mode('home'), place.mode('home/sessions')]).toEqual([0o700, 0o700]);
  });

  it('a state folder that has other content stays open', async () => {
    const place = new Place();
    place.write('home/readme.md', '');
    chmodSync(place.home, 0o755);
    await place.run(['--', ...echoServer]);
    expect([place.mode('home'), place.mode('home/sessions')]).toEqual([0o755, 0o700]);
    expect(readdirSync(place.home)).toContain('readme.md');
  });
});
