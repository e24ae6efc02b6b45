import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { jsonLines } from '../support/recordings.ts';
import { EchoTalk } from './echo-talk.ts';
import { readKept } from './kept-trace.ts';
import { partNumbers, partsIn } from './trace-parts.ts';

const TRACE = 'trace.jsonl';
const REMOVED = /^mcpreel: Recording paused: cannot write \S+: the trace was removed\n$/;

/** Talks until the trace exists again. */
async function talkUntilThere(talk: EchoTalk, isThere: () => boolean): Promise<void> {
  await vi.waitFor(
    async () => {
      await talk.say(1);
      expect(isThere()).toBe(true);
    },
    // mcpreel checks every second; a busy machine may take longer.
    { interval: 20 },
  );
}

describe('a trace that is removed while it is written', () => {
  it('recreates a removed trace in place, and records how much is lost', async () => {
    const place = new CommandPlace();
    const talk = new EchoTalk(place, ['--trace-file', TRACE]);
    await talk.say(10);
    const { metas: before } = readKept(place.read(TRACE));
    rmSync(place.path(TRACE));
    await talkUntilThere(talk, () => existsSync(place.path(TRACE)));
    await talk.say(5);
    const { code, stderr } = await talk.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(REMOVED) });

    const { metas, gaps, messages, accounted, end } = readKept(place.read(TRACE));
    expect(metas).toEqual(before);
    expect(gaps).toHaveLength(1);
    expect(gaps[0]).toBeGreaterThanOrEqual(20);
    expect(messages).toBeGreaterThanOrEqual(10);
    expect(accounted).toBe(talk.passed);
    expect(end).toMatchObject({ exitCode: 0 });
    expect(place.files()).toEqual([TRACE]);
    expect(await place.run(['inspect', TRACE])).toMatchObject({ code: 0, stderr: '' });
  });

  it('counts the first gap in the second one if the trace is removed twice', async () => {
    const place = new CommandPlace();
    const talk = new EchoTalk(place, ['--trace-file', TRACE]);
    for (let round = 0; round < 2; round++) {
      await talk.say(10);
      rmSync(place.path(TRACE));
      await talkUntilThere(talk, () => existsSync(place.path(TRACE)));
    }
    expect((await talk.end()).stderr).toMatch(REMOVED);
    expect(readKept(place.read(TRACE)).accounted).toBe(talk.passed);
  });

  it('recreates a trace that is removed shortly before the end, with a gap', async () => {
    const place = new CommandPlace();
    const talk = new EchoTalk(place, ['--trace-file', TRACE]);
    await talk.say(3);
    rmSync(place.path(TRACE));
    const { code, stderr } = await talk.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(REMOVED) });
    const { gaps, messages, end } = readKept(place.read(TRACE));
    expect({ gaps, messages }).toEqual({ gaps: [6], messages: 0 });
    expect(end).toMatchObject({ exitCode: 0 });
  });

  it('recreates a trace in a new folder that only its owner can access if the folder is removed', async () => {
    const place = new CommandPlace();
    const talk = new EchoTalk(place, []);
    await talk.say(10);
    rmSync(place.home, { recursive: true });
    await talkUntilThere(talk, () => existsSync(place.home) && place.traces().length > 0);
    const { code, stderr } = await talk.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(REMOVED) });
    const { gaps, accounted } = readKept(place.trace());
    expect(gaps).toHaveLength(1);
    expect(accounted).toBe(talk.passed);
    expect(place.mode('home')).toBe(0o700);
    expect(place.mode('home/sessions')).toBe(0o700);
    expect(place.mode(place.traces()[0] ?? '')).toBe(0o600);
  });

  it('recreates a removed part under its part number', async () => {
    const place = new CommandPlace();
    const talk = new EchoTalk(place, ['--trace-file', TRACE, '--max-bytes', '64k']);
    await talk.say(200);
    const names = partsIn(place);
    const last = names.at(-1) ?? '';
    expect(names).toHaveLength(2);
    rmSync(place.path(last));
    await talkUntilThere(talk, () => existsSync(place.path(last)));
    await talk.say(5);
    const { code, stderr } = await talk.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(REMOVED) });
    expect(partNumbers(place, partsIn(place))).toEqual([1, 2]);
    const { gaps, accounted } = readKept(
      partsIn(place)
        .map((name) => place.read(name))
        .join(''),
    );
    expect({ gaps: gaps.length, accounted }).toEqual({ gaps: 1, accounted: talk.passed });
    const { stdout } = await place.run(['inspect', TRACE, '--json']);
    expect(jsonLines(stdout).at(-1)).toMatchObject({ summary: { events: 1, problems: 0 } });
  });

  it('saves a session file with the gap of a removed trace', async () => {
    const place = new CommandPlace();
    const talk = new EchoTalk(place, ['--session-file', 'session.json', '--trace-file', TRACE]);
    await talk.say(5);
    rmSync(place.path(TRACE));
    await talkUntilThere(talk, () => existsSync(place.path(TRACE)));
    const { code, stderr } = await talk.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(REMOVED) });
    const { messages, gaps } = readKept(place.read(TRACE));
    const session = JSON.parse(place.read('session.json')) as { messages: unknown[]; events: unknown[] };
    expect(session.messages).toHaveLength(messages);
    expect(session.events).toEqual([
      expect.objectContaining({ kind: 'mcpreel.gap', raw: { missed: gaps[0], why: 'the trace was removed' } }),
    ]);
  });

  it('does not recreate a trace that is only moved', async () => {
    const place = new CommandPlace();
    const talk = new EchoTalk(place, ['--trace-file', TRACE]);
    await talk.say(5);
    renameSync(place.path(TRACE), place.path('moved.jsonl'));
    await talk.say(5);
    expect(await talk.end()).toMatchObject({ code: 0, stderr: '' });
    expect(place.files()).toEqual(['moved.jsonl']);
    expect(readKept(place.read('moved.jsonl'))).toMatchObject({ gaps: [], accounted: 20 });
  });
});

