import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { RawScreen } from '../../test/support/control/raw-control-client.ts';
import { SampleSession } from '../../test/support/control/sample-session.ts';
import { socketPath } from '../../test/support/socket-path.ts';
import { type ControlLimits, type ControlServer, serveLive } from './control-server.ts';

const TOKEN = '2f6c';
const FIRST_LINE = `{"v":1,"token":"${TOKEN}"}`;
const CALL = '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search"}}';

let folder = '';
let path = '';
let session = new SampleSession();
let server: ControlServer | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'live-'));
  path = socketPath(folder, 's.sock');
  session = new SampleSession();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function serve(limits: Partial<ControlLimits> = {}): Promise<void> {
  server = await serveLive(session, { socket: path, token: TOKEN }, limits);
  expect(server).toBeDefined();
}

function screen(): RawScreen {
  const made = new RawScreen(path);
  onTestFinished(() => void made.socket.destroy());
  return made;
}

/** A screen that the server has admitted. */
async function admitted(): Promise<RawScreen> {
  const made = screen();
  made.say(FIRST_LINE);
  expect(await made.receivedOf('"type":"hello"')).toContain('"nextSeq"');
  return made;
}

async function inCharge(): Promise<RawScreen> {
  const made = await admitted();
  made.say('{"ref":"c","type":"control"}');
  await made.receivedOf('"ref":"c"');
  return made;
}

/** Expects that admitted screens still work. */
async function expectUnharmed(): Promise<void> {
  const sound = await inCharge();
  const { id } = session.hold(CALL);
  await sound.receivedOf(id);
  sound.say(`{"ref":7,"type":"decide","id":"${id}","action":"forward"}`);
  expect(await sound.receivedOf('"ref":7')).toBe('{"type":"done","ref":7,"hints":[]}');
  sound.socket.destroy();
}

it('a session sends exactly the lines that docs/control-socket.md shows', async () => {
  const page = readFileSync(new URL('../../docs/control-socket.md', import.meta.url), 'utf8');
  const dialogue = page.split('\n').filter((line) => /^[→←] /.test(line));
  expect(dialogue.length).toBeGreaterThan(20);
  session.nextSeq = 3;
  await serve();
  const shown = screen();
  const expected: string[] = [];
  for (const line of dialogue) {
    const text = line.slice(2);
    if (line.startsWith('→')) {
      shown.say(text);
      continue;
    }
    expected.push(text);
    // Events without a request, in the order of the docs page.
    if (text.startsWith('{"type":"held"')) session.hold(CALL);
    if (text.startsWith('{"type":"lines"')) session.write(...JSON.parse(text).lines);
    if (text === '{"type":"end"}') session.end();
    const received = await shown.received(expected.length);
    expect(received.slice(0, expected.length)).toEqual(expected);
  }
  expect(await shown.closed()).toEqual(expected);
});

describe('an unauthorized control client', () => {
  const refusal = /^\{"type":"refused","message":"[^"]+"(,"hint":"[^"]+")?\}$/;

  it.each([
    ['has a wrong token', '{"v":1,"token":"2f6d"}'],
    ['has a longer token', `{"v":1,"token":"${TOKEN}0"}`],
    ['has an empty token', '{"v":1,"token":""}'],
    ['has no token', '{"v":1}'],
    ['has a token that is no string', '{"v":1,"token":["2f6c"]}'],
    ['speaks another version', `{"v":2,"token":"${TOKEN}"}`],
    ['says nothing', ''],
    ['says no object', '"2f6c"'],
    ['says no JSON', '{"v":1'],
    ['is a web page', `GET / HTTP/1.1\r\nHost: localhost\r\n\r\n{"v":1,"token":"${TOKEN}"}`],
    ['says too much', `{"v":1,"pad":"${'x'.repeat(4096)}","token":"${TOKEN}"}`],
    ['says far too much', 'x'.repeat(10_000_000)],
  ])('a control client is refused with a single line if it %s', async (_, text) => {
    await serve();
    session.hold(CALL);
    const stranger = screen();
    stranger.say(text);
    const lines = await stranger.closed();
    expect(lines).toEqual([expect.stringMatching(refusal)]);
    expect(session).toMatchObject({ inCharge: 0, listeners: 0 });
    await expectUnharmed();
  });

  it('a control client that never ends its first line is refused', async () => {
    await serve();
    const stranger = screen();
    stranger.socket.write('x'.repeat(5000));
    expect(await stranger.closed()).toEqual([expect.stringMatching(refusal)]);
    await expectUnharmed();
  });

  it('a control client that sends nothing before the timeout is refused', async () => {
    await serve({ firstLineMs: 20 });
    expect(await screen().closed()).toEqual([expect.stringMatching(refusal)]);
  });

  it('lines that follow a rejected token have no effect', async () => {
    await serve();
    session.hold(CALL);
    const stranger = screen();
    stranger.say(`{"v":1,"token":"no"}\n${FIRST_LINE}\n{"ref":1,"type":"mode","mode":"intercept"}`);
    expect(await stranger.closed()).toHaveLength(1);
    expect(session.state.mode).toBe('passthrough');
  });

  it('any number of unauthorized connections leaves room for an authorized control client', async () => {
    await serve({ connections: 4 });
    const strangers = Array.from({ length: 50 }, screen);
    await expectUnharmed();
    await Promise.all(strangers.slice(0, 40).map((stranger) => stranger.closed()));
  });
});

