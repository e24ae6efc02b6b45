import { rmSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { jsonLines, readSessionFile } from '../support/recordings.ts';
import { echoServer } from '../support/servers.ts';
// biome-ignore lint/correctness/useImportExtensions: its declarations are beside it, not in it
import { messageText } from '../torture/support/echo-talk.mjs';
import { EchoTalk } from './echo-talk.ts';
import { readKept } from './kept-trace.ts';
import { expectRightParts, partNumbers, partsIn } from './trace-parts.ts';

const MOST = 4096;

describe('--max-bytes', () => {
  it('splits a trace into parts of that size that contain every message once, in order', async () => {
    const place = new CommandPlace();
    const talk = new EchoTalk(place, ['--trace-file', 'new/trace.jsonl', '--max-bytes', '4k']);
    await talk.say(100);
    expect(await talk.end()).toMatchObject({ code: 0, stderr: '' });
    const names = partsIn(place, 'new/trace.jsonl');
    expect(names.length).toBeGreaterThanOrEqual(5);
    expect(partNumbers(place, names)).toEqual(names.map((_, index) => index + 1));
    for (const name of names) expect(statSync(place.path(name)).size).toBeLessThanOrEqual(MOST);
    // Parts must not be smaller than necessary.
    for (const name of names.slice(0, -1)) expect(statSync(place.path(name)).size).toBeGreaterThan(MOST - 400);
    const { gaps, accounted, end } = readKept(expectRightParts(place, names));
    expect({ gaps, accounted }).toEqual({ gaps: [], accounted: 200 });
    expect(end).toMatchObject({ exitCode: 0 });
    expect(place.mode('new')).toBe(0o700);

    const { code, stdout } = await place.run(['inspect', 'new/trace.jsonl']);
    expect(code).toBe(0);
    expect(stdout).toContain('Messages: 200\n');
  });

  it('splits messages that arrive at once, too', async () => {
    const place = new CommandPlace();
    const out = Array.from({ length: 200 }, (_, number) => `${messageText(number)}\n`).join('');
    // The client sends the messages: in the server's command, which every part repeats, they would exceed 4 KB.
    await place.run(['--trace-file', 'trace.jsonl', '--max-bytes', '4k', '--', ...echoServer], { input: out });
    const names = partsIn(place);
    const sizes = names.map((name) => statSync(place.path(name)).size);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MOST);
    expect(partNumbers(place, names)).toEqual(names.map((_, index) => index + 1));
    const messages = names.flatMap((name) => jsonLines(place.read(name)).filter((line) => line.type === undefined));
    expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, index) => index));
    const received = messages.filter(({ dir }) => dir === 'out');
    expect(received.map(({ raw }) => JSON.stringify(raw)).join('\n')).toBe(out.trim());
  });

  it('counts the last line of a trace toward the size limit', async () => {
    const place = new CommandPlace();
    const record = async (trace: string, label: string, messages: number): Promise<void> => {
      const talk = new EchoTalk(place, ['--trace-file', trace, '--max-bytes', '4k', '--label', label]);
      await talk.say(messages);
      await talk.end();
    };
    await record('a.jsonl', 'a', 20);
    const lines = place.read('a.jsonl').trim().split('\n');
    const odd = lines.length % 2 === 0 ? (lines.at(-1) ?? '').length + 1 : 0;
    // With a longer label, the same lines leave no room for another one in the first file.
    const room = MOST - statSync(place.path('a.jsonl')).size + odd;
    await record('b.jsonl', 'b'.repeat(room - 10), Math.floor((lines.length - 1) / 2));
    expect(partsIn(place, 'b.jsonl').length).toBeGreaterThan(0);
    for (const name of partsIn(place, 'b.jsonl')) expect(statSync(place.path(name)).size).toBeLessThanOrEqual(MOST);
    expect((await place.run(['inspect', 'b.jsonl'])).code).toBe(0);
  });

  it('writes a line that exceeds the limit to a part of its own', async () => {
    const place = new CommandPlace();
    const long = JSON.stringify({ jsonrpc: '2.0', method: 'long', params: 'x'.repeat(3 * MOST) });
    const running = place.start(['--trace-file', 'trace.jsonl', '--max-bytes', '4k', '--', ...echoServer]);
    for (const [number, text] of [messageText(0), long, messageText(1)].entries()) {
      running.write(`${text}\n`);
      await running.sent(number === 1 ? `${long}\n` : `${text}\n`);
    }
    running.end();
    await running.ended;
    const counts = partsIn(place).map((name) => {
      const lines = jsonLines(place.read(name)).filter((line) => line.type === undefined);
      return statSync(place.path(name)).size > MOST ? `${lines.length} long` : lines.length;
    });
    expect(counts).toEqual([2, '1 long', '1 long', 2]);
    expect((await place.run(['inspect', 'trace.jsonl'])).stdout).toContain('Messages: 6\n');
  });
});

