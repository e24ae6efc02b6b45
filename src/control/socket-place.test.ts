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

describe('the place of a control socket', () => {
  it('is for its owner alone, and gone afterwards', skipOnWindows('a pipe has no file mode'), async () => {
    const server = await serveLive(session, { socket: path, token: TOKEN });
    expect(server).toBeDefined();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await server?.close();
    expect(existsSync(path)).toBe(false);
    await server?.close();
  });

  it('need not be there: a session goes on without', async () => {
    expect(await serveLive(session, { socket: join(folder, 'none', 's.sock'), token: TOKEN })).toBeUndefined();
  });

  it('is left as it is where something else is there', skipOnWindows('the place of a pipe is no file'), async () => {
    writeFileSync(path, 'precious');
    const mode = statSync(path).mode;
    expect(await serveLive(session, { socket: path, token: TOKEN })).toBeUndefined();
    expect([readFileSync(path, 'utf8'), statSync(path).mode]).toEqual(['precious', mode]);
  });
});
