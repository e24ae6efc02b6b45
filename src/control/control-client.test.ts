import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { SampleSession } from '../../test/support/control/sample-session.ts';
import { socketPath } from '../../test/support/socket-path.ts';
import { ReelError } from '../model/errors.ts';
import { type ConnectOptions, type ControlClient, connectLive } from './control-client.ts';
import { type ControlServer, serveLive } from './control-server.ts';

const TOKEN = '2f6c';
const CALL = '{"jsonrpc":"2.0","id":2,"method":"tools/call"}';

let folder = '';
let path = '';
let session = new SampleSession();
let server: ControlServer | undefined;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'live-'));
  path = socketPath(folder, 's.sock');
  session = new SampleSession();
  server = await serveLive(session, { socket: path, token: TOKEN });
});
afterEach(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function connected(options: ConnectOptions = {}, at = path): Promise<ControlClient> {
  const client = await connectLive({ id: session.facts.id, socket: at, token: TOKEN }, options);
  onTestFinished(() => client.close());
  return client;
}

/** A process that is not a session, listening on a socket. */
async function impostor(talk: (socket: Socket) => void): Promise<string> {
  const at = socketPath(folder, 'i.sock');
  const sockets = new Set<Socket>();
  const listening = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    talk(socket);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    listening.close();
  });
  await new Promise<void>((resolve) => listening.listen(at, resolve));
  return at;
}

describe('the control client', () => {
  it('receives the facts and the state of its session', async () => {
    session.nextSeq = 5;
    const { facts, state, nextSeq } = await connected();
    expect({ facts, nextSeq }).toEqual({ facts: session.facts, nextSeq: 5 });
    expect(state).toEqual({ mode: 'passthrough', holdTimeoutMs: 30_000, failClosed: false });
  });

  it('follows the trace', async () => {
    session.write('{"a":1}', '{"a":2}');
    const reported: unknown[] = [];
    const client = await connected({
      listener: {
        onLines: (firstSeq, lines) => reported.push([firstSeq, lines]),
        onMissed: (from, to) => reported.push(`${from}-${to}`),
      },
    });
    await client.follow(1);
    session.write('{"a":"\u2028é"}');
    await client.held();
    await client.follow();
    session.write('{"a":4}');
    await client.held();
    expect(reported).toEqual(['1-2', [2, ['{"a":"\u2028é"}']], [3, ['{"a":4}']]]);
  });

  it('receives no lines before the requested sequence number', async () => {
    const reported: unknown[] = [];
    const client = await connected({ listener: { onLines: (firstSeq, lines) => reported.push([firstSeq, lines]) } });
    await client.follow(2);
    session.write('0', '1', '2', '3');
    await client.held();
    expect(reported).toEqual([[2, ['2', '3']]]);
  });

  it('decides on held messages, changes the mode, injects and saves', async () => {
    const [held, released, states]: [unknown[], unknown[], unknown[]] = [[], [], []];
    const client = await connected({
      listener: {
        onHeld: (message) => held.push(message),
        onReleased: (release) => released.push(release),
        onState: (state) => states.push(state),
      },
    });
    session.hold(CALL, { exchange: 7 });
    await client.takeCharge();
    expect(await client.setMode('intercept', 'tool:x')).toMatchObject({ hints: [] });
    expect(client.state).toMatchObject({ mode: 'intercept', filter: 'tool:x' });
    expect([held, states]).toEqual([session.held, [client.state]]);
    expect(await client.held()).toEqual(session.held);
    session.hints = ['Nobody expects that.'];
    const reply = await client.decide('msg-1', { action: 'edit', text: '{' });
    expect([reply.hints, released]).toMatchObject([session.hints, [{ decision: { action: 'edit', text: '{' } }]]);
    await client.inject({ direction: 'server_to_client', text: '{}', conversation: 2 });
    expect(session.injected).toMatchObject([{ direction: 'server_to_client', text: '{}', conversation: 2 }]);
    expect(await client.save()).toBe('/home/me/fs.json');
  });

  it('sends and receives large messages', async () => {
    const large = `{"pad":"${'é"'.replace('"', '\\\\"').repeat(3_000_000)}"}`;
    const received: string[] = [];
    const client = await connected({ listener: { onHeld: ({ text }) => received.push(text) } });
    session.hold(large);
    await client.takeCharge();
    const [held] = await client.held();
    await client.decide('msg-1', { action: 'edit', text: large });
    expect(held?.text === large && received[0] === large).toBe(true);
    expect(session.held).toEqual([]);
  });

  it('reports why a request was refused, and stays connected', async () => {
    const client = await connected();
    const refusal = new ReelError('session-refused', 'Expected a term after ( (column 2)');
    await expect(client.setMode('intercept', '(')).rejects.toEqual(refusal);
    await client.setMode('intercept');
    expect(session.state.mode).toBe('intercept');
  });

  it('gives up control when it disconnects, which releases held messages', async () => {
    const client = await connected();
    await client.takeCharge();
    session.hold(CALL);
    client.close();
    expect(await client.over).toBe('left');
    await session.hasInCharge(0);
    expect(session.held).toEqual([]);
  });

  it('ends the session, and receives the confirmation before the end', async () => {
    const client = await connected();
    await client.requestEnd();
    expect(await client.over).toBe('ended');
  });

  it('reports that the session has ended', async () => {
    const client = await connected();
    await server?.close();
    expect(await client.over).toBe('ended');
    await expect(client.held()).rejects.toThrow('does not respond');
  });
});

describe('connectLive', () => {
  it('fails if no session listens on the socket', async () => {
    await expect(connected({ tries: 2 }, socketPath(folder, 'none'))).rejects.toMatchObject({ code: 'session-gone' });
  });

  it('waits for a session that is about to listen', async () => {
    const later = socketPath(folder, 'later.sock');
    const waiting = connected({ tries: 1000 }, later);
    const other = await serveLive(session, { socket: later, token: TOKEN });
    onTestFinished(() => other?.close());
    expect((await waiting).facts).toEqual(session.facts);
  });

  it('fails if the session has no socket or no token', async () => {
    const { id } = session.facts;
    const gone = { code: 'session-gone' };
    await expect(connectLive({ id, socket: undefined, token: TOKEN })).rejects.toMatchObject(gone);
    await expect(connectLive({ id, socket: path, token: undefined })).rejects.toMatchObject(gone);
  });

  it('fails with a wrong token', async () => {
    const refused = { code: 'session-refused', message: 'Wrong token' };
    await expect(connectLive({ id: 'x', socket: path, token: 'no' })).rejects.toMatchObject(refused);
  });

  it.each([
    ['says nothing', (_: Socket) => undefined],
    ['leaves', (socket: Socket) => socket.destroy()],
    ['says what is no JSON', (socket: Socket) => socket.write('hello\n')],
  ])('fails if the process that listens on the socket %s', async (_, talk) => {
    const at = await impostor(talk);
    await expect(connected({ timeoutMs: 50 }, at)).rejects.toMatchObject({ code: 'session-gone' });
  });
});

it('a lost connection fails pending requests', async () => {
  const hello = '{"type":"hello","v":1,"facts":{},"state":{},"nextSeq":0}\n{"type":"news"}\n';
  const at = await impostor((socket) => {
    socket.write(hello);
    socket.on('data', (chunk) => chunk.includes('"held"') && socket.destroy());
  });
  const client = await connected({}, at);
  await expect(client.held()).rejects.toMatchObject({ code: 'session-gone' });
  expect(await client.over).toMatchObject({ code: 'session-gone' });
});