describe('--max-files', () => {
  it('keeps the last parts, which record how much came before them', async () => {
    const place = new CommandPlace();
    const flags = ['--trace-file', 'trace.jsonl', '--session-file', 'session.json'];
    const talk = new EchoTalk(place, [...flags, '--max-bytes', '4k', '--max-files', '2']);
    await talk.say(100);
    expect(await talk.end()).toMatchObject({ code: 0, stderr: '' });
    const names = partsIn(place);
    expect(names).toHaveLength(2);
    const [first, second] = partNumbers(place, names) as [number, number];
    expect(second).toBe(first + 1);
    const kept = jsonLines(expectRightParts(place, names)).filter((line) => line.type === undefined);
    const missed = 200 - kept.length;
    expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, index) => missed + index));

    const gap = { kind: 'mcpreel.gap', raw: { missed, why: 'earlier parts were removed' } };
    const { session, messages } = readSessionFile(place.path('session.json'));
    expect(messages).toHaveLength(kept.length);
    expect(session.events).toEqual([expect.objectContaining({ before: 0, ...gap })]);
    // The requested file name still works, although that part no longer exists.
    const { code, stdout } = await place.run(['inspect', 'trace.jsonl', '--json']);
    expect(code).toBe(0);
    expect(jsonLines(stdout).at(-1)).toMatchObject({ summary: { messages: kept.length, events: 1 } });
  });

  it('never removes parts of an earlier session with the same name', async () => {
    const place = new CommandPlace();
    const flags = ['--trace-file', 'trace.jsonl', '--max-bytes', '4k', '--max-files', '2'];
    const earlier = new EchoTalk(place, flags);
    await earlier.say(60);
    await earlier.end();
    const left = new Map(partsIn(place).map((name) => [name, place.read(name)]));
    expect(left.size).toBe(2);

    const later = new EchoTalk(place, flags);
    await later.say(100);
    await later.end();
    const still = partsIn(place).filter((name) => left.get(name) === place.read(name));
    expect(still).toEqual([...left.keys()]);
    expect(partsIn(place).filter((name) => !left.has(name))).toHaveLength(2);
  });

  it.each([1, 3])('limits the number of parts to %i', async (most) => {
    const place = new CommandPlace();
    const talk = new EchoTalk(place, ['--trace-file', 'trace.jsonl', '--max-bytes', '4k', '--max-files', `${most}`]);
    await talk.say(100);
    expect(await talk.end()).toMatchObject({ code: 0, stderr: '' });
    const names = partsIn(place);
    expect(names).toHaveLength(most);
    const lines = jsonLines(expectRightParts(place, names));
    expect(lines.at(-1)).toMatchObject({ type: 'end' });
    expect(lines.at(-2)).toMatchObject({ seq: 199 });
  });
});

it('writes parts in the state folder for their owner only, and lists them as one session', async () => {
  const place = new CommandPlace();
  const talk = new EchoTalk(place, ['--max-bytes', '4k']);
  await talk.say(60);
  await talk.end();
  expect(place.traces().length).toBeGreaterThan(2);
  for (const name of place.traces()) expect(place.mode(name)).toBe(0o600);
  expect(place.mode('home/sessions')).toBe(0o700);
  const { stdout } = await place.run(['sessions', '--json']);
  expect(jsonLines(stdout).at(-1)).toMatchObject({ summary: { sessions: 1 } });
});

it('reports a gap for a part that was removed later, with its number of messages', async () => {
  const place = new CommandPlace();
  const talk = new EchoTalk(place, ['--trace-file', 'trace.jsonl', '--max-bytes', '4k']);
  await talk.say(50);
  await talk.end();
  const [, second = ''] = partsIn(place);
  const missed = jsonLines(place.read(second)).filter((line) => line.type === undefined).length;
  rmSync(place.path(second));
  await place.run(['export', 'trace.jsonl', '-f', 'json', '-o', 'session.json']);
  const { session, messages } = readSessionFile(place.path('session.json'));
  expect(messages).toHaveLength(100 - missed);
  expect(session.events).toEqual([
    expect.objectContaining({ kind: 'mcpreel.gap', raw: expect.objectContaining({ missed }) }),
  ]);
});
