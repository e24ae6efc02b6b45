import { describe, expect, it, vi } from 'vitest';
import { SmallDisk, whyNoSmallDisk } from '../never-lose/small-disk.ts';
import { CommandPlace } from '../support/command-place.ts';
import type { Place } from '../support/place.ts';
import { eventsOf, parseTrace, type RecordedMessage } from '../support/recordings.ts';
import { unless } from '../support/unless.ts';
import { exchangesOf } from './exchanges.ts';
import { numbers, PingTalk, pingServer } from './ping-talk.ts';

const TRACE = 'disk/trace.jsonl';
const LANES = 8;
const ids = (lane: number, count: number): number[] => numbers(lane * 1_000_000, count);

/** The ids of the responses in a recording, except responses whose request is missing. */
function answered(messages: readonly RecordedMessage[]): Set<unknown> {
  const requested = new Map(messages.map(({ id, payload }) => [id, payload]));
  // The missing message may be the request.
  const answers = messages.filter(({ answers: request }) => request !== undefined && requested.has(request));
  expect(answers.map(({ answers: request }) => requested.get(request ?? '')?.id)).toEqual(
    answers.map(({ payload }) => payload.id),
  );
  return new Set(answers.map(({ payload }) => payload.id));
}

/** Removes an incomplete last line. */
function wholeLines(trace: string): string {
  const lines = trace.split('\n').filter((line) => line !== '');
  const whole = lines.filter(isWhole);
  expect(lines.length - whole.length).toBeLessThanOrEqual(1);
  return whole.join('\n');
}

function isWhole(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** Waits until the responses with these ids are in a trace. A message is recorded shortly after it is forwarded. */
async function recorded(place: Place, trace: string, requested: readonly number[]): Promise<void> {
  await vi.waitFor(() => {
    const text = place.read(trace);
    for (const id of requested) expect(text).toContain(`"id":${id},"result"`);
  }, 20_000);
}

describe('a listener that is killed', () => {
  it.each([1, 40, 200])('leaves a trace of everything except messages in flight, after %i responses', async (after) => {
    const place = new CommandPlace();
    const talk = await PingTalk.start(place, []);
    const before = numbers(9_000_000, 20);
    await talk.ping(before);
    await recorded(place, 'trace.jsonl', before);
    const passed: number[][] = [];
    let count = 0;
    const lanes = numbers(0, LANES).map(async (lane) => {
      const own: number[] = [];
      passed.push(own);
      await talk.ping(ids(lane, 1000), (id) => {
        own.push(id);
        count++;
        if (count === after) talk.proxy.process.signal('SIGKILL');
      });
    });
    const outcomes = await Promise.allSettled(lanes);
    expect(outcomes.map(({ status }) => status)).toEqual(lanes.map(() => 'rejected'));
    expect((await talk.proxy.process.ended).signal).toBe('SIGKILL');

    const { messages, end } = parseTrace(wholeLines(place.read('trace.jsonl')));
    expect(end).toBeUndefined();
    const kept = answered(messages);
    for (const id of before) expect(kept).toContain(id);
    // Only the end is missing: nothing after the first missing message was recorded.
    for (const own of passed) {
      const missing = own.findIndex((id) => !kept.has(id));
      if (missing >= 0) expect(own.slice(missing).filter((id) => kept.has(id))).toEqual([]);
    }
    const { code, stdout } = await place.run(['inspect', 'trace.jsonl']);
    expect(code).toBe(0);
    expect(stdout).toContain(`\nMessages: ${messages.length}\n`);
  });
});

describe('a listener with a full disk', unless(whyNoSmallDisk), () => {
  it('keeps forwarding traffic, and records a gap that states how much is missing', async () => {
    const place = new CommandPlace();
    const disk = new SmallDisk(place, 'disk', 'size=128k');
    const talk = await PingTalk.start(place, [], TRACE);
    await talk.ping(numbers(0, 5));
    await recorded(place, TRACE, numbers(0, 5));
    disk.fill();
    await talk.ping(numbers(5, 100));
    await talk.proxy.process.noted(/the disk is full/);
    disk.free();
    await talk.ping(numbers(105, 5));
    talk.proxy.process.signal('SIGINT');
    const { code, stderr } = await talk.proxy.process.ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(/\nmcpreel: Recording paused: cannot write \S+: the disk is full\n$/);

    const trace = parseTrace(wholeLines(place.read(TRACE)));
    const gaps = eventsOf(trace, 'mcpreel.gap') as { missed: number }[];
    expect(gaps).toHaveLength(1);
    // A request, a response and an exchange each, and the signal.
    const kept = trace.messages.length + exchangesOf(trace).length + eventsOf(trace, 'mcpreel.action').length;
    expect(kept + (gaps[0]?.missed ?? 0)).toBe(3 * 110 + 1);
    expect(answered(trace.messages)).toEqual(
      new Set([...answered(trace.messages), ...numbers(0, 5), ...numbers(105, 5)]),
    );
    expect(trace.end).toMatchObject({ exitCode: 0 });
    expect(await place.run(['inspect', TRACE])).toMatchObject({ code: 0 });
  });

  it('refuses to start with --must-record if the disk is full', async () => {
    const place = new CommandPlace();
    new SmallDisk(place, 'disk', 'size=64k').fill();
    const flags = ['--listen-port', '0', '--trace-file', TRACE, '--must-record'];
    expect(await place.runBuilt(['proxy', 'start', '--target-url', await pingServer(), ...flags])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `Error: Not started: cannot write ${TRACE}: the disk is full\n`,
    });
  });

  it('exits with --must-record if the disk becomes full later', async () => {
    const place = new CommandPlace();
    const disk = new SmallDisk(place, 'disk', 'size=64k');
    const talk = await PingTalk.start(place, ['--must-record'], TRACE);
    await talk.ping(numbers(0, 3));
    disk.fill();
    await expect(talk.ping(numbers(3, 10_000))).rejects.toThrow();
    const { code, stderr } = await talk.proxy.process.ended;
    expect(code).toBe(1);
    const why = 'The session was stopped because recording failed: the disk is full';
    expect(stderr).toContain(`\nError: ${why}\n`);
    expect(answered(parseTrace(wholeLines(place.read(TRACE))).messages)).toContain(2);
  });
});
