import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HeldMessage } from '../../src/intercept/held-message.ts';
import { initialize, initialized, request } from '../support/link-witness.ts';
import { inLongRuns } from '../support/long-run.ts';
import { Place } from '../support/place.ts';
import { type Json, jsonLines } from '../support/recordings.ts';
import { Screen } from './screen.ts';
import { isAction, type Steered, sentBy, steer } from './steered.ts';
import { type NotingServer, startServer, type Wire } from './wire.ts';
import { ALL_WIRES } from './wires.ts';

/** A cell of the table in docs/intercept.md, *Without a decision*, on one wire. */
interface TableCell {
  readonly title: string;
  readonly wire: Wire;
  readonly run: (wire: Wire, failsClosed: boolean) => Promise<void>;
  readonly failsClosed: boolean;
}

interface TableRow {
  readonly event: string;
  readonly applies?: (wire: Wire) => boolean;
  readonly run: (wire: Wire, failsClosed: boolean) => Promise<void>;
}

const REQUESTS = 'tool:echo dir:>';
const RESPONSES = 'tool:echo dir:<';
const listensOnStdio = ({ listen }: Wire): boolean => listen === 'stdio';
const startsProgram = ({ target }: Wire): boolean => target === 'stdio';

const ROWS: readonly TableRow[] = [
  { event: '--hold-timeout passes, with a held request', run: (wire, closed) => timeoutPasses(wire, closed, REQUESTS) },
  {
    event: '--hold-timeout passes, with a held response',
    run: (wire, closed) => timeoutPasses(wire, closed, RESPONSES),
  },
  {
    event: 'the last program in control disconnects, with a held request',
    run: (w, c) => screenLeaves(w, c, REQUESTS),
  },
  {
    event: 'the last program in control disconnects, with a held response',
    run: (w, c) => screenLeaves(w, c, RESPONSES),
  },
  {
    event: 'a signal arrives, and the server continues',
    applies: (wire) => listensOnStdio(wire) && startsProgram(wire),
    run: serverSurvivesSignal,
  },
  { event: 'the client closes its end of stdio', applies: listensOnStdio, run: inputEnds },
  {
    event: 'the client closes its end of stdio, and a signal arrives',
    applies: listensOnStdio,
    run: inputEndsWithSignal,
  },
  { event: 'an HTTP client disconnects', applies: (wire) => !listensOnStdio(wire), run: httpClientLeaves },
  { event: 'the server exits', applies: startsProgram, run: serverExits },
  { event: 'the server exits, with a held request', applies: startsProgram, run: serverExitsUnasked },
  { event: 'the session ends, with a held request', run: (wire, closed) => sessionEnds(wire, closed, REQUESTS) },
  { event: 'the session ends, with a held response', run: (wire, closed) => sessionEnds(wire, closed, RESPONSES) },
];

const CELLS: readonly TableCell[] = ROWS.flatMap(({ event, applies = () => true, run }) =>
  ALL_WIRES.filter(applies).flatMap((wire) =>
    [false, true].map((failsClosed) => {
      const title = `${event}${failsClosed ? ', with --fail-closed' : ''}: ${wire.title}`;
      return { title, wire, run, failsClosed };
    }),
  ),
);

/** Steps through rows, wires and flags, so that each of them occurs. */
const SAMPLE = CELLS.filter((_, index) => index % 23 === 0);

describe('a message without a decision', () => {
  for (const { title, wire, run, failsClosed } of inLongRuns(CELLS, SAMPLE)) {
    it(title, () => run(wire, failsClosed), 60_000);
  }
});

async function serverOf({ target }: Wire): Promise<NotingServer> {
  const server = await startServer(target);
  onTestFinished(() => server.stop());
  return server;
}

const flagsFor = (failsClosed: boolean): string[] => (failsClosed ? ['--fail-closed'] : []);

interface HeldCall extends Steered {
  readonly held: HeldMessage;
  /** The text of its result, or the error. */
  readonly outcome: Promise<unknown>;
}

/** A call whose request or response is held. */
async function heldCall(wire: Wire, failsClosed: boolean, filter: string, more: string[] = []): Promise<HeldCall> {
  const steered = await steer(wire, await serverOf(wire), [...flagsFor(failsClosed), ...more]);
  const { client, screen } = steered;
  // A server that is still loading would be killed by a signal.
  await client.call('shout', { text: 'are you there?' });
  await screen.hold(filter);
  const outcome = client.call('echo', { text: 'undecided' }).then(sentBy, (error: unknown) => error);
  return { ...steered, outcome, held: await screen.nextHeld() };
}

