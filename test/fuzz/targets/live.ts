import { Buffer } from 'node:buffer';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ControlServer, serveLive } from '../../../src/control/control-server.ts';
import { RawScreen } from '../../support/control/raw-control-client.ts';
import { SampleSession } from '../../support/control/sample-session.ts';
import { chunksOf } from '../../support/sample-texts.ts';
import { LiveRecording } from '../live-recording.ts';
import { Random } from '../random.ts';
import { textSeeds } from '../seeds.ts';
import { hold, same, type Target } from '../target.ts';

const TOKEN = '2f6c9d0b';
const CALL = '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search"}}';

const PASS_ALL = Buffer.from('{"ref":0,"type":"mode","mode":"passthrough"}\n');

const requestSeeds = (): Uint8Array[] =>
  textSeeds(
    '{"ref":1,"type":"control"}\n{"ref":2,"type":"mode","mode":"intercept","filter":"tool:search"}\n{"ref":3,"type":"held"}\n',
    '{"ref":"a","type":"follow","from":0}\n{"ref":"b","type":"follow"}\n',
    '{"ref":1,"type":"decide","id":"msg-1","action":"edit","text":"{}","confirmed":true}\n{"ref":2,"type":"decide","id":"msg-1","action":"drop"}\n',
    '{"ref":1,"type":"decide","id":"msg-1","action":"answer","result":"{}"}\n{"ref":1,"type":"decide","id":"msg-1","action":"answer","error":"{}"}\n',
    '{"ref":1,"type":"inject","direction":"server_to_client","text":"{\\"jsonrpc\\":\\"2.0\\",\\"method\\":\\"a\\"}","conversation":0}\n',
    '{"ref":1,"type":"mode","mode":"passthrough"}\n{"ref":2,"type":"control"}\n',
    '{"v":1,"token":"2f6c"}\n{"v":1}\n{"token":"","v":1}\n{"v":2,"token":["2f6c"]}\n',
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  );

/** Fuzzes the control socket: without the token no command runs, and with it no input breaks the session. */
export const liveTargets: readonly Target[] = [
  { name: 'live-socket', perSecond: 700, seeds: requestSeeds, check: checkSocket, close: closeServed },
  { name: 'live-session', perSecond: 250, seeds: requestSeeds, check: checkSession, close: closeRecording },
];

interface Served {
  readonly session: SampleSession;
  readonly server: ControlServer;
  readonly folder: string;
  readonly path: string;
}

let served: Promise<Served> | undefined;

async function serve(): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'mcpreel-fuzz-'));
  const path = join(folder, 's.sock');
  const session = new SampleSession();
  const server = await serveLive(session, { socket: path, token: TOKEN }, { lingerMs: 50 });
  if (server === undefined) throw new Error(`Nobody can listen at ${path}`);
  return { session, server, folder, path };
}

async function closeServed(): Promise<void> {
  const { server, folder } = (await served) ?? {};
  await server?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  served = undefined;
}

async function checkSocket(input: Uint8Array): Promise<void> {
  served ??= serve();
  const { session, path } = await served;
  const isStranger = Random.of(input).oneIn(2);
  session.injected.length = 0;
  await session.setMode('passthrough');
  const held = session.hold(CALL);
  const lines = await visit(path, isStranger ? undefined : TOKEN, input);
  if (isStranger) {
    same(session.state.mode, 'passthrough', 'no mode is set by a stranger');
    same(session.injected, [], 'nothing is sent by a stranger');
    same(
      session.held.some(({ id }) => id === held.id),
      true,
      'nothing is decided by a stranger',
    );
  }
  same(session.inCharge, 0, 'who has left is in charge of nothing');
  checkLines(lines, isStranger);
  const sound = new RawScreen(path);
  sound.say(JSON.stringify({ v: 1, token: TOKEN }));
  sound.say('{"ref":"still there","type":"held"}');
  hold((await sound.receivedOf('"still there"')).startsWith('{"type":"done"'), 'who may come in still can');
  sound.socket.destroy();
  await sound.closed();
}

let recording: Promise<LiveRecording> | undefined;

async function closeRecording(): Promise<void> {
  await (await recording)?.close();
  recording = undefined;
}

/** The same check against a live session that forwards bytes meanwhile. */
async function checkSession(input: Uint8Array): Promise<void> {
  recording ??= LiveRecording.start();
  const running = await recording;
  // An authorized client may end the session and write a file anywhere.
  const mayHarm = /end|save|\\u/.test(Buffer.from(input).toString('latin1'));
  const isStranger = mayHarm || Random.of(input).oneIn(2);
  const lines = await visit(running.socket, isStranger ? undefined : running.token, input);
  checkLines(lines, isStranger);
  // An authorized client may also have put every message on hold.
  if (!isStranger) await visit(running.socket, running.token, PASS_ALL);
  const echo = await running.passes();
  hold(echo, 'bytes still pass through the session', () => running.sent());
}

/** Sends input to a socket in pieces and disconnects. Returns the replies. */
async function visit(path: string, token: string | undefined, input: Uint8Array): Promise<string[]> {
  const screen = new RawScreen(path);
  if (token !== undefined) screen.say(JSON.stringify({ v: 1, token }));
  const random = Random.of(input);
  for (const chunk of chunksOf(input, random.cuts(input.length, 3))) screen.socket.write(chunk);
  screen.socket.end(random.oneIn(2) ? '\n' : '');
  return screen.closed();
}

function checkLines(lines: readonly string[], isStranger: boolean): void {
  const types = lines.map((line) => (JSON.parse(line) as { type: string }).type);
  if (isStranger)
    hold(types.every((type) => type === 'refused') && types.length <= 1, 'a stranger is told nothing', () => lines);
  // On a machine that stalls for seconds, any client may miss the deadline.
  else if (lines[0]?.includes('in time') !== true)
    hold(types[0] === 'hello', 'who has the token is let in', () => lines);
}
