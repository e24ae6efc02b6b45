import { existsSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { unless } from '../support/unless.ts';
import { EchoTalk } from './echo-talk.ts';
import { readKept } from './kept-trace.ts';
import { JournalledDisk, SmallDisk, whyNoJournalledDisk, whyNoSmallDisk } from './small-disk.ts';

const TRACE = 'disk/trace.jsonl';
const READ_ONLY =
  /^mcpreel: Recording paused: cannot write \S+: the disk is read-only\n(?:mcpreel: Other processes cannot watch or control this session: .*\n)?$/;

describe('a read-only disk', unless(whyNoSmallDisk), () => {
  it('does not disturb a session whose trace is on a read-only disk', async () => {
    const place = new CommandPlace();
    new SmallDisk(place, 'disk', 'size=64k').makeReadOnly();
    const talk = new EchoTalk(place, ['--trace-file', TRACE]);
    await talk.say(20);
    const { code, stderr } = await talk.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(READ_ONLY) });
    expect(existsSync(place.path(TRACE))).toBe(false);
  });

  it('does not disturb a session whose state folder is on a read-only disk', async () => {
    const place = new CommandPlace();
    new SmallDisk(place, 'home', 'size=64k').makeReadOnly();
    const talk = new EchoTalk(place, []);
    await talk.say(20);
    const { code, stderr } = await talk.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(READ_ONLY) });
  });

  it('starts recording with a header and a gap once the disk is writable', async () => {
    const place = new CommandPlace();
    const disk = new SmallDisk(place, 'disk', 'size=64k');
    disk.makeReadOnly();
    const talk = new EchoTalk(place, ['--trace-file', TRACE]);
    await talk.say(5);
    disk.makeWritable();
    await vi.waitFor(
      async () => {
        await talk.say(1);
        expect(existsSync(place.path(TRACE))).toBe(true);
      },
      { interval: 20 },
    );
    const { code, stderr } = await talk.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(READ_ONLY) });
    const { metas, gaps, accounted } = readKept(place.read(TRACE));
    expect(metas).toHaveLength(1);
    expect(gaps[0]).toBeGreaterThanOrEqual(10);
    expect(accounted).toBe(talk.passed);
  });
});

describe('a failing disk', unless(whyNoJournalledDisk), () => {
  it('does not disturb a running session, and keeps what was recorded before the failure', async () => {
    const place = new CommandPlace();
    const disk = new JournalledDisk(place, 'disk');
    const talk = new EchoTalk(place, ['--trace-file', TRACE]);
    await talk.say(20);
    await vi.waitFor(() => expect(readKept(place.read(TRACE)).messages).toBe(40), { interval: 10 });
    disk.breakDown();
    await talk.say(20);
    const { code, stderr } = await talk.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(READ_ONLY) });
    const { messages, end } = readKept(place.read(TRACE));
    expect({ messages, end }).toEqual({ messages: 40, end: undefined });
    const { code: opened, stdout } = await place.run(['inspect', TRACE]);
    expect(opened).toBe(0);
    expect(stdout).toContain('Messages: 40\n');
  });
});