it('control clients above the connection limit are refused', async () => {
  await serve({ connections: 2 });
  const [first] = [await admitted(), await admitted()];
  const third = screen();
  expect(await third.closed()).toEqual([expect.stringContaining('Too many controllers are connected')]);
  first?.socket.destroy();
  await first?.closed();
  // On a Windows pipe, the session notices a moment later.
  await vi.waitFor(expectUnharmed);
});

describe('a control client that sends invalid data', () => {
  it.each([
    ['no JSON', '{"ref":1,'],
    ['no object', '[]'],
    ['null', 'null'],
    ['no ref', '{"type":"held"}'],
    ['a ref that is no name', '{"ref":{},"type":"held"}'],
    ['an endless ref', `{"ref":"${'x'.repeat(201)}","type":"held"}`],
    ['an empty line', ''],
  ])('a control client is disconnected after an invalid line: %s', async (_, line) => {
    await serve();
    const odd = await inCharge();
    session.hold(CALL);
    odd.say(line);
    expect((await odd.closed()).at(-1)).toContain('"type":"refused","message"');
    expect(session).toMatchObject({ inCharge: 0, listeners: 0, held: [] });
    await expectUnharmed();
  });

  it('a control client is disconnected after invalid UTF-8', async () => {
    await serve();
    const odd = await admitted();
    odd.socket.write(Buffer.from([0x7b, 0xff, 0x7d, 0x0a]));
    expect((await odd.closed()).at(-1)).toContain('not UTF-8');
    await expectUnharmed();
  });

  it.each([
    ['ended', '\n'],
    ['not ended', ''],
  ])('a control client is disconnected if its line is too long, %s', async (_, end) => {
    await serve({ requestBytes: 1 << 20 });
    const odd = await admitted();
    odd.socket.write(`{"ref":1,"type":"inject","text":"${'é'.repeat(1 << 20)}"}${end}`);
    expect((await odd.closed()).at(-1)).toContain('too long');
    await expectUnharmed();
  });

  it.each([
    ['{"ref":5}', '`type` must be'],
    ['{"ref":5,"type":"launch"}', '`type` must be control, held, end, follow, mode, decide, inject or save'],
    ['{"ref":5,"type":"follow","from":-1}', '`from` must be a whole number'],
    ['{"ref":5,"type":"mode","mode":"off"}', '`mode` must be passthrough or intercept'],
    ['{"ref":5,"type":"mode","mode":"intercept","filter":7}', '`filter` must be a string'],
    ['{"ref":5,"type":"mode","mode":"intercept","filter":"("}', 'Expected a term after ( (column 2)'],
    ['{"ref":5,"type":"decide","action":"drop"}', '`id` is missing'],
    ['{"ref":5,"type":"decide","id":"nobody","action":"drop"}', 'No held message has the id nobody'],
    ['{"ref":5,"type":"decide","id":"msg-1","action":"burn"}', '`action` must be forward, drop, edit or answer'],
    ['{"ref":5,"type":"decide","id":"msg-1","action":"edit"}', '`text` is missing'],
    ['{"ref":5,"type":"decide","id":"msg-1","action":"edit","text":"","confirmed":1}', '`confirmed` must be true'],
    ['{"ref":5,"type":"decide","id":"msg-1","action":"answer"}', 'either `result` or `error`'],
    ['{"ref":5,"type":"decide","id":"msg-1","action":"answer","result":"1","error":"2"}', 'either `result` or `error`'],
    ['{"ref":5,"type":"decide","id":"msg-1","action":"answer","result":{}}', '`result` must be a string'],
    ['{"ref":5,"type":"inject","direction":"up","text":"{}"}', '`direction` must be'],
    ['{"ref":5,"type":"save","path":"here.json"}', '`path` must be absolute'],
  ])('an invalid request is refused without disconnecting the control client: %s', async (line, why) => {
    await serve();
    const odd = await inCharge();
    session.hold(CALL);
    odd.say(line);
    const reply = await odd.receivedOf('"ref":5');
    expect(JSON.parse(reply)).toMatchObject({ type: 'refused', ref: 5, message: expect.stringContaining(why) });
    odd.say('{"ref":6,"type":"decide","id":"msg-1","action":"drop"}');
    expect(await odd.receivedOf('"ref":6')).toBe('{"type":"done","ref":6,"hints":[]}');
  });
});

