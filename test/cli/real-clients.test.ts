import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { expectConversation, isResponse } from '../support/conversation.ts';
import { Place } from '../support/place.ts';
import { parseTrace, readSessionFile } from '../support/recordings.ts';
import { type Connected, connectV1, connectV2 } from '../support/sdk-clients.ts';

const everything = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

/** Uses every feature of the server, including its roots and sampling requests to the client. */
async function converse({ client, call }: Connected): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('trigger-sampling-request');
  await call('echo', { message: 'Zoë ✓ \u2028 "quoted"' });
  await call('echo', {}).catch(() => undefined);
  await call('no-such-tool', {}).catch(() => undefined);
  await call('get-tiny-image', {});
  await Promise.all([
    call('trigger-long-running-operation', { duration: 0.05, steps: 4 }, { onprogress: () => undefined }),
    call('get-sum', { a: 0.1, b: 2 }),
  ]);
  await call('trigger-sampling-request', { prompt: 'Say hello', maxTokens: 10 });
  await call('get-roots-list', {});
  await Promise.all([client.listResources(), client.listResourceTemplates(), client.listPrompts()]);
  await client.readResource({ uri: 'nowhere://' }).catch(() => undefined);
}

it.each([
  ['SDK v1', connectV1],
  ['SDK v2', connectV2],
] as const)('both recordings contain every message of a client of %s, in order and correlated', async (_, connect) => {
  const place = new Place();
  const args = ['--session-file', 'session.json', '--', process.execPath, everything, 'stdio'];
  const connected = await connect({ args, place });
  try {
    await converse(connected);
  } finally {
    await connected.client.close();
  }
  const { noted } = connected;
  expect(connected.stderr()).toBe('Starting default (STDIO) server...\n');

  const trace = parseTrace(place.trace());
  expectConversation(trace.messages, noted);
  expect(trace.end).toMatchObject({ exitCode: 0 });
  const { session, messages } = readSessionFile(place.path('session.json'));
  expect(messages).toEqual(trace.messages);
  expect(session).toMatchObject({ id: trace.meta.id, ended_at: expect.any(String) });

  // Both sides sent requests, with the same ids, and at least one failed.
  const answersOfClient = messages.filter((message) => isResponse(message) && message.direction === 'in');
  expect(answersOfClient.length).toBeGreaterThanOrEqual(2);
  expect(messages.filter(({ payload }) => payload.method === 'notifications/progress')).toHaveLength(4);
  expect(messages.filter(({ payload }) => 'error' in payload)).not.toEqual([]);
  const { stdout } = await place.run(['inspect', 'session.json']);
  expect(stdout).toContain(`\nMessages: ${noted.sent.length + noted.received.length}\n\n  #000 > initialize id=0\n`);
});
