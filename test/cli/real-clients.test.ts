import { fileURLToPath } from 'node:url';
import { Client as V2Client } from '@modelcontextprotocol/client';
import { StdioClientTransport as V2Transport } from '@modelcontextprotocol/client/stdio';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CreateMessageRequestSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { MCPREEL } from '../support/mcpreel-process.ts';
import { Place } from '../support/place.ts';
import { parseTrace, type RecordedMessage, readSessionFile } from '../support/recordings.ts';
import { type Tap, tap } from '../support/tap.ts';

const everything = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const about = { name: 'test-client', version: '1.0.0' };
const options = { capabilities: { roots: { listChanged: true }, sampling: {} } };
const roots = { roots: [{ uri: 'file:///tmp/é', name: 'a root' }] };
const sample = { role: 'assistant', model: 'none', content: { type: 'text', text: 'Hello.' } } as const;

/** A client of either SDK, as far as the conversation needs one. */
interface Peer {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  listResources(): Promise<unknown>;
  listResourceTemplates(): Promise<unknown>;
  listPrompts(): Promise<unknown>;
  readResource(params: { uri: string }): Promise<unknown>;
  close(): Promise<void>;
}

interface Connected {
  readonly client: Peer;
  readonly call: (name: string, args: Record<string, unknown>, onprogress?: () => void) => Promise<unknown>;
  readonly noted: Tap;
  readonly stderr: () => string;
}

type Connect = (command: {
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
}) => Promise<Connected>;

const connectV1: Connect = async (command) => {
  const client = new V1Client(about, options);
  client.setRequestHandler(ListRootsRequestSchema, () => roots);
  client.setRequestHandler(CreateMessageRequestSchema, () => sample);
  const transport = new V1Transport({ ...command, stderr: 'pipe' });
  const stderr = textOf(transport.stderr);
  const noted = tap(transport);
  await client.connect(transport);
  const call: Connected['call'] = (name, args, onprogress) =>
    client.callTool({ name, arguments: args }, undefined, onprogress && { onprogress });
  return { client, call, noted, stderr };
};

const connectV2: Connect = async (command) => {
  const client = new V2Client(about, options);
  client.setRequestHandler('roots/list', () => roots);
  client.setRequestHandler('sampling/createMessage', () => sample);
  const transport = new V2Transport({ ...command, stderr: 'pipe' });
  const stderr = textOf(transport.stderr);
  const noted = tap(transport);
  await client.connect(transport);
  const call: Connected['call'] = (name, args, onprogress) =>
    client.callTool({ name, arguments: args }, onprogress && { onprogress });
  return { client, call, noted, stderr };
};

function textOf(stream: NodeJS.EventEmitter | null): () => string {
  let text = '';
  stream?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return () => text;
}

/** Something of everything that the server offers; it asks back for roots and for a sample. */
async function converse({ client, call }: Connected): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('trigger-sampling-request');
  await call('echo', { message: 'Zoë ✓ \u2028 "quoted"' });
  await call('echo', {}).catch(() => undefined);
  await call('no-such-tool', {}).catch(() => undefined);
  await call('get-tiny-image', {});
  await Promise.all([
    call('trigger-long-running-operation', { duration: 0.05, steps: 4 }, () => undefined),
    call('get-sum', { a: 0.1, b: 2 }),
  ]);
  await call('trigger-sampling-request', { prompt: 'Say hello', maxTokens: 10 });
  await call('get-roots-list', {});
  await Promise.all([client.listResources(), client.listResourceTemplates(), client.listPrompts()]);
  await client.readResource({ uri: 'nowhere://' }).catch(() => undefined);
}

const isResponse = ({ payload }: RecordedMessage): boolean => !('method' in payload);
const payloads = (messages: readonly RecordedMessage[], direction: 'in' | 'out'): unknown[] =>
  messages.filter((message) => message.direction === direction).map(({ payload }) => payload);

/** The request that a response answers, found without mcpreel: SDKs use an id once per direction. */
function requestOf(response: RecordedMessage, messages: readonly RecordedMessage[]): RecordedMessage | undefined {
  return messages.find(
    (message) =>
      !isResponse(message) &&
      message.direction !== response.direction &&
      'id' in message.payload &&
      message.payload.id === response.payload.id,
  );
}

it.each([
  ['SDK v1', connectV1],
  ['SDK v2', connectV2],
] as const)('a client of %s finds every message in both recordings, in order and correlated', async (_, connect) => {
  const place = new Place();
  const connected = await connect({
    command: process.execPath,
    args: [MCPREEL, '--session-file', 'session.json', '--', process.execPath, everything, 'stdio'],
    env: place.environment(),
    cwd: place.folder,
  });
  try {
    await converse(connected);
  } finally {
    await connected.client.close();
  }
  const { noted } = connected;
  expect(connected.stderr()).toBe('Starting default (STDIO) server...\n');

  const trace = parseTrace(place.trace());
  expect(payloads(trace.messages, 'in')).toEqual(noted.sent);
  expect(payloads(trace.messages, 'out')).toEqual(noted.received);
  expect(trace.end).toMatchObject({ exitCode: 0 });
  const { session, messages } = readSessionFile(place.path('session.json'));
  expect(messages).toEqual(trace.messages);
  expect(session).toMatchObject({ id: trace.meta.id, ended_at: expect.any(String) });

  const responses = messages.filter(isResponse);
  expect(responses.map(({ answers }) => answers)).toEqual(
    responses.map((response) => requestOf(response, messages)?.id),
  );
  expect(responses.map(({ answers }) => answers)).not.toContain(undefined);
  expect(messages.filter((message) => !isResponse(message) && message.answers !== undefined)).toEqual([]);

  // The conversation was as rich as it was meant to be: both sides asked, with the same ids, and something failed.
  expect(responses.filter(({ direction }) => direction === 'in').length).toBeGreaterThanOrEqual(2);
  expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
  expect(messages.filter(({ payload }) => payload.method === 'notifications/progress')).toHaveLength(4);
  expect(messages.filter(({ payload }) => 'error' in payload)).not.toEqual([]);
  const { stdout } = await place.run(['inspect', 'session.json']);
  expect(stdout).toContain(`\nMessages: ${noted.sent.length + noted.received.length}\n\n  #000 > initialize id=0\n`);
});
