import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SampleSession } from '../../test/support/control/sample-session.ts';
import { socketPath } from '../../test/support/socket-path.ts';
import { skipOnWindows } from '../../test/support/unless.ts';
import { serveLive } from './control-server.ts';

const TOKEN = '2f6c';
const session = new SampleSession();
let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'live-'));
  path = socketPath(folder, 's.sock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the control socket', () => {
  it(
    'the control socket is accessible only to its owner and is removed on close',
    skipOnWindows('a pipe has no file mode'),
    async () => {
      const server = await serveLive(session, { socket: path, token: TOKEN });
      expect(server).toBeDefined();
      expect(statSync(path).mode & 0o777).toBe(0o600);
      await server?.close();
      expect(existsSync(path)).toBe(false);
      await server?.close();
    },
  );

  it('serveLive returns undefined if the control socket cannot be created', async () => {
    expect(await serveLive(session, { socket: join(folder, 'none', 's.sock'), token: TOKEN })).toBeUndefined();
  });

  it(
    'an existing file at the socket path is left unchanged',
    skipOnWindows('the place of a pipe is no file'),
    async () => {
      writeFileSync(path, 'precious');
      const mode = statSync(path).mode;
      expect(await serveLive(session, { socket: path, token: TOKEN })).toBeUndefined();
      expect([readFileSync(path, 'utf8'), statSync(path).mode]).toEqual(['precious', mode]);
    },
  );
});