/** Expects that a message was forwarded, or that its side that waits got an error instead. */
async function expectSettled(
  { outcome, notes, screen, held }: HeldCall,
  failsClosed: boolean,
  why: string,
): Promise<void> {
  if (!failsClosed) {
    expect(await outcome).toBe('undecided');
    return;
  }
  expect(await outcome).toMatchObject({ code: -32000, message: expect.stringContaining(why) as string });
  const isRequest = held.direction === 'client_to_server';
  expect(notes.order('undecided')).toEqual(isRequest ? [] : ['undecided']);
  expect(await screen.recordedMessage(held)).toMatchObject(isRequest ? { dropped: true } : { modified: true });
}

async function timeoutPasses(wire: Wire, failsClosed: boolean, filter: string): Promise<void> {
  const call = await heldCall(wire, failsClosed, filter, ['--hold-timeout', '0.2']);
  expect(await call.screen.releaseOf(call.held)).toMatchObject({ by: 'timeout' });
  await expectSettled(call, failsClosed, 'not released in time');
}

async function screenLeaves(wire: Wire, failsClosed: boolean, filter: string): Promise<void> {
  const steered = await steer(wire, await serverOf(wire), flagsFor(failsClosed));
  const leaving = await Screen.open(steered.place);
  await leaving.hold(filter);
  const outcome = steered.client.call('echo', { text: 'undecided' }).then(sentBy, (error: unknown) => error);
  const held = await leaving.nextHeld();
  leaving.live.close();
  const release = await steered.screen.recorded(({ raw }) => isAction(raw, 'release', held.id));
  expect(release.raw).toMatchObject({ by: 'screen gone' });
  await expectSettled({ ...steered, outcome, held }, failsClosed, 'no screen was left to release it');
}

async function serverSurvivesSignal(wire: Wire, failsClosed: boolean): Promise<void> {
  const call = await heldCall(wire, failsClosed, REQUESTS);
  const { screen, client, held, outcome } = call;
  process.kill(screen.live.facts.pid, 'SIGINT');
  await screen.recorded(({ raw }) => isAction(raw, 'signal'));
  if (failsClosed) {
    expect(await screen.live.held()).toEqual([held]);
    await screen.live.decide(held.id, { action: 'forward' });
  }
  expect(await outcome).toBe('undecided');
  expect(await screen.releaseOf(held)).toMatchObject({ by: failsClosed ? 'screen' : 'end' });
  const later = client.call('echo', { text: 'held as before' });
  await screen.live.decide((await screen.nextHeld()).id, { action: 'forward' });
  expect(sentBy(await later)).toBe('held as before');
}

interface HeldLine {
  readonly process: ReturnType<Place['start']>;
  readonly screen: Screen;
  readonly held: HeldMessage;
  readonly server: NotingServer;
}

const CALL_ID = 1;

/** A client that has sent all its lines, of which the last is held, and has closed its end. */
async function heldLine(wire: Wire, failsClosed: boolean): Promise<HeldLine> {
  const server = await serverOf(wire);
  const place = new Place();
  const flags = ['--listen-transport', 'stdio', ...flagsFor(failsClosed), ...server.flags];
  const process = place.start(['proxy', 'start', ...flags]);
  const screen = await Screen.open(place);
  await screen.hold(REQUESTS);
  const call = (id: number, name: string, text: string): string =>
    request(id, 'tools/call', { ...(wire.isModern && { _meta: MODERN }), name, arguments: { text } });
  const greeting = wire.isModern ? [] : [initialize(-2), initialized];
  // A server that is still loading would be killed by a signal.
  process.write(`${[...greeting, call(-1, 'shout', 'ready')].join('\n')}\n`);
  await process.sent('READY');
  process.end(`${call(CALL_ID, 'echo', 'undecided')}\n`);
  return { process, screen, server, held: await screen.nextHeld() };
}

const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

async function answerOf({ process }: HeldLine): Promise<Json | undefined> {
  const { stdout } = await process.ended;
  return jsonLines(stdout).find(({ id }) => id === CALL_ID);
}

