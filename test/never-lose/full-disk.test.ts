import { existsSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { jsonLines } from '../support/recordings.ts';
import { scriptServer } from '../support/servers.ts';
import { unless } from '../support/unless.ts';
import { EchoTalk } from './echo-talk.ts';
import { readKept } from './kept-trace.ts';
import { SmallDisk, whyNoSmallDisk } from './small-disk.ts';
import { partNumbers, partsIn } from './trace-parts.ts';

const TRACE = 'disk/trace.jsonl';
const FULL = /^mcpreel: Recording paused: cannot write disk\/trace\.jsonl: the disk is full\n$/;

describe('a full disk', unless(whyNoSmallDisk), () => {
  it('does not disturb the session when the disk is full, and records how much is missing', async () => {
    const place = new CommandPlace();
    const disk = new SmallDisk(place, 'disk', 'size=64k');
    const talk = new EchoTalk(place, ['--trace-file', TRACE]);
    await talk.say(5);
    disk.fill();
    await talk.say(50);
    disk.free();
    await talk.say(5);
    const { code, stderr } = await talk.end();
    expect(code).toBe(0);
    expect(stderr).toMatch(FULL);

    const { gaps, accounted, metas, end } = readKept(place.read(TRACE));
    expect(gaps).toEqual([expect.any(Number)]);
    // The rest of a page holds about 25 entries.
    expect(gaps[0]).toBeGreaterThan(50);
    expect(accounted).toBe(talk.passed);
    expect(metas).toHaveLength(1);
    expect(end).toMatchObject({ exitCode: 0 });
    expect(await place.run(['inspect', TRACE])).toMatchObject({ code: 0 });
  });

  it('reports a repeatedly full disk once, and records a gap each time', async () => {
    const place = new CommandPlace();
    const disk = new SmallDisk(place, 'disk', 'size=128k');
    const talk = new EchoTalk(place, ['--trace-file', TRACE]);
    for (let round = 0; round < 3; round++) {
      await talk.say(3);
      disk.fill();
      await talk.burst(40);
      await talk.say(2);
      disk.free();
    }
    await talk.say(3);
    const { code, stderr } = await talk.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(FULL) });
    const trace = place.read(TRACE);
    const missed = [...trace.matchAll(/"missed":(\d+)/g)].map(([, digits]) => Number(digits));
    expect(missed).toHaveLength(3);
    // In a burst the order of the two directions is not known, so messages are counted.
    const messages = trace.match(/^\{"t":[^\n]*"raw":\{"jsonrpc"[^\n]*\}$/gm) ?? [];
    expect(messages.length + missed.reduce((sum, count) => sum + count, 0)).toBe(talk.passed);
    expect(await place.run(['inspect', TRACE])).toMatchObject({ code: 0 });
  });

  it('keeps earlier messages and the server’s exit code if the disk stays full', async () => {
    const place = new CommandPlace();
    const disk = new SmallDisk(place, 'disk', 'size=64k');
    const server = scriptServer("process.stdin.on('end', () => { process.exitCode = 7 }).pipe(process.stdout)");
    const talk = new EchoTalk(place, ['--trace-file', TRACE], server);
    await talk.say(5);
    disk.fill();
    await talk.say(50);
    const { code, stderr } = await talk.end();
    expect(code).toBe(7);
    expect(stderr).toMatch(FULL);
    const { messages, gaps, end } = readKept(place.read(TRACE));
    expect(messages).toBeGreaterThanOrEqual(10);
    expect({ gaps, end }).toEqual({ gaps: [], end: undefined });
    const { code: opened, stdout } = await place.run(['inspect', TRACE]);
    expect(opened).toBe(0);
    expect(stdout).toContain(`Messages: ${messages}\n`);
  });

  it('starts recording with a header and a gap once a full disk has room', async () => {
    const place = new CommandPlace();
    const disk = new SmallDisk(place, 'disk', 'size=64k');
    disk.fill();
    const talk = new EchoTalk(place, ['--trace-file', TRACE]);
    await talk.say(20);
    expect(existsSync(place.path(TRACE))).toBe(false);
    disk.free();
    await vi.waitFor(
      async () => {
        await talk.say(1);
        expect(existsSync(place.path(TRACE))).toBe(true);
      },
      { interval: 20 },
    );
    await talk.say(5);
    const { code, stderr } = await talk.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(FULL) });

    const trace = place.read(TRACE);
    const { metas, gaps, accounted, messages, tornLines } = readKept(trace);
    expect(trace.split('\n')[1]).toContain('"kind":"mcpreel.gap"');
    expect(metas).toEqual([expect.objectContaining({ type: 'meta', label: 'echo' })]);
    expect(gaps[0]).toBeGreaterThanOrEqual(40);
    expect(messages).toBeGreaterThanOrEqual(10);
    expect({ accounted, tornLines }).toEqual({ accounted: talk.passed, tornLines: 0 });
  });

  it('records how much is missing if the disk has room only at the end', async () => {
    const place = new CommandPlace();
    const disk = new SmallDisk(place, 'disk', 'size=64k');
    disk.fill();
    const talk = new EchoTalk(place, ['--trace-file', TRACE]);
    await talk.say(3);
    disk.free();
    const { code, stderr } = await talk.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(FULL) });
    const { gaps, messages, end } = readKept(place.read(TRACE));
    expect({ gaps, messages }).toEqual({ gaps: [6], messages: 0 });
    expect(end).toMatchObject({ exitCode: 0 });
  });

  it('counts missing messages correctly in all parts if the disk is full at a rotation', async () => {
    const place = new CommandPlace();
    const disk = new SmallDisk(place, 'disk', 'size=128k');
    const talk = new EchoTalk(place, ['--trace-file', TRACE, '--max-bytes', '8k']);
    await talk.say(30);
    disk.fill();
    await talk.say(50);
    disk.free();
    await talk.say(50);
    const { code, stderr } = await talk.end();
    expect(code).toBe(0);
    expect(stderr).toMatch(/^mcpreel: Recording paused: cannot write [^\n]+: the disk is full\n$/);
    const names = partsIn(place, TRACE);
    expect(partNumbers(place, names)).toEqual(names.map((_, index) => index + 1));
    const { gaps, accounted, metas } = readKept(names.map((name) => place.read(name)).join('\n'));
    expect(metas).toHaveLength(names.length);
    expect({ gaps: gaps.length, accounted }).toEqual({ gaps: 1, accounted: talk.passed });
    // Readers of all parts miss nothing else.
    const { stdout } = await place.run(['inspect', TRACE, '--json']);
    expect(jsonLines(stdout).at(-1)).toMatchObject({ summary: { messages: talk.passed - (gaps[0] ?? 0), events: 1 } });
  });

  it('exceeds --max-bytes instead of losing messages if the disk has no free inodes', async () => {
    const place = new CommandPlace();
    // Enough inodes for the folder and one file.
    new SmallDisk(place, 'disk', 'size=256k,nr_inodes=2');
    const talk = new EchoTalk(place, ['--trace-file', TRACE, '--max-bytes', '4k']);
    await talk.say(50);
    expect((await talk.end()).code).toBe(0);
    const { gaps, accounted } = readKept(place.read(TRACE));
    expect({ gaps, accounted }).toEqual({ gaps: [], accounted: 100 });
  });
});
