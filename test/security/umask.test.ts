import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startMock } from '../../src/index.ts';
import { ownPlace } from '../library/shop.ts';
import { Place } from '../support/place.ts';
import { echoServer } from '../support/servers.ts';
import { seedExample } from '../support/session-texts.ts';
import { skipOnWindows } from '../support/unless.ts';
import { openToOthers } from './artefacts.ts';

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';

/** Sets the umask of this process and its children. */
function useUmask(mask: number): void {
  const before = process.umask(mask);
  onTestFinished(() => void process.umask(before));
}

function modeOf(path: string): number | undefined {
  const status = statSync(path, { throwIfNoEntry: false });
  return status && status.mode & 0o777;
}

describe.each([
  ['lets everybody do anything', 0o000],
  ['is the usual one', 0o022],
  ['lets nobody else do anything', 0o077],
])('when the umask %s', skipOnWindows('Windows has no umask'), (_, mask) => {
  it('only their owner can access the files and socket of a session, during and after it', async () => {
    useUmask(mask);
    const place = new Place();
    const running = place.start(['--session-file', 'session.json', '--max-bytes', '1k', '--', ...echoServer]);
    for (let line = 0; line < 5; line++) running.write(PING);
    await running.sent(PING.repeat(5));
    const { socket } = JSON.parse(place.read(place.files().find((name) => name.startsWith('home/live/')) ?? ''));
    // The socket appears a moment after the message that announces it.
    await expect.poll(() => modeOf(socket)).toBe(0o600);
    expect(openToOthers(place.folder)).toEqual([]);
    running.end();
    expect(await running.ended).toMatchObject({ code: 0 });
    expect(place.traces().length).toBeGreaterThan(1);
    expect(place.files()).toContain('session.json');
    expect(openToOthers(place.folder)).toEqual([]);
  });

  it('the library creates its endpoint for programs in a folder that only its owner can access', async () => {
    const place = ownPlace();
    place.write('session.json', seedExample);
    useUmask(mask);
    const mock = await startMock(place.path('session.json'));
    onTestFinished(async () => void (await mock.stop()));
    expect(modeOf(dirname(mock.args.at(-1) ?? ''))).toBe(0o700);
  });
});
