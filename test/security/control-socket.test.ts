import { chownSync, mkdirSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NOBODY } from '../support/other-user.ts';
import { Place } from '../support/place.ts';
import { echoServer } from '../support/servers.ts';
import { notLinux, notRoot, unless } from '../support/unless.ts';

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';

/** A state folder whose path is too long for a socket. */
function longHome(place: Place): string {
  return place.path(`${'long/'.repeat(25)}home`);
}

describe('a session without a control socket', unless(notLinux), () => {
  it.each([['--intercept'], ['--fail-closed'], ['--hold', 'tool:x']])(
    'sends nothing with %s, and fails',
    async (...flags) => {
      const place = new Place();
      const server = ['sh', '-c', `cat > ${place.path(place.write('received', ''))}`];
      // A file in place of the folder of announcements.
      place.write('blocked/live', 'a file');
      const blocked = { MCPREEL_HOME: place.path('blocked') };
      const { code, stderr } = await place.run([...flags, '--', ...server], { input: PING, env: blocked });
      expect([code, stderr]).toEqual([1, expect.stringContaining('Not started: held messages could not be released')]);
      expect(place.read('received')).toBe('');
    },
  );

  it('starts other sessions, and reports at once that they cannot be watched', async () => {
    const place = new Place();
    place.write('blocked/live', 'a file');
    const { code, stdout, stderr } = await place.run(['--', ...echoServer], {
      input: PING,
      env: { MCPREEL_HOME: place.path('blocked') },
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: PING });
    expect(stderr).toMatch(/^mcpreel: Other processes cannot watch or control this session: [^\n]+\n$/);
  });

  it('reports that its state folder is owned by another user', unless(notRoot), async () => {
    const place = new Place();
    mkdirSync(place.home);
    chownSync(place.home, NOBODY, NOBODY);
    const { stderr } = await place.run(['--', ...echoServer], { input: PING });
    expect(stderr).toMatch(/^mcpreel: Recording paused: .* belongs to another user[^\n]*\n$/);
  });

  it('places its socket in a private folder of its own if the path is too long, and removes it', async () => {
    const place = new Place();
    mkdirSync(place.path('run'));
    const env = { MCPREEL_HOME: longHome(place), XDG_RUNTIME_DIR: place.path('run') };
    const running = place.start(['--intercept', '--hold-timeout', '1', '--', ...echoServer], env);
    await expect.poll(() => readdirSync(place.path('run')).length).toBe(1);
    const [folder = ''] = readdirSync(place.path('run'));
    await expect.poll(() => readdirSync(place.path(`run/${folder}`))).toEqual(['session.sock']);
    expect(place.mode(`run/${folder}`)).toBe(0o700);
    running.end();
    await running.ended;
    expect(readdirSync(place.path('run'))).toEqual([]);
  });
});
