import { existsSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import type { McpreelProcess } from '../support/mcpreel-process.ts';
import { Place } from '../support/place.ts';
import { jsonLines, parseTrace, readSessionFile } from '../support/recordings.ts';
import { echoServer, stubbornServer } from '../support/servers.ts';
import { unless } from '../support/unless.ts';
import { EchoTalk } from './echo-talk.ts';
import { SmallDisk, whyNoSmallDisk } from './small-disk.ts';

const SESSION = 'session.json';
const TO_SESSION = ['--session-file', SESSION];

/** Waits until the session file has this many messages. */
function waitForSaved(place: Place, messages: number): Promise<void> {
  return vi.waitFor(() => expect(readSessionFile(place.path(SESSION)).messages).toHaveLength(messages), {
    interval: 10,
  });
}

describe('--no-trace', () => {
  it.each([
    ['in the state folder', []],
    ['elsewhere', ['--trace-file', 'trace.jsonl']],
    ['in parts', ['--trace-file', 'trace.jsonl', '--max-bytes', '4k']],
    ['in the last of its parts', ['--max-bytes', '4k', '--max-files', '2']],
  ])('removes all of a trace %s when the session file is written', async (_, flags) => {
    const place = new Place();
    const talk = new EchoTalk(place, [...flags, ...TO_SESSION, '--no-trace']);
    await talk.say(50);
    expect(await talk.end()).toMatchObject({ code: 0, stderr: '' });
    expect(place.files()).toEqual([SESSION]);
    const { session, messages } = readSessionFile(place.path(SESSION));
    const [gap] = (session.events ?? []) as { raw: { missed: number } }[];
    expect(messages.length + (gap?.raw.missed ?? 0)).toBe(100);
  });

  it('keeps the whole trace if the session file cannot be written', async () => {
    const place = new Place();
    const flags = ['--trace-file', 'trace.jsonl', '--max-bytes', '4k', '--session-file', 'nowhere/session.json'];
    const talk = new EchoTalk(place, [...flags, '--no-trace']);
    await talk.say(50);
    const { code, stderr } = await talk.end();
    expect(code).toBe(0);
    expect(stderr).toMatch(/^mcpreel: Cannot write nowhere\/session\.json: no such file or folder\. [^\n]+\n$/);
    expect(place.files().length).toBeGreaterThan(2);
    expect((await place.run(['inspect', 'trace.jsonl'])).stdout).toContain('Messages: 100\n');
  });
});

describe('--save-every', () => {
  it('rewrites the session file periodically during the session', async () => {
    const place = new Place();
    const talk = new EchoTalk(place, [...TO_SESSION, '--save-every', '0.05']);
    await talk.say(3);
    await waitForSaved(place, 6);
    expect(readSessionFile(place.path(SESSION)).session).toMatchObject({ ended_at: null });
    await talk.say(2);
    await waitForSaved(place, 10);
    expect(await talk.end()).toMatchObject({ code: 0, stderr: '' });
    expect(readSessionFile(place.path(SESSION)).session).toMatchObject({ ended_at: expect.any(String) });
    expect(place.files().filter((name) => !name.startsWith('home/'))).toEqual([SESSION]);
  });

  it('includes all parts of a trace', async () => {
    const place = new Place();
    const talk = new EchoTalk(place, [...TO_SESSION, '--save-every', '0.05', '--max-bytes', '4k']);
    await talk.say(60);
    await waitForSaved(place, 120);
    expect(await talk.end()).toMatchObject({ code: 0, stderr: '' });
  });

  it('does not repeat its warning while the file cannot be written', async () => {
    const place = new Place();
    const talk = new EchoTalk(place, ['--session-file', 'folder/session.json', '--save-every', '0.05']);
    // The folder and the file are created later, after many failed attempts.
    await talk.say(1);
    await attempts(talk, 10);
    place.write('folder/other', '');
    await vi.waitFor(() => expect(existsSync(place.path('folder/session.json'))).toBe(true));
    const { code, stderr } = await talk.end();
    expect(code).toBe(0);
    expect(stderr).toMatch(/^mcpreel: Cannot write folder\/session\.json: [^\n]+\n$/);
  });
});

/** Talks for as long as this many saves take. */
async function attempts(talk: EchoTalk, count: number): Promise<void> {
  const until = performance.now() + 50 * count;
  while (performance.now() < until) await talk.say(1);
}

/** Keeps sending messages that do not start a session, for as long as several saves take. */
async function keepAsking(running: McpreelProcess, forMs: number): Promise<void> {
  const until = performance.now() + forMs;
  for (let round = 1; performance.now() < until; round++) {
    running.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${round}}}\n`);
    // Each server counts the rounds: one echoes the line, the other returns its number.
    await Promise.race([running.sent(`"requestId":${round}}`), running.sent(`"number":${round + 1}`)]);
  }
}

describe('a session with only a server/discover request', () => {
  const discover = '{"jsonrpc":"2.0","id":0,"method":"server/discover"}\n';
  const flags = [...TO_SESSION, '--trace-file', 'trace.jsonl'];

  it('never replaces a session file with a probe, and marks the probe in its trace', async () => {
    const place = new Place();
    place.write(SESSION, 'precious');
    const { code, stderr } = await place.run([...flags, '--', ...echoServer], { input: discover });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(place.read(SESSION).slice(0, 50)).toBe('precious');
    expect(parseTrace(place.read('trace.jsonl')).end).toMatchObject({ type: 'end', probe: true });
  });

  it('never replaces a session file with a probe on a signal', async () => {
    const place = new Place();
    place.write(SESSION, 'precious');
    const running = place.start([...flags, '--', ...stubbornServer]);
    running.write(discover);
    await running.sent('"number":1');
    running.signal('SIGINT');
    await running.sent('SIGINT');
    await keepAsking(running, 300);
    expect(place.read(SESSION).slice(0, 50)).toBe('precious');
    running.end();
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
    expect(place.read(SESSION).slice(0, 50)).toBe('precious');
  });

  it('replaces a session file only after the client sends more than a probe', async () => {
    const place = new Place();
    place.write(SESSION, 'precious');
    const running = place.start([...flags, '--save-every', '0.05', '--', ...echoServer]);
    running.write(discover);
    await running.sent(discover);
    await keepAsking(running, 300);
    expect(place.read(SESSION).slice(0, 50)).toBe('precious');
    running.write('{"jsonrpc":"2.0","id":1,"method":"initialize"}\n');
    await vi.waitFor(() => expect(place.read(SESSION)).toContain('initialize'), { interval: 10 });
    running.end();
    await running.ended;
  });

  it('saves a probe if no session file exists', async () => {
    const place = new Place();
    await place.run([...flags, '--', ...echoServer], { input: discover });
    expect(readSessionFile(place.path(SESSION)).messages).toHaveLength(2);
  });

  it('replaces a saved probe with a session that contains more', async () => {
    const place = new Place();
    await place.run([...flags, '--', ...echoServer], { input: discover });
    const more = `${discover}{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n`;
    await place.run([...flags, '--', ...echoServer], { input: more });
    expect(readSessionFile(place.path(SESSION)).messages).toHaveLength(4);
    const end = jsonLines(place.read('trace-2.jsonl')).at(-1);
    expect(end).toMatchObject({ type: 'end' });
    expect(end).not.toHaveProperty('probe');
  });
});

describe('a session file on a full disk', unless(whyNoSmallDisk), () => {
  it('keeps the old session file, and prints the command that writes the new one', async () => {
    const place = new Place();
    const disk = new SmallDisk(place, 'disk', 'size=64k');
    place.write('disk/session.json', 'precious');
    disk.fill();
    const flags = ['--trace-file', 'trace.jsonl', '--session-file', 'disk/session.json', '--no-trace'];
    const talk = new EchoTalk(place, flags);
    await talk.say(20);
    const { code, stderr } = await talk.end();
    expect(code).toBe(0);
    const [, remedy = ''] =
      /^mcpreel: Cannot write disk\/session\.json: the disk is full\. Write it with: mcpreel ([^\n]+)\n$/.exec(
        stderr,
      ) ?? [];
    expect(place.files()).toEqual(['disk/filler', 'disk/session.json', 'trace.jsonl']);
    expect(place.read('disk/session.json')).toBe('precious');

    disk.free();
    expect(await place.run(remedy.split(' '))).toMatchObject({ code: 0 });
    expect(readSessionFile(place.path('disk/session.json')).messages).toHaveLength(40);
  });

  it('writes the whole session file with the next save after the disk has room', async () => {
    const place = new Place();
    const disk = new SmallDisk(place, 'disk', 'size=64k');
    place.write('disk/session.json', 'precious');
    disk.fill();
    const talk = new EchoTalk(place, ['--session-file', 'disk/session.json', '--save-every', '0.05']);
    await talk.say(20);
    expect(place.read('disk/session.json')).toBe('precious');
    disk.free();
    await vi.waitFor(() => expect(readSessionFile(place.path('disk/session.json')).messages).toHaveLength(40), {
      interval: 10,
    });
    expect((await talk.end()).code).toBe(0);
    expect(place.files().filter((name) => name.startsWith('disk/'))).toEqual(['disk/session.json']);
  });
});
