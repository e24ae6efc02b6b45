import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { notLinux, skipOnWindows, unless } from '../../test/support/unless.ts';
import { announce, type LiveAnnouncement, liveSessions, type RunningSession } from './live-sessions.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mcpreel-test-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const ID = 'abcd1234-0000-4000-8000-000000000000';
const SESSION = { id: ID, pid: process.pid, startedAtMs: Date.UTC(2026, 2, 4), label: 'fs', trace: '/x/fs.jsonl' };

function announced(changes: Partial<RunningSession> = {}): LiveAnnouncement | undefined {
  return announce(home, { ...SESSION, ...changes }, { platform: process.platform, env: {} });
}

function running(): Promise<RunningSession[]> {
  return liveSessions(
    home,
    (pid, signal) => process.kill(pid, signal),
    async () => true,
  );
}

/** The id of a process that has exited. */
async function endedProcess(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

function file(name = `${ID}.json`): string {
  return join(home, 'live', name);
}

describe('a running session', () => {
  it('lists a running session until it is withdrawn', async () => {
    const announcement = announced();
    expect(await running()).toEqual([{ ...SESSION, socket: announcement?.socket, token: announcement?.token }]);
    announcement?.withdraw();
    expect(await running()).toEqual([]);
    expect(readdirSync(join(home, 'live'))).toEqual([]);
    announcement?.withdraw();
  });

  it('makes an announcement readable only by its owner', skipOnWindows('Windows has no file modes'), () => {
    announced();
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, 'live')).mode & 0o777).toBe(0o700);
  });

  it('announces what other processes need to connect to the session', () => {
    announced();
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({
      id: ID,
      pid: process.pid,
      ...(process.platform === 'linux' && { processStart: expect.stringMatching(/^\d+$/) }),
      startedAt: '2026-03-04T00:00:00.000Z',
      label: 'fs',
      trace: '/x/fs.jsonl',
      socket: expect.stringContaining(''),
      token: expect.stringMatching(/^[\da-f]{64}$/),
    });
  });

  it('gives each session its own token, even with the same id', () => {
    expect(announced()?.token).not.toBe(announced()?.token);
  });

  it('lists a session that requires no token', async () => {
    announced();
    const { token, ...others } = JSON.parse(readFileSync(file(), 'utf8'));
    expect(token).toBeDefined();
    writeFileSync(file(), JSON.stringify(others));
    expect(await running()).toEqual([{ ...SESSION, socket: others.socket, token: undefined }]);
  });

  it(
    'does not write an announcement through a symbolic link',
    skipOnWindows('making links takes rights on Windows'),
    () => {
      mkdirSync(join(home, 'live'));
      writeFileSync(join(home, 'victim'), 'precious');
      symlinkSync(join(home, 'victim'), file());
      symlinkSync(join(home, 'victim'), file(`${ID}.json.tmp`));
      announced();
      expect(readFileSync(join(home, 'victim'), 'utf8')).toBe('precious');
      expect(readFileSync(file(), 'utf8')).toContain(ID);
    },
  );

  it('continues unannounced if the folder cannot be created', () => {
    writeFileSync(join(home, 'live'), 'a file');
    expect(announced()).toBeUndefined();
    expect(announced({ id: '../escape' })).toBeUndefined();
  });

  it('continues unannounced if the system refuses a subfolder of an existing folder', unless(notLinux), () => {
    expect(announce('/proc/mcpreel', SESSION, undefined)).toBeUndefined();
  });
});

describe('the announcement of a killed session', () => {
  it('removes an announcement whose process no longer exists', async () => {
    announced({ pid: await endedProcess() });
    expect(await running()).toEqual([]);
    expect(existsSync(file())).toBe(false);
  });

  it('removes the announcement of a killed session together with its socket', async () => {
    const socket = announced({ pid: await endedProcess() })?.socket ?? '';
    const server = createServer().listen(socket);
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    await running();
    expect(existsSync(socket)).toBe(false);
  });

  it('removes an announcement if another process has its pid', unless(notLinux), async () => {
    announced();
    const text = readFileSync(file(), 'utf8');
    writeFileSync(file(), text.replace(/"processStart":"\d+"/, '"processStart":"1"'));
    expect(await running()).toEqual([]);
    expect(existsSync(file())).toBe(false);
  });

  describe('the announcement of a process whose start time is unknown', () => {
    const kill = (): boolean => true;

    /** An announcement as written on Windows. */
    function announcedWithoutStart(changes: Partial<RunningSession> = {}): string {
      const socket = announced(changes)?.socket ?? '';
      const { processStart: _, ...others } = JSON.parse(readFileSync(file(), 'utf8'));
      writeFileSync(file(), JSON.stringify(others));
      return socket;
    }

    it('removes an announcement if its socket does not exist', async () => {
      announcedWithoutStart();
      expect(await liveSessions(home, kill)).toEqual([]);
      expect(existsSync(file())).toBe(false);
    });

    it(
      'removes an announcement if its socket exists without a listener',
      skipOnWindows('a pipe of Windows ends with its process'),
      async () => {
        const socket = announcedWithoutStart();
        const script =
          'require("net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))';
        await once(spawn(process.execPath, ['-e', script, socket]), 'exit');
        expect(existsSync(socket)).toBe(true);
        expect(await liveSessions(home, kill)).toEqual([]);
        expect(existsSync(socket)).toBe(false);
      },
    );

    it('keeps an announcement while its socket has a listener', async () => {
      const server = createServer().listen(announcedWithoutStart());
      onTestFinished(() => void server.close());
      await once(server, 'listening');
      expect(await liveSessions(home, kill)).toHaveLength(1);
    });

    it('keeps the announcement of a session that has just started and may not listen yet', async () => {
      announcedWithoutStart({ startedAtMs: Date.now() });
      expect(await liveSessions(home, kill)).toHaveLength(1);
    });
  });

  it.each(['', '{"id":"x"', 'null', '[]', '{"id":1,"pid":"x"}', `{"id":"${ID}","pid":-1}`])(
    'removes an invalid announcement: %s',
    async (text) => {
      mkdirSync(join(home, 'live'));
      writeFileSync(file(), text);
      expect(await running()).toEqual([]);
      expect(existsSync(file())).toBe(false);
    },
  );
});

it('treats a process that may not be signalled as running', async () => {
  announced();
  const refuse = (): never => {
    throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
  };
  expect(await liveSessions(home, refuse, async () => true)).toHaveLength(1);
});

it('lists no running session if there is no state folder', async () => {
  expect(await liveSessions(join(home, 'nowhere'), () => true)).toEqual([]);
});