describe('several control clients', () => {
  it('all control clients receive the same held messages and state changes', async () => {
    await serve();
    const [one, other] = [await inCharge(), await inCharge()];
    one.say('{"ref":1,"type":"mode","mode":"intercept"}');
    expect(await other.receivedOf('"type":"state"')).toContain('"mode":"intercept"');
    session.hold(CALL);
    await other.receivedOf('"type":"held"');
    other.say('{"ref":1,"type":"decide","id":"msg-1","action":"drop"}');
    expect(await one.receivedOf('"type":"released"')).toContain('{"action":"drop"}');
  });

  it('held messages are released when the last controlling client disconnects', async () => {
    await serve();
    const [one, other] = [await inCharge(), await inCharge()];
    session.hold(CALL);
    one.socket.destroy();
    await session.hasInCharge(1);
    expect(session.held).toHaveLength(1);
    const released: string[] = [];
    session.listen({ onReleased: ({ by }) => released.push(by) });
    other.socket.destroy();
    await session.hasInCharge(0);
    expect([released, session.held]).toEqual([['screen gone'], []]);
  });

  it('control clients that only watch do not receive held messages', async () => {
    await serve();
    const watching = await admitted();
    session.hold(CALL);
    session.release('msg-1', { action: 'edit', text: CALL }, 'screen');
    watching.say('{"ref":1,"type":"held"}');
    await watching.receivedOf('"ref":1');
    expect(watching.lines.filter((line) => /"type":"(held|released)"/.test(line))).toEqual([]);
  });

  it('requests that arrive together with the first line are answered', async () => {
    await serve();
    const hasty = screen();
    hasty.say(`${FIRST_LINE}\n{"ref":1,"type":"follow"}\n{"ref":2,"type":"held"}`);
    expect(await hasty.receivedOf('"ref":2')).toBe('{"type":"done","ref":2,"hints":[],"held":[]}');
    expect(hasty.lines).toHaveLength(3);
  });

  it.each([
    ['read', 50_000],
    ['done', 0],
  ])('a control client may exceed the limit of open requests: the rest is %s later', async (_, bytes) => {
    await serve({ openRequests: 5 });
    const [eager, other] = [await admitted(), await admitted()];
    const saving: ((path: string) => void)[] = [];
    session.save = () => new Promise((resolve) => saving.push(resolve));
    const padding = 'x'.repeat(bytes);
    for (let ref = 0; ref < 100; ref++) eager.say(`{"ref":${ref},"type":"save","pad":"${padding}"}`);
    for (let ref = 0; ref < 50; ref++) {
      other.say(`{"ref":"r${ref}","type":"held"}`);
      await other.receivedOf(`"r${ref}"`);
    }
    expect(saving).toHaveLength(5);
    session.save = async () => '/x';
    for (const done of saving) done('/x');
    expect(await eager.received(101)).toHaveLength(101);
  });

  it('control clients are notified when the session ends, even if another one never reads', async () => {
    await serve({ lingerMs: 50 });
    const [reading, stuck] = [await admitted(), await inCharge()];
    stuck.socket.pause();
    session.hold(`{"pad":"${'x'.repeat(4_000_000)}"}`);
    await server?.close();
    expect((await reading.closed()).at(-1)).toBe('{"type":"end"}');
    expect(existsSync(path)).toBe(false);
  });
});

