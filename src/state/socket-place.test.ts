import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { skipOnWindows } from '../../test/support/unless.ts';
import { socketPlace } from './socket-place.ts';

const ID = 'abcd1234-0000-4000-8000-000000000000';
const LONG = `/home/${'somebody/'.repeat(10)}live`;

let runtime = '';
beforeEach(() => {
  runtime = mkdtempSync(join(tmpdir(), 'run-'));
});
afterEach(() => rmSync(runtime, { recursive: true, force: true }));

describe('a control socket', skipOnWindows('Windows has pipes, which have no place among files'), () => {
  const own = (): string => join(runtime, `mcpreel-${userInfo().uid}`);

  it('lies next to the announcement', () => {
    expect(socketPlace('/s/live', ID, { platform: 'linux', env: {} })).toBe(`/s/live/${ID}.sock`);
  });

  it('lies in a private folder if the path would be truncated', () => {
    const place = socketPlace(LONG, ID, { platform: 'linux', env: { XDG_RUNTIME_DIR: runtime } });
    expect(place).toBe(join(own(), 'abcd123400004000.sock'));
    expect(statSync(own()).mode & 0o777).toBe(0o700);
    expect(socketPlace(LONG, ID, { platform: 'linux', env: { XDG_RUNTIME_DIR: runtime } })).toBe(place);
  });

  it('does not lie in a folder that other users can enter', () => {
    mkdirSync(own());
    chmodSync(own(), 0o755);
    const place = socketPlace(LONG, ID, { platform: 'linux', env: { XDG_RUNTIME_DIR: runtime } });
    expect(place?.startsWith(runtime)).not.toBe(true);
  });

  it.each(['relative/folder', '', `/run/${'x'.repeat(100)}`])('does not lie in the runtime folder "%s"', (folder) => {
    const place = socketPlace(LONG, ID, { platform: 'linux', env: { XDG_RUNTIME_DIR: folder } });
    expect(place).toMatch(/^\/.*\.sock$/);
    expect(Buffer.byteLength(place ?? '')).toBeLessThanOrEqual(100);
  });
});

it('uses a pipe with an unguessable name on Windows', () => {
  const names = [1, 2].map(() => socketPlace('C:\\live', ID, { platform: 'win32', env: {} }));
  for (const name of names) expect(name).toMatch(/^\\\\\.\\pipe\\mcpreel-[\da-f]{32}$/);
  expect(names[0]).not.toBe(names[1]);
});
