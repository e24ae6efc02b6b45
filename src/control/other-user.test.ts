import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { SampleSession } from '../../test/support/control/sample-session.ts';
import { notRoot, unless } from '../../test/support/unless.ts';
import { announce } from '../state/live-sessions.ts';
import { connectLive } from './control-client.ts';
import { serveLive } from './control-server.ts';

const NOBODY = 65_534;

/** Reports how far another user gets who knows all paths. */
const SCRIPT = `
const [announcement, socket] = process.argv.slice(1);
const read = () => { try { return require('fs').readFileSync(announcement, 'utf8') } catch (error) { return error.code } };
require('net').connect(socket)
  .on('connect', () => { console.log(read(), 'connected'); process.exit() })
  .on('error', ({ code }) => console.log(read(), code));
`;

async function triedByNobody(...places: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['-e', SCRIPT, ...places], { uid: NOBODY, gid: NOBODY, cwd: '/' });
  let sent = '';
  child.stdout.on('data', (text) => {
    sent += text;
  });
  await once(child, 'close');
  return sent.trim();
}

it.each([
  ['the state folder is theirs to enter', 0o755],
  ['it is not', 0o700],
])('another user can neither read the token nor connect if %s', unless(notRoot), async (_, mode) => {
  const home = mkdtempSync(join(tmpdir(), 'live-'));
  const session = new SampleSession({ pid: process.pid });
  const { id } = session.facts;
  const announcement = announce(home, session.facts, { platform: process.platform, env: {} });
  const { socket = '', token = '' } = announcement ?? {};
  const server = await serveLive(session, { socket, token });
  onTestFinished(async () => {
    await server?.close();
    rmSync(home, { recursive: true });
  });
  for (const folder of [home, join(home, 'live')]) chmodSync(folder, mode);
  expect(await triedByNobody(join(home, 'live', `${id}.json`), socket)).toBe('EACCES EACCES');
  const owner = await connectLive({ id, socket, token });
  expect(owner.facts).toEqual(session.facts);
  owner.close();
});
