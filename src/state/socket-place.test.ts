import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { skipOnWindows } from '../../test/support/unless.ts';
import { removeSocketFolder, socketPlace } from './socket-place.ts';

const ID = 'abcd1234-0000-4000-8000-000000000000';
const LONG = `/home/${'somebody/'.repeat(10)}live`;

let runtime = '';
beforeEach(() => {
  runtime = mkdtempSync(join(tmpdir(), 'run-'));
});
afterEach(() => rmSync(runtime, { recursive: true, force: true }));

describe('a control socket', skipOnWindows('Windows has pipes, which have no place among files'), () => {
  it('places the socket next to the announcement', () => {
    expect(socketPlace('/s/live', ID, { platform: 'linux', env: {} })).toBe(`/s/live/${ID}.sock`);
  });

  it('places the socket in a private folder of its own if the path would be truncated', () => {
    const places = [1, 2].map(() => socketPlace(LONG, ID, { platform: 'linux', env: { XDG_RUNTIME_DIR: runtime } }));
    for (const place of places) {
      expect(place).toMatch(/\/mcpreel-\w{6}\/session\.sock$/);
      const folder = dirname(place ?? '');
      expect([dirname(folder), statSync(folder).mode & 0o777]).toEqual([runtime, 0o700]);
    }
    expect(places[0]).not.toBe(places[1]);
    removeSocketFolder(places[0] ?? '');
    expect(readdirSync(runtime)).toHaveLength(1);
    removeSocketFolder(join(runtime, 'session.sock'));
    expect(readdirSync(runtime)).toHaveLength(1);
  });

  it.each(['relative/folder', '', `/run/${'x'.repeat(100)}`])('never uses the runtime folder "%s"', (folder) => {
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
