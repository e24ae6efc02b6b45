import { spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { isLongRun } from '../support/long-run.ts';
import { MCPREEL } from '../support/mcpreel-process.ts';
import { scriptServer } from '../support/servers.ts';
import { skipOnWindows } from '../support/unless.ts';
import { Peer } from '../transparency/peer.ts';
import { reelCommand } from '../transparency/side-by-side.ts';

const INITIALIZE =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}\n';

const TRACE = 'trace.jsonl';
const TIMES = isLongRun ? 60 : 4;

/** The ids of the client's messages in a trace. */
function idsIn(trace: string): unknown[] {
  const lines = trace.trim().split('\n');
  const messages = lines.map((line) => JSON.parse(line) as { dir?: string; raw?: { id?: unknown } });
  return messages.filter(({ dir }) => dir === 'in').map(({ raw }) => raw?.id);
}

function undeliveredIn(trace: string): boolean {
  return trace.includes('"raw":{"action":"undelivered","dir":"in"}');
}

function ping(id: number): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`;
}

/** A client of this server behind mcpreel. */
function clientOf(place: CommandPlace, server: readonly string[], flags: readonly string[] = []): Peer {
  return new Peer(reelCommand(server, flags), place.folder, place.environment());
}

/** Runs a process of the server that ends when the server has ended and the client has answered that. */
function outliving(ending: string): string[] {
  const waiting =
    'while kill -0 $$ 2>/dev/null; do sleep 0.01; done; echo gone; until [ -e sent ]; do sleep 0.01; done';
  return ['sh', '-c', `(${waiting}) & ${ending}`];
}

describe('messages to a server that exits at once', skipOnWindows('it has no sh'), () => {
  it.each([0, 1])('records messages that were sent before the server started, each time (exit %i)', async (exit) => {
    for (let time = 0; time < TIMES; time++) {
      const place = new CommandPlace();
      const peer = clientOf(place, ['sh', '-c', `exit ${exit}`]);
      await peer.write(INITIALIZE);
      expect(await peer.ended).toEqual({ status: exit, stdout: '', stderr: '' });
      expect(idsIn(place.read(TRACE))).toEqual([0]);
      const { code, stdout } = await place.run(['check', TRACE]);
      expect(code).toBe(3);
      expect(stdout).toContain(`#000: server-exited: The server exited with ${exit} before answering initialize.`);
    }
  });

  it('records messages that were sent after the exit, and marks them as not delivered', async () => {
    for (let time = 0; time < TIMES; time++) {
      const place = new CommandPlace();
      const peer = clientOf(place, outliving('exit 4'));
      await peer.out.text('gone');
      await peer.write(INITIALIZE + ping(1));
      await peer.write(ping(2));
      writeFileSync(place.path('sent'), '');
      expect(await peer.ended).toMatchObject({ status: 4 });
      const trace = place.read(TRACE);
      expect(idsIn(trace)).toEqual([0, 1, 2]);
      expect(undeliveredIn(trace)).toBe(true);
      expect(trace.indexOf('undelivered')).toBeLessThan(trace.indexOf('initialize'));
      expect((await place.run(['check', TRACE])).stdout).toContain('exited with 4 before answering initialize');
    }
  });

  it('records a last message whose line is not finished', async () => {
    const place = new CommandPlace();
    const peer = clientOf(place, ['sh', '-c', 'exit 2']);
    await peer.write(INITIALIZE + ping(1).trimEnd());
    expect(await peer.ended).toMatchObject({ status: 2 });
    expect(idsIn(place.read(TRACE))).toEqual([0, 1]);
  });

  it('records messages if stdin is a file', async () => {
    const place = new CommandPlace();
    const input = openSync(place.path(place.write('input', INITIALIZE + ping(1).repeat(5000))), 'r');
    const [program = '', ...args] = reelCommand(['sh', '-c', 'exit 5']);
    const child = spawn(program, args, {
      cwd: place.folder,
      env: place.environment(),
      stdio: [input, 'ignore', 'ignore'],
    });
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(5);
    closeSync(input);
    expect(idsIn(place.read(TRACE))).toHaveLength(5001);
  });

  it('records messages if the server could not be started', async () => {
    const place = new CommandPlace();
    const peer = clientOf(place, ['./no-such-server']);
    await peer.write(INITIALIZE);
    expect(await peer.ended).toMatchObject({ status: 127 });
    expect(idsIn(place.read(TRACE))).toEqual([0]);
  });

  it('records messages in intercept mode', async () => {
    const place = new CommandPlace();
    const peer = clientOf(place, outliving('exit 6'), ['--intercept']);
    await peer.out.text('gone');
    await peer.write(INITIALIZE + ping(1));
    writeFileSync(place.path('sent'), '');
    expect(await peer.ended).toMatchObject({ status: 6 });
    expect(idsIn(place.read(TRACE))).toEqual([0, 1]);
  });
});