describe('an unusual --trace-file', () => {
  const oddPlace = (name: string): RegExp => new RegExp(`^mcpreel: Recording to ${name}: \\S+ is not a file\\n$`);

  it('writes next to a --trace-file that is a folder, and reports it', async () => {
    const place = new CommandPlace();
    mkdirSync(place.path('folder'));
    const talk = new EchoTalk(place, ['--trace-file', 'folder']);
    await talk.say(2);
    const { code, stderr } = await talk.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(oddPlace('folder-2')) });
    expect(readKept(place.read('folder-2')).accounted).toBe(4);
    expect(readdirSync(place.path('folder'))).toEqual([]);
  });

  it('writes next to a dangling symlink, and reports it', async () => {
    const place = new CommandPlace();
    symlinkSync(place.path('nowhere'), place.path(TRACE));
    const talk = new EchoTalk(place, ['--trace-file', TRACE]);
    await talk.say(2);
    const { code, stderr } = await talk.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(oddPlace('trace-2\\.jsonl')) });
    expect(place.files()).toEqual(['trace-2.jsonl']);
    expect(readKept(place.read('trace-2.jsonl')).accounted).toBe(4);
  });

  it('writes next to a symlink to a file, leaves that file unchanged, and reports it', async () => {
    const place = new CommandPlace();
    place.write('precious', 'precious');
    symlinkSync(place.path('precious'), place.path(TRACE));
    const talk = new EchoTalk(place, ['--trace-file', TRACE]);
    await talk.say(2);
    const { code, stderr } = await talk.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(oddPlace('trace-2\\.jsonl')) });
    expect(place.read('precious')).toBe('precious');
    expect(readKept(place.read('trace-2.jsonl')).accounted).toBe(4);
  });

  it('does not disturb the session if the folder of the trace is a file, and keeps the file', async () => {
    const place = new CommandPlace();
    place.write('file', 'precious');
    const talk = new EchoTalk(place, ['--trace-file', 'file/trace.jsonl']);
    await talk.say(20);
    const { code, stderr } = await talk.end();
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'mcpreel: Recording paused: cannot write file/trace.jsonl: part of the path is not a folder\n',
    });
    expect(place.files()).toEqual(['file']);
    expect(place.read('file')).toBe('precious');
  });
});
