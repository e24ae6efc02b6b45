import { spawn } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { request } from 'node:http';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HeldMessage } from '../../src/intercept/held-message.ts';
import type { RunningSession } from '../../src/state/live-sessions.ts';
import { RawScreen } from '../support/control/raw-control-client.ts';
import { notRoot, unless } from '../support/unless.ts';
import { runningSession } from './screen.ts';
import { type Steered, sentBy, steer } from './steered.ts';
import { type NotingServer, startServer, type Wire } from './wire.ts';

const wire: Wire = { title: 'a program on stdio', listen: 'stdio', target: 'stdio', isModern: false };

/** The uid of an unprivileged user who owns none of these files. */
const NOBODY = 65_534;

/** Longer than any allowed request. */
const HUGE_BYTES = (1 << 26) + 1;

interface Besieged extends Steered {
  readonly session: RunningSession & { readonly socket: string; readonly token: string };
  readonly held: HeldMessage;
  /** Expects the held message to be unchanged and the session to work normally. */
  expectUnharmed(): Promise<void>;
}

describe('the control socket of a session that holds a message', () => {
  let server: NotingServer;
  beforeAll(async () => {
    server = await startServer(wire.target);
  });
  afterAll(() => server.stop());

  it('the control socket can be neither found nor reached by another user', unless(notRoot), async () => {
    const { place, session, expectUnharmed } = await besieged();
    const announcement = `${place.home}/live/${session.id}.json`;
    // In the default state folder, other users can traverse the parent folders.
    chmodSync(place.folder, 0o755);
    expect(await triedBy(NOBODY, announcement, session.socket)).toEqual({ read: 'EACCES', connect: 'EACCES' });
    for (const folder of [place.home, dirname(announcement)]) chmodSync(folder, 0o755);
    expect(await triedBy(NOBODY, announcement, session.socket)).toEqual({ read: 'EACCES', connect: 'EACCES' });
    expect(await triedBy(0, announcement, session.socket)).toEqual({ read: 'done', connect: 'done' });
    await expectUnharmed();
  });

  it('rejects the requests of a web page, and reveals nothing', async () => {
    const { session, held, expectUnharmed } = await besieged();
    const drop = `{"ref":1,"type":"decide","id":"${held.id}","action":"drop"}`;
    for (const body of [drop, `\n${JSON.stringify({ v: 1, token: 'guessed' })}\n${drop}\n`]) {
      const sent = await posted(session.socket, body);
      expect(sent).toMatch(/^not HTTP: \{"type":"refused","message":"[^"]+"/);
      expect(sent).not.toContain('sent by the client');
    }
    await expectUnharmed();
  });

  it.each([
    ['a wrong token', ({ token }: { token: string }) => JSON.stringify({ v: 1, token: token.replaceAll(/\w/g, '0') })],
    ['half of the token', ({ token }: { token: string }) => JSON.stringify({ v: 1, token: token.slice(0, 32) })],
    ['no token', () => '{"v":1}'],
    ['what is no JSON', () => 'let me in'],
    ['a first line without end', () => 'x'.repeat(1 << 20)],
  ])('refuses a connection with %s', async (_, firstLine) => {
    const { session, held, expectUnharmed } = await besieged();
    const intruder = new RawScreen(session.socket);
    intruder.socket.write(firstLine(session));
    intruder.say('');
    intruder.say('{"ref":1,"type":"control"}');
    intruder.say(`{"ref":2,"type":"decide","id":"${held.id}","action":"drop"}`);
    const lines = await intruder.closed();
    expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual(['refused']);
    await expectUnharmed();
  });

  it.each([
    ['is longer than any may be', (_: string) => 'x'.repeat(HUGE_BYTES)],
    ['is no JSON', (_: string) => '{"ref":1,"type":'],
    ['is no object', (_: string) => '[1]'],
    ['has no reference', (id: string) => `{"type":"decide","id":"${id}","action":"drop"}`],
  ])('disconnects a control client whose line %s', async (_, line) => {
    const { session, held, expectUnharmed } = await besieged();
    const screen = new RawScreen(session.socket);
    screen.say(JSON.stringify({ v: 1, token: session.token }));
    expect(await screen.receivedOf('hello')).toContain(session.id);
    screen.say(line(held.id));
    const lines = await screen.closed();
    expect(lines.map((text) => (JSON.parse(text) as { type: string }).type)).toEqual(['hello', 'refused']);
    await expectUnharmed();
  });

  it('survives invalid commands, and refuses each by its reference', async () => {
    const { session, held, expectUnharmed } = await besieged();
    const screen = new RawScreen(session.socket);
    screen.say(JSON.stringify({ v: 1, token: session.token }));
    const nonsense = [
      { type: 'sudo' },
      { type: 'mode', mode: '__proto__' },
      { type: 'follow', from: -1 },
      { type: 'decide', id: '__proto__', action: 'forward' },
      { type: 'decide', id: held.id, action: 'edit', text: { toString: 'x' } },
      { type: 'inject', direction: 'sideways', text: '{}' },
      { type: 'save', path: '../somewhere.json' },
    ];
    for (const [ref, members] of nonsense.entries()) screen.say(JSON.stringify({ ref, ...members }));
    const lines = (await screen.received(nonsense.length + 1)).slice(1);
    const replies = lines.map((line) => JSON.parse(line) as { type: string; ref: number });
    expect(replies.toSorted((a, b) => a.ref - b.ref)).toMatchObject(
      nonsense.map((__, ref) => ({ type: 'refused', ref })),
    );
    await expectUnharmed();
  });

  /** A session with a held message. */
  async function besieged(): Promise<Besieged> {
    const steered = await steer(wire, server);
    const { client, screen, place } = steered;
    const { socket = '', token = '', ...session } = await runningSession(place);
    await screen.hold('tool:echo dir:>');
    const answer = client.call('echo', { text: 'sent by the client' });
    const held = await screen.nextHeld();
    const expectUnharmed = async (): Promise<void> => {
      expect(await screen.live.held()).toEqual([held]);
      const text = held.text.replace('by the client', 'by the screen');
      await screen.live.decide(held.id, { action: 'edit', text });
      expect(sentBy(await answer)).toBe('sent by the screen');
      expect(screen.released).toMatchObject([{ id: held.id, by: 'screen' }]);
      expect(sentBy(await client.call('shout', { text: 'and on' }))).toBe('AND ON');
    };
    return { ...steered, session: { ...session, socket, token }, held, expectUnharmed };
  }
});

/** The results of reading a file and connecting to a socket as another user. */
function triedBy(uid: number, file: string, socket: string): Promise<unknown> {
  const script = `
    let read = 'done';
    try { require('fs').readFileSync(process.argv[1]); } catch (error) { read = error.code; }
    const tell = (connect) => { console.log(JSON.stringify({ read, connect })); process.exit(); };
    require('net').connect(process.argv[2]).on('error', (error) => tell(error.code)).on('connect', () => tell('done'));`;
  const child = spawn(process.execPath, ['-e', script, file, socket], { uid, gid: uid, cwd: '/' });
  return new Promise((resolve, reject) => {
    let sent = '';
    child.stdout.on('data', (chunk: Buffer) => {
      sent += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', () => resolve(JSON.parse(sent)));
  });
}

/** What a browser receives for a POST to a socket. */
function posted(socketPath: string, body: string): Promise<string> {
  return new Promise((resolve) => {
    const posting = request({ socketPath, method: 'POST', path: '/', headers: { Origin: 'http://evil.example' } });
    posting.once('response', ({ statusCode }) => resolve(`HTTP ${statusCode}`));
    posting.once('error', (error: Error & { rawPacket?: Buffer }) =>
      resolve(`not HTTP: ${error.rawPacket ?? error.message}`),
    );
    posting.end(body);
  });
}
