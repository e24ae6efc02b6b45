import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import type { McpreelProcess } from '../support/mcpreel-process.ts';
import { jsonLines } from '../support/recordings.ts';
import { echoServer, scriptServer } from '../support/servers.ts';
import { unless } from '../support/unless.ts';
import { EchoTalk } from './echo-talk.ts';
import { SmallDisk, whyNoSmallDisk } from './small-disk.ts';

const TRACE = 'trace.jsonl';
const TMPFS = 0x01021994;
const SECRET = `ghp_${'aB3dE6gH9jK2mN5pQ8sT'.repeat(2).slice(0, 36)}`;

const whyNoMemory: string | undefined = whyNoMemoryHere();

function whyNoMemoryHere(): string | undefined {
  try {
    return statfsSync('/dev/shm').type === TMPFS ? undefined : 'needs /dev/shm in memory';
  } catch {
    return 'needs /dev/shm in memory';
  }
}

interface Pointer {
  readonly journal: string;
  readonly owner: { readonly namespace: string };
}

/** The pointers to journals in the state folder. */
function pointers(place: CommandPlace): Pointer[] {
  const folder = join(place.home, 'journals');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Pointer);
}

function ping(id: number): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"ping","params":{"token":"${SECRET}"}}\n`;
}

/** Starts a session with a server that echoes. */
function startBusy(place: CommandPlace, flags: readonly string[] = ['--trace-file', TRACE]): McpreelProcess {
  const running = place.start([...flags, '--', ...echoServer]);
  onTestFinished(() => {
    for (const { journal } of pointers(place)) expect(existsSync(journal)).toBe(false);
  });
  return running;
}

/** Kills a session right after the client has received its last message. */
async function killAfter(running: McpreelProcess, count: number): Promise<void> {
  for (let id = 0; id < count; id++) running.write(ping(id));
  await running.sent(ping(count - 1));
  running.signal('SIGKILL');
  await running.ended;
}

interface MessageLine {
  readonly dir?: string;
  readonly dropped?: boolean;
  readonly raw: { readonly id?: number };
}

function messagesIn(trace: string): MessageLine[] {
  const lines = jsonLines(trace) as unknown as MessageLine[];
  return lines.filter(({ dir }) => dir === 'in' || dir === 'out');
}

/** The ids of the messages in a trace, by direction. */
function idsIn(trace: string): { readonly in: unknown[]; readonly out: unknown[] } {
  const of = (side: string): unknown[] => messagesIn(trace).flatMap(({ dir, raw }) => (dir === side ? [raw.id] : []));
  return { in: of('in'), out: of('out') };
}

const counted = (count: number): number[] => Array.from({ length: count }, (_, id) => id);

describe('a session that is killed', unless(whyNoMemory), () => {
  it('has everything that the client received, once, when any command opens it', async () => {
    const place = new CommandPlace();
    await killAfter(startBusy(place), 300);
    const [{ journal = '' } = {}] = pointers(place);
    expect(readFileSync(journal, 'utf8')).toContain(SECRET);
    expect(await place.run(['inspect', TRACE])).toMatchObject({ code: 0, stderr: '' });
    const trace = place.read(TRACE);
    expect(idsIn(trace)).toEqual({ in: counted(300), out: counted(300) });
    expect(trace).not.toContain(SECRET);
    expect(pointers(place)).toEqual([]);
    expect(await place.run(['inspect', TRACE])).toMatchObject({ code: 0 });
    expect(place.read(TRACE)).toBe(trace);
  });

  it('is recovered by `sessions recover`, once even if two do it at the same time', async () => {
    const place = new CommandPlace();
    await killAfter(startBusy(place, []), 200);
    const outcomes = await Promise.all([1, 2, 3].map(() => place.runBuilt(['sessions', 'recover'])));
    expect(outcomes.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      outcomes.map(() => ({ code: 0, stderr: '' })),
    );
    expect(idsIn(place.trace())).toEqual({ in: counted(200), out: counted(200) });
    expect((await place.run(['sessions', 'recover'])).stdout).toBe(
      'No session was cut short with messages left to recover.\n',
    );
  });

  it('is recovered by the next session, after that has its first answer', async () => {
    const place = new CommandPlace();
    await killAfter(startBusy(place), 50);
    const next = place.start(['--trace-file', 'next.jsonl', '--', ...echoServer]);
    next.write(ping(1));
    await next.sent(ping(1));
    await vi.waitFor(() => expect(pointers(place)).toHaveLength(1), { timeout: 20_000, interval: 20 });
    expect(idsIn(place.read(TRACE))).toEqual({ in: counted(50), out: counted(50) });
    next.end();
    expect(await next.ended).toMatchObject({ code: 0, stderr: '' });
    expect(pointers(place)).toEqual([]);
  });

  it('gets its session file, at the path that the journal names', async () => {
    const place = new CommandPlace();
    await killAfter(startBusy(place, ['--trace-file', TRACE, '--session-file', 'out.json']), 20);
    // The trace may come from another user.
    writeFileSync(place.path(TRACE), place.read(TRACE).replace(place.path('out.json'), place.path('other.json')));
    expect((await place.run(['sessions', 'recover'])).stdout).toMatch(
      /: recovered \d+ messages to .*, and wrote .*out\.json\n$/,
    );
    expect(JSON.parse(place.read('out.json'))).toMatchObject({ messages: { length: 40 } });
    expect(existsSync(place.path('other.json'))).toBe(false);
  });

  it('does not replace a session file that another session has written', async () => {
    const place = new CommandPlace();
    await killAfter(startBusy(place, ['--trace-file', TRACE, '--session-file', 'out.json']), 5);
    place.write('out.json', '{"id":"another","messages":[]}');
    await place.run(['sessions', 'recover']);
    expect(place.read('out.json')).toBe('{"id":"another","messages":[]}');
  });

  it('is left alone if its process may run in another container, and `doctor` reports that', async () => {
    const place = new CommandPlace();
    const running = startBusy(place);
    await killAfter(running, 5);
    const [name = ''] = readdirSync(join(place.home, 'journals'));
    const path = join(place.home, 'journals', name);
    const own = readFileSync(path, 'utf8');
    writeFileSync(path, own.replace(/"namespace":"[^"]*"/, '"namespace":"pid:[1]"'));
    expect((await place.run(['sessions', 'recover'])).stderr).toContain('belongs to another container');
    expect((await place.run(['doctor'])).stdout).toContain('journal: the journal of session');
    writeFileSync(path, own);
    await place.run(['sessions', 'recover']);
    expect(idsIn(place.read(TRACE)).out).toEqual(counted(5));
  });

  it('is left alone if another version wrote its journal', async () => {
    const place = new CommandPlace();
    await killAfter(startBusy(place), 5);
    const [{ journal = '' } = {}] = pointers(place);
    const own = readFileSync(journal);
    const before = place.read(TRACE);
    writeFileSync(journal, `mcpreel-journal/9\n${own.toString('latin1')}`, 'latin1');
    expect((await place.run(['sessions', 'recover'])).stderr).toContain('another version of mcpreel wrote it');
    expect(place.read(TRACE)).toBe(before);
    writeFileSync(journal, own);
    await place.run(['sessions', 'recover']);
  });

  it('is deleted with its journal by `sessions rm`', async () => {
    const place = new CommandPlace();
    await killAfter(startBusy(place, []), 5);
    const id = /-([\da-f]{8})\.jsonl/.exec(place.traces()[0] ?? '')?.[1] ?? '';
    expect(await place.run(['sessions', 'rm', id])).toMatchObject({ code: 0 });
    expect(place.traces()).toEqual([]);
    expect((await place.run(['sessions', 'recover'])).stdout).toContain('No session was cut short');
    expect(place.traces()).toEqual([]);
  });

  it('has the messages that were held, dropped and answered, as what became of them', async () => {
    const place = new CommandPlace();
    place.write('rules.yaml', 'rules:\n  - match: method:ping\n    drop: true\n');
    const running = startBusy(place, ['--trace-file', TRACE, '--rules', 'rules.yaml']);
    running.write(`${ping(1)}{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n`);
    await running.sent('"tools/list"');
    running.signal('SIGKILL');
    await running.ended;
    await place.run(['sessions', 'recover']);
    const messages = messagesIn(place.read(TRACE));
    expect(messages.filter(({ dropped }) => dropped === true).map(({ raw }) => raw.id)).toEqual([1]);
    expect(messages.filter(({ dir }) => dir === 'in')).toHaveLength(2);
  });
});

describe('a running session', unless(whyNoMemory), () => {
  it('writes all that passed when a command reads it', async () => {
    const place = new CommandPlace();
    const running = startBusy(place);
    for (let id = 0; id < 100; id++) running.write(ping(id));
    await running.sent(ping(99));
    const { stdout } = await place.run(['inspect', TRACE, '--json']);
    expect(jsonLines(stdout).at(-1)).toMatchObject({ summary: { messages: 200 } });
    running.end();
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('writes by itself what passed, when nothing comes for a moment', async () => {
    const place = new CommandPlace();
    const running = startBusy(place);
    running.write(ping(1));
    await vi.waitFor(() => expect(idsIn(place.read(TRACE)).out).toEqual([1]), { timeout: 20_000, interval: 5 });
    running.end();
    await running.ended;
  });

  it('keeps what a full disk does not take for a moment', unless(whyNoSmallDisk), async () => {
    const place = new CommandPlace();
    const disk = new SmallDisk(place, 'disk', 'size=64k');
    const talk = new EchoTalk(place, ['--trace-file', 'disk/trace.jsonl'], undefined, {}, []);
    await talk.say(5);
    disk.fill();
    await talk.burst(5);
    disk.free();
    expect((await talk.end()).code).toBe(0);
    const trace = place.read('disk/trace.jsonl');
    // In a burst the order of the two directions is not known.
    expect(messagesIn(trace)).toHaveLength(talk.passed);
  });

  it('continues if its journal is removed, as when a user logs out', async () => {
    const place = new CommandPlace();
    const running = startBusy(place);
    running.write(ping(1));
    await running.sent(ping(1));
    const [{ journal = '' } = {}] = pointers(place);
    rmSync(journal);
    await vi.waitFor(
      () => {
        running.write(ping(2));
        expect(existsSync(journal)).toBe(true);
      },
      { timeout: 20_000, interval: 30 },
    );
    running.end(ping(3));
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
    expect(idsIn(place.read(TRACE)).out.slice(0, 1)).toEqual([1]);
    expect(idsIn(place.read(TRACE)).out.at(-1)).toBe(3);
  });
});

describe('the journal of a running session', unless(whyNoMemory), () => {
  it('is a file in memory that only its user can read', async () => {
    const place = new CommandPlace();
    const running = startBusy(place);
    running.write(ping(1));
    await running.sent(ping(1));
    const [{ journal = '' } = {}] = pointers(place);
    expect(statfsSync(journal).type).toBe(TMPFS);
    expect([journal, dirname(journal)].map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual([
      '600',
      '700',
    ]);
    running.end();
    expect(await running.ended).toMatchObject({ code: 0 });
  });

  it('does not exist with --no-journal', async () => {
    const place = new CommandPlace();
    const running = startBusy(place, ['--no-journal', '--trace-file', TRACE]);
    running.write(ping(1));
    await running.sent(ping(1));
    expect(pointers(place)).toEqual([]);
    running.end();
    expect(await running.ended).toMatchObject({ code: 0 });
    expect(idsIn(place.read(TRACE)).out).toEqual([1]);
  });
});

describe('--durable', () => {
  it('has each message in the trace before it is forwarded', async () => {
    const place = new CommandPlace();
    // The server reads the trace when it gets a message.
    const server = scriptServer(
      `process.stdin.on('data', () => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', method: 'trace', params: require('fs').readFileSync('${TRACE}', 'utf8') }) + '\\n'))`,
    );
    const running = place.start(['--durable', '--trace-file', TRACE, '--', ...server]);
    running.write('{"jsonrpc":"2.0","id":1,"method":"first"}\n');
    await running.sent('"trace"');
    running.signal('SIGKILL');
    const { stdout } = await running.ended;
    expect((JSON.parse(stdout) as { params: string }).params).toContain('"method":"first"');
    expect(messagesIn(place.read(TRACE))).toHaveLength(2);
    expect(existsSync(join(place.home, 'journals')) ? readdirSync(join(place.home, 'journals')) : []).toEqual([]);
  });

  it.each([
    [['--durable', '--no-journal'], 'cannot be used together'],
    [['--durable', '--listen-transport', 'sse'], 'has no effect for clients that connect over HTTP'],
  ])('refuses %j', async (flags, why) => {
    const place = new CommandPlace();
    mkdirSync(place.home);
    const { code, stderr } = await place.run(['record', ...flags, '--', 'x']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(why) });
  });
});