describe('messages to a server that ends while it receives them', () => {
  it.each([
    ['exits', 'process.exit(3)', 3],
    ['is killed', "process.kill(process.pid, 'SIGKILL')", 137],
  ])('records the whole message if the server %s', skipOnWindows('it has no signals'), async (_, ending, status) => {
    for (let time = 0; time < TIMES; time++) {
      const place = new CommandPlace();
      const peer = clientOf(place, scriptServer(`process.stdin.once('data', () => ${ending})`));
      // More than one chunk, and less than a pipe holds.
      const ids = Array.from({ length: 1500 }, (_each, id) => id);
      expect(await peer.write(ids.map(ping).join(''))).toBe('written');
      expect(await peer.ended).toMatchObject({ status });
      expect(idsIn(place.read(TRACE))).toEqual(ids);
    }
  });

  it('records messages if the server closed stdin but keeps running', skipOnWindows('it has no sh'), async () => {
    for (let time = 0; time < TIMES; time++) {
      const place = new CommandPlace();
      const server = ['sh', '-c', 'exec 0<&-; echo closed; until [ -e sent ]; do sleep 0.01; done; exit 7'];
      const peer = clientOf(place, server);
      await peer.out.text('closed');
      expect(await peer.write(INITIALIZE + ping(1))).toBe('written');
      writeFileSync(place.path('sent'), '');
      expect(await peer.ended).toMatchObject({ status: 7 });
      expect(idsIn(place.read(TRACE))).toEqual([0, 1]);
    }
  });
});

describe('messages of a client that sends while its server is gone', () => {
  it('records each message that was written, or that the client was still sending', async () => {
    for (let time = 0; time < TIMES; time++) {
      const place = new CommandPlace();
      const peer = clientOf(place, scriptServer('process.exit(3)'));
      let written = -1;
      while ((await peer.write(ping(written + 1))) === 'written') {
        written++;
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(await peer.ended).toMatchObject({ status: 3 });
      const trace = place.read(TRACE);
      if (!trace.includes('the client was still sending')) expect(idsIn(trace).at(-1)).toBe(written);
    }
  });
});

describe('messages through a bridge', () => {
  it.each(['sse', 'streamable-http'])('records messages if the target cannot be reached over %s', async (transport) => {
    const place = new CommandPlace();
    const url = ['--transport', transport, '--target-url', 'http://127.0.0.1:9/mcp', '--listen-transport', 'stdio'];
    const command = [process.execPath, MCPREEL, 'record', '--trace-file', TRACE, ...url];
    const peer = new Peer(command, place.folder, place.environment());
    await peer.end(INITIALIZE);
    expect(idsIn(place.read(TRACE))).toEqual([0]);
    const { code, stdout } = await place.run(['check', TRACE]);
    expect(code).toBe(3);
    expect(stdout).toContain('to the target failed: no response from 127.0.0.1:9');
  });

  it('records messages and the exit of a server that exits at once', skipOnWindows('it has no sh'), async () => {
    const place = new CommandPlace();
    const listen = ['--listen-transport', 'streamable-http', '--listen-port', '0', '--headless'];
    const running = place.start(['record', '--trace-file', TRACE, ...listen, '--', 'sh', '-c', 'exit 9']);
    const [, url = ''] = await running.noted(/Listening on (\S+)/);
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const response = await fetch(url, { method: 'POST', headers, body: INITIALIZE });
    expect(await response.text()).toContain('the server exited with status 9');
    running.signal('SIGINT');
    expect(await running.ended).toMatchObject({ code: 0 });
    expect(idsIn(place.read(TRACE))).toEqual([0]);
    const { code, stdout } = await place.run(['check', TRACE]);
    expect(code).toBe(3);
    expect(stdout).toContain('server-exited: The server exited with 9 before answering initialize.');
  });
});