async function inputEnds(wire: Wire, failsClosed: boolean): Promise<void> {
  const line = await heldLine(wire, failsClosed);
  expect(await line.screen.live.held()).toEqual([line.held]);
  await line.screen.live.decide(line.held.id, { action: 'forward' });
  expect(await answerOf(line)).toMatchObject({ result: { content: [{ text: 'undecided' }] } });
}

async function inputEndsWithSignal(wire: Wire, failsClosed: boolean): Promise<void> {
  const line = await heldLine(wire, failsClosed);
  line.process.signal('SIGTERM');
  if (!failsClosed) await line.server.notes.hears('undecided');
  const answer = await answerOf(line);
  if (failsClosed) {
    expect(answer).toMatchObject({ error: { code: -32000 } });
    expect(line.server.notes.order('undecided')).toEqual([]);
  }
  expect(line.screen.released).toMatchObject([{ id: line.held.id, by: 'end' }]);
}

async function httpClientLeaves(wire: Wire, failsClosed: boolean): Promise<void> {
  const { client, screen, held, notes } = await heldCall(wire, failsClosed, REQUESTS);
  await client.leave();
  expect(await screen.releaseOf(held)).toMatchObject({ by: 'end', decision: { action: 'drop' } });
  expect(await screen.recordedMessage(held)).toMatchObject({ dropped: true });
  expect(notes.order('undecided')).toEqual([]);
}

async function serverExits(wire: Wire, failsClosed: boolean): Promise<void> {
  const call = await heldCall(wire, failsClosed, RESPONSES);
  const { screen, held } = call;
  killServer(screen);
  if (!listensOnStdio(wire)) {
    // Only the server of this client has exited, whose last response still waits for a decision.
    await expect.poll(() => childrenOf(screen.live.facts.pid)).toEqual([]);
    expect(await screen.live.held()).toEqual([held]);
    await screen.live.decide(held.id, { action: 'forward' });
    expect(await call.outcome).toBe('undecided');
    return;
  }
  const release = await screen.releaseOf(held);
  expect(release).toMatchObject({ by: 'end', decision: { action: failsClosed ? 'edit' : 'forward' } });
  if (failsClosed) expect(await call.outcome).toMatchObject({ code: -32000 });
  else expect(await call.outcome).toBe('undecided');
}

const REFUSED_AT_END = expect.stringContaining('the session ended before it was released') as string;

async function serverExitsUnasked(wire: Wire, failsClosed: boolean): Promise<void> {
  const { screen, held, outcome, notes } = await heldCall(wire, failsClosed, REQUESTS);
  killServer(screen);
  // Clients of the newest revision share a server, and only those that wait for it are told.
  const isShared = wire.isModern && !listensOnStdio(wire);
  if (isShared) {
    await expect.poll(() => childrenOf(screen.live.facts.pid)).toEqual([]);
    await screen.live.decide(held.id, { action: 'forward' });
  }
  const error = await outcome;
  expect(error).toBeInstanceOf(Error);
  if (failsClosed && wire.listen === 'stdio') expect(error).toMatchObject({ code: -32000, message: REFUSED_AT_END });
  expect(await screen.releaseOf(held)).toMatchObject({ by: isShared ? 'screen' : 'end' });
  expect(notes.order('undecided')).toEqual([]);
}

function killServer({ live }: Screen): void {
  for (const pid of childrenOf(live.facts.pid)) process.kill(pid, 'SIGKILL');
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

async function sessionEnds(wire: Wire, failsClosed: boolean, filter: string): Promise<void> {
  const call = await heldCall(wire, failsClosed, filter);
  const { client, screen, notes, held } = call;
  process.kill(screen.live.facts.pid, 'SIGTERM');
  const isRequest = held.direction === 'client_to_server';
  if (!failsClosed && isRequest) await notes.hears('undecided');
  // A stdio server ends after its client has disconnected; otherwise the session ends at once.
  if (listensOnStdio(wire)) await client.leave();
  if (failsClosed) expect(await call.outcome).toBeInstanceOf(Error);
  else if (!isRequest) expect(await call.outcome).toBe('undecided');
  await screen.live.over;
  const sent = jsonLines(screen.trace()).find(({ id, type }) => type === undefined && id === held.id);
  if (failsClosed) expect(sent).toMatchObject(isRequest ? { dropped: true } : { modified: true });
  else expect(sent?.modified ?? sent?.dropped).toBeUndefined();
  expect(notes.order('undecided')).toEqual(failsClosed && isRequest ? [] : ['undecided']);
}