describe('a slow control client', () => {
  const line = `{"pad":"${'x'.repeat(1000)}"}`;

  it('a slow control client misses lines, receives the missed range and delays no other client', async () => {
    await serve({ waitingForLines: 100_000 });
    const [slow, quick] = [await admitted(), await admitted()];
    for (const one of [slow, quick]) one.say('{"ref":1,"type":"follow","from":0}');
    await Promise.all([slow.receivedOf('"ref":1'), quick.receivedOf('"ref":1')]);
    slow.socket.pause();
    for (let n = 0; n < 5000; n++) session.write(line);
    // Too many lines at once to send one by one, even to a screen that reads.
    expect(await quick.receivedOf('"type":"missed"')).toContain('"to":5000}');
    slow.socket.resume();
    await slow.receivedOf('"type":"missed"');
    session.write('{"last":1}');
    for (const one of [slow, quick]) {
      await vi.waitFor(() => expect(reportedIn(one.lines.slice(2))).toBe(5001));
    }
  });

  it('lines written slowly are sent one by one, and all remaining lines before the end', async () => {
    await serve();
    const one = await admitted();
    one.say('{"ref":1,"type":"follow","from":0}');
    await one.receivedOf('"ref":1');
    for (let n = 0; n < 50; n++) {
      session.write('{"little":1}');
      await one.receivedOf(`"firstSeq":${n},`);
    }
    for (let n = 0; n < 1000; n++) session.write(line);
    session.end();
    const lines = await one.closed();
    expect(lines.at(-1)).toBe('{"type":"end"}');
    expect(reportedIn(lines.slice(2, -1))).toBe(1050);
  });

  it('a slow control client still receives held messages and state changes', async () => {
    await serve({ waitingForLines: 1000 });
    const slow = await inCharge();
    slow.say('{"ref":1,"type":"follow"}');
    await slow.receivedOf('"ref":1');
    slow.socket.pause();
    for (let n = 0; n < 1000; n++) session.write(line);
    session.hold(CALL);
    await session.setMode('intercept');
    slow.socket.resume();
    expect(await slow.receivedOf('"type":"held"')).toContain('msg-1');
    expect(await slow.receivedOf('"type":"state"')).toContain('intercept');
  });

  it('a slow control client is disconnected if its held messages exceed the buffer limit', async () => {
    await serve({ waitingAtAll: 1_000_000 });
    const slow = await inCharge();
    slow.socket.pause();
    for (let n = 0; n < 30; n++) session.hold(`{"pad":"${'x'.repeat(100_000)}"}`);
    await session.hasInCharge(0);
    expect(session).toMatchObject({ listeners: 0, held: [] });
    await expectUnharmed();
  });

  it('a large line is reported as missed, to be read from the trace', async () => {
    await serve();
    const one = await admitted();
    one.say('{"ref":1,"type":"follow"}');
    await one.receivedOf('"ref":1');
    session.write('{}', `{"pad":"${'x'.repeat(1 << 22)}"}`);
    expect(await one.receivedOf('"missed"')).toBe('{"type":"missed","from":0,"to":2}');
  });
});

/** The last trace line up to which these lines have no gap. */
function reportedIn(reported: readonly string[]): number {
  let next = 0;
  for (const text of reported) {
    const { type, firstSeq, lines, from, to } = JSON.parse(text);
    expect(type === 'lines' ? firstSeq : from).toBe(next);
    next = type === 'lines' ? firstSeq + lines.length : to;
  }
  return next;
}
