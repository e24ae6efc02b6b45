import { chownSync, lchownSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unnamedHeader } from '../../src/model/session.ts';
import { TraceRecorder } from '../../src/record/trace-recorder.ts';
import { socketPlace } from '../../src/state/socket-place.ts';
import { isOwnSocket } from '../../src/state/trusted-folder.ts';
import { CommandPlace } from '../support/command-place.ts';
import { NOBODY } from '../support/other-user.ts';
import { Place } from '../support/place.ts';
import { echoServer } from '../support/servers.ts';
import { notRoot, skipOnWindows, unless } from '../support/unless.ts';

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';

describe('a folder that belongs to another user', unless(notRoot), () => {
  it('records nothing in a folder of another user, and writes no session file', async () => {
    const place = new Place();
    mkdirSync(join(place.home, 'sessions'), { recursive: true });
    for (const path of [place.home, join(place.home, 'sessions')]) chownSync(path, NOBODY, NOBODY);
    const out = place.path('out.json');
    const { code, stdout, stderr } = await place.run(['record', '--session-file', out, '--', ...echoServer], {
      input: PING,
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: PING });
    expect(stderr).toContain('belongs to another user');
    expect(readdirSync(place.home, { recursive: true })).toEqual(['sessions']);
    expect(readdirSync(dirname(out))).not.toContain('out.json');
  });

  it.each(['a', 'a/b', 'a/b/home', 'a/b/home/sessions'])(
    'records nothing if %s on the way to the traces belongs to another user, and reports it in one line',
    async (owned) => {
      const place = new Place();
      const home = place.path('a/b/home');
      mkdirSync(join(home, 'sessions'), { recursive: true });
      chownSync(place.path(owned), NOBODY, NOBODY);
      const ran = await place.run(['--', ...echoServer], { input: PING, env: { MCPREEL_HOME: home } });
      expect(ran).toMatchObject({ code: 0, stdout: PING });
      const notes = ran.stderr.split('\n').filter((line) => line.startsWith('mcpreel: '));
      expect(notes).toEqual([expect.stringContaining(`${place.path(owned)} belongs to another user`)]);
      expect(readdirSync(join(home, 'sessions'))).toEqual([]);
      const judged = await place.run(['doctor'], { env: { MCPREEL_HOME: home } });
      expect(judged.stdout).toContain(`${place.path(owned)} belongs to another user`);
      expect((await place.run(['--must-record', '--', ...echoServer], { env: { MCPREEL_HOME: home } })).code).not.toBe(
        0,
      );
    },
  );

  it('announces no session in a folder of another user, and creates no control socket there', async () => {
    const place = new Place();
    mkdirSync(join(place.home, 'live'), { recursive: true });
    chownSync(join(place.home, 'live'), NOBODY, NOBODY);
    const { stderr } = await place.run(['--', ...echoServer], { input: PING });
    expect(stderr).toContain(`${join(place.home, 'live')} belongs to another user`);
    expect(readdirSync(join(place.home, 'live'))).toEqual([]);
    expect((await place.run(['--intercept', '--', ...echoServer], { input: PING })).code).not.toBe(0);
  });

  it('does not reach its state folder through a link of another user', async () => {
    const place = new Place();
    mkdirSync(place.path('real'), { recursive: true });
    mkdirSync(place.path('theirs'));
    symlinkSync('../real', place.path('theirs/state'));
    lchownSync(place.path('theirs/state'), NOBODY, NOBODY);
    const env = { MCPREEL_HOME: place.path('theirs/state/home') };
    const { stderr } = await place.run(['--', ...echoServer], { input: PING, env });
    expect(stderr).toContain(`${place.path('theirs/state')} belongs to another user`);
    expect(readdirSync(place.path('real'))).toEqual([]);
  });

  it('doctor rejects a state folder of another user', async () => {
    const place = new CommandPlace();
    mkdirSync(place.home, { recursive: true });
    chownSync(place.home, NOBODY, NOBODY);
    expect((await place.run(['doctor'])).stdout).toContain('belongs to another user');
  });

  it('places no control socket and no token in a folder of another user', () => {
    const place = new Place();
    const runtime = place.path('rt');
    mkdirSync(runtime);
    chownSync(runtime, NOBODY, NOBODY);
    const env = { XDG_RUNTIME_DIR: runtime };
    const chosen = socketPlace('x'.repeat(200), 'id', { platform: 'linux', env });
    expect(chosen).toBeDefined();
    expect(chosen).not.toContain(runtime);
    expect(readdirSync(runtime)).toEqual([]);
    writeFileSync(join(runtime, 'session.sock'), '');
    expect(isOwnSocket(join(runtime, 'session.sock'))).toBe(false);
  });
});

describe('a rotating trace', skipOnWindows('Windows does not rename a folder with open files'), () => {
  it('removes and creates nothing in a folder that was put in place of its own', async () => {
    const place = new Place();
    const folder = place.path('p');
    mkdirSync(folder);
    const recorder = new TraceRecorder({
      path: join(folder, 'X.jsonl'),
      header: unnamedHeader(''),
      rotation: { maxBytes: 500, maxFiles: 2 },
      onFailure: () => undefined,
    });
    const write = (): void => {
      for (let n = 0; n < 9; n++) {
        recorder.append([{ kind: 'event', event: 'mcpreel.action', atMs: 0, raw: `{"a":"${'x'.repeat(200)}"}` }]);
      }
    };
    write();
    const names = readdirSync(folder);
    renameSync(folder, place.path('q'));
    mkdirSync(folder);
    for (const name of names) writeFileSync(join(folder, name), 'precious');
    write();
    expect(recorder.isInPlace).toBe(false);
    await recorder.close({ endedAtMs: 0, exitCode: 0, reason: 'producer_shutdown' } as never);
    expect(readdirSync(folder)).toEqual(names);
  });
});
