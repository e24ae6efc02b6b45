import { expect, onTestFinished, vi } from 'vitest';
import { startProxy } from '../support/http-proxy.ts';
import { Place } from '../support/place.ts';
import { type Json, parseTrace } from '../support/recordings.ts';
import { type Connected, connectV1, connectV2Modern } from '../support/sdk-clients.ts';
import type { Notes } from './notes.ts';
import { Screen } from './screen.ts';
import type { NotingServer, Wire } from './wire.ts';

export interface SavedMessage extends Json {
  readonly proxy_id: string;
  readonly payload: Json;
}

/** A client and a server that talk through mcpreel, with a control client. */
export interface Steered {
  readonly place: Place;
  readonly client: Connected;
  readonly screen: Screen;
  readonly notes: Notes;
}

/** Connects a client to the server of a wire, through an mcpreel with these flags. */
export async function steer(wire: Wire, server: NotingServer, flags: readonly string[] = []): Promise<Steered> {
  const { place, connect } = await begin(wire, server, flags);
  const client = await connect();
  return { place, client, screen: await Screen.open(place), notes: server.notes };
}

/** Prepares everything up to the point where the client connects. */
export async function begin(
  { listen, isModern }: Wire,
  server: NotingServer,
  more: readonly string[],
): Promise<{ readonly place: Place; readonly connect: () => Promise<Connected> }> {
  const place = new Place();
  const flags = ['--listen-transport', listen, ...more, ...server.flags];
  const way =
    listen === 'stdio'
      ? { place, args: ['proxy', 'start', ...flags] }
      : { url: (await startProxy(place, flags, null)).url, transport: listen };
  const connect = async (): Promise<Connected> => {
    const client = await (isModern ? connectV2Modern : connectV1)(way);
    onTestFinished(() => client.leave().catch(() => undefined));
    return client;
  };
  return { place, connect };
}

/** The text of a tool's result. */
export function sentBy(result: unknown): string | undefined {
  return (result as { content: readonly { text?: string }[] }).content[0]?.text;
}

/** Saves the session file now; returns its text and messages. */
export async function saved({ place, screen }: Steered): Promise<{ text: string; messages: SavedMessage[] }> {
  await screen.live.save(place.path('now.json'));
  const text = place.read('now.json');
  return { text, messages: (JSON.parse(text) as { messages: SavedMessage[] }).messages };
}

/** The trace of a session that has ended. */
export async function endedTrace({ screen }: Steered): Promise<ReturnType<typeof parseTrace>> {
  return vi.waitFor(
    () => {
      const trace = parseTrace(screen.trace());
      if (trace.end === undefined) throw new Error('The session has not ended.');
      return trace;
    },
    { interval: 10 },
  );
}

/** The actions of these kinds, in order. */
export function actionsOf(events: readonly Json[], ...kinds: readonly string[]): Json[] {
  return events
    .filter(({ kind }) => kind === 'mcpreel.action')
    .map(({ raw }) => raw as Json)
    .filter(({ action }) => kinds.includes(action as string));
}

/** Expects that the server has not received a text, and does not receive it before its next message. */
export async function expectUnheard({ client, screen, notes }: Steered, text: string): Promise<void> {
  await screen.live.setMode('passthrough');
  await client.call('shout', { text: `after ${text.length}` });
  await notes.hears(`after ${text.length}`);
  expect(notes.order(text)).toEqual([]);
}

/** Whether this is an action of that kind, on that message if one is given. */
export function isAction(raw: unknown, action: string, of?: string): boolean {
  const sent = raw as { action?: string; of?: string };
  return sent.action === action && (of === undefined || sent.of === of);
}

export function isMethod(raw: unknown, method: string): boolean {
  return (raw as { method?: string }).method === method;
}
