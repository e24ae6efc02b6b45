import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { Place } from '../support/place.ts';
import { scriptServer } from '../support/servers.ts';
import { unless } from '../support/unless.ts';
import { EchoTalk } from './echo-talk.ts';
import { readKept } from './kept-trace.ts';
import { JournalledDisk, SmallDisk, whyNoJournalledDisk, whyNoSmallDisk } from './small-disk.ts';

const TRACE = 'disk/trace.jsonl';
const FLAGS = ['--must-record', '--trace-file', TRACE];

/** A server that creates a file when it starts. */
const markingServer = scriptServer("fs.writeFileSync('started', '')");

/**
 * An echo server that records each shutdown request: end of stdin and signals. It exits after it has seen all of them.
 */
const notingServer = scriptServer(`
  const note = (what) => {
    fs.appendFileSync('told', what + '\\n');
    if (fs.readFileSync('told', 'utf8').split('\\n').length === 3) process.exit(0);
  };
  process.on('SIGTERM', () => note('SIGTERM'));
  setInterval(() => {}, 1000);
  process.stdin.on('end', () => note('EOF')).pipe(process.stdout, { end: false });
`);

/** Runs a session that must be recorded, and expects it not to start. */
async function expectNotStarted(place: Place, why: string): Promise<void> {
  const { code, stdout, stderr } = await place.run([...FLAGS, '--', ...markingServer]);
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: '',
    stderr: `Error: Not started: cannot write ${TRACE}: ${why}\n`,
  });
  expect(existsSync(place.path('started'))).toBe(false);
}

/** Talks until the session ends, and expects the server to have received both shutdown requests. */
async function expectEnded(place: Place, talk: EchoTalk, why: string): Promise<void> {
  let isOver = false;
  const ended = talk.ended.finally(() => {
    isOver = true;
  });
  while (!isOver) await talk.say(1).catch(() => undefined);
  const { code, stderr } = await ended;
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `Error: The session was stopped because recording failed: ${why}\n`,
  });
  expect(readFileSync(place.path('told'), 'utf8').trim().split('\n').sort()).toEqual(['EOF', 'SIGTERM']);
}

describe('--must-record', () => {
  it('makes no difference while the trace can be written', async () => {
    const place = new Place();
    const talk = new EchoTalk(place, FLAGS);
    await talk.say(5);
    expect(await talk.end()).toMatchObject({ code: 0, stderr: '' });
    expect(readKept(place.read(TRACE)).accounted).toBe(10);
  });

  it('does not start a server if the trace cannot be created', async () => {
    const place = new Place();
    place.write('disk', 'a file where a folder should be');
    await expectNotStarted(place, 'part of the path is not a folder');
  });

  it('ends a session whose trace was removed', async () => {
    const place = new Place();
    mkdirSync(place.path('disk'));
    const talk = new EchoTalk(place, FLAGS, notingServer);
    await talk.say(3);
    rmSync(place.path(TRACE));
    await expectEnded(place, talk, 'the trace was removed');
  });
});

describe('--must-record on a small disk', unless(whyNoSmallDisk), () => {
  it('does not start a server when the disk is full', async () => {
    const place = new Place();
    new SmallDisk(place, 'disk', 'size=64k').fill();
    await expectNotStarted(place, 'the disk is full');
    expect(existsSync(place.path(TRACE))).toBe(false);
  });

  it('does not start a server when the disk is read-only', async () => {
    const place = new Place();
    new SmallDisk(place, 'disk', 'size=64k').makeReadOnly();
    await expectNotStarted(place, 'the disk is read-only');
  });

  it('ends a session when the disk is full, and keeps what was recorded', async () => {
    const place = new Place();
    const disk = new SmallDisk(place, 'disk', 'size=64k');
    const talk = new EchoTalk(place, FLAGS, notingServer);
    await talk.say(3);
    disk.fill();
    await expectEnded(place, talk, 'the disk is full');
    expect(readKept(place.read(TRACE)).messages).toBeGreaterThanOrEqual(6);
  });
});

describe('--must-record on a failing disk', unless(whyNoJournalledDisk), () => {
  it('ends a session when the disk becomes read-only', async () => {
    const place = new Place();
    const disk = new JournalledDisk(place, 'disk');
    const talk = new EchoTalk(place, FLAGS, notingServer);
    await talk.say(3);
    await vi.waitFor(() => expect(readKept(place.read(TRACE)).messages).toBe(6), { interval: 10 });
    disk.breakDown();
    await expectEnded(place, talk, 'the disk is read-only');
  });
});
