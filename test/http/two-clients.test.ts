import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { expectHttpConversation } from '../support/conversation.ts';
import { type HttpProxy, startProxy } from '../support/http-proxy.ts';
import { startEverything } from '../support/http-servers.ts';
import { notingFetch } from '../support/noting-fetch.ts';
import type { Place } from '../support/place.ts';
import { type Json, parseTrace, type RecordedMessage } from '../support/recordings.ts';
import { type Connected, connectV1, connectV2 } from '../support/sdk-clients.ts';
import type { HttpTransport } from '../support/sdk-transports.ts';
import { exchangesOf } from './exchanges.ts';

interface TwoClients {
  readonly place: Place;
  readonly clients: readonly [Connected, Connected];
  readonly proxy: HttpProxy;
}

/** Two clients that talk to one server at the same time, both with ids from 0. */
async function talkTogether(transport: HttpTransport, ...flags: string[]): Promise<TwoClients> {
  const place = new CommandPlace();
  const target = await startEverything(transport);
  const proxy = await startProxy(place, ['--transport', transport, '--target-url', target, ...flags]);
  const clients: Connected[] = [];
  for (const connect of [connectV1, connectV2]) {
    const { fetch, answered } = notingFetch();
    // With roots, the server would request them at an unpredictable time.
    clients.push(await connect({ url: proxy.url, transport, fetch, roots: false, resumes: false }));
    await answered('GET');
  }
  const [first, second] = clients as [Connected, Connected];
  await Promise.all([askAll(first, 'first'), askAll(second, 'second')]);
  await Promise.all([first.leave(), second.leave()]);
  return { place, clients: [first, second], proxy };
}

async function askAll({ call }: Connected, name: string): Promise<void> {
  const echo = (n: number): Promise<unknown> => call('echo', { message: `${name} ${n}` });
  const calls = [
    call('trigger-elicitation-request', {}),
    call('trigger-sampling-request', { prompt: name, maxTokens: 1 }),
    call('trigger-long-running-operation', { duration: 0.1, steps: 5 }, { onprogress: () => undefined }),
    ...[1, 2, 3].map(echo),
  ];
  await Promise.all(calls);
}

function ofConversation(messages: readonly RecordedMessage[], conversation: number): RecordedMessage[] {
  return messages.filter((message) => message.conversation === conversation);
}

/** The texts of the messages in a transcript. */
function payloadsIn(transcript: string): string[] {
  const { entries } = JSON.parse(transcript) as {
    entries: { request?: Json; response?: Json; sse?: { data: Json } }[];
  };
  return entries.map(({ request, response, sse }) => JSON.stringify(request ?? response ?? sse?.data));
}

describe.each([
  ['streamable-http', 'streamable-http'],
  ['sse', 'http-sse'],
] as const)('two concurrent clients over %s', (transport, format) => {
  it('records each client in its own conversation', async () => {
    const { place, clients, proxy } = await talkTogether(transport);
    const { trace } = await proxy.stop();
    expect(new Set(trace.messages.map(({ conversation }) => conversation))).toEqual(new Set([1, 2]));
    for (const [index, { noted }] of clients.entries()) {
      const own = ofConversation(trace.messages, index + 1);
      expectHttpConversation(own, noted);
      const reported = trace.events.filter(({ kind, conv }) => kind === 'http.exchange' && conv === index + 1);
      const exchanges = exchangesOf({ messages: own, events: reported }).map(({ exchange }) => exchange);
      expect(exchanges).toEqual(expect.arrayContaining([...new Set(own.map(({ exchange }) => exchange))]));
    }

    const refused = await place.run(['export', 'trace.jsonl', '-f', format, '-o', 'both.json']);
    expect(refused).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'Error: The session has several conversations: 1 and 2. Choose one with --conversation N.\n',
    });
    const second = await place.run(['export', 'trace.jsonl', '-f', format, '--conversation', '2']);
    expect(second.code).toBe(0);
    expect(payloadsIn(second.stdout)).toEqual(
      ofConversation(trace.messages, 2).map(({ payload }) => JSON.stringify(payload)),
    );
    const shown = await place.run(['inspect', 'trace.jsonl', '--conversation', '2']);
    expect(shown.stdout).toContain(`\nMessages: ${ofConversation(trace.messages, 2).length}\n`);
    expect(shown.stdout).toContain(' > initialize id=0 conv=2\n');
  });

  it('records each client in its own trace with --split', async () => {
    const { place, clients, proxy } = await talkTogether(transport, '--split');
    const { trace } = await proxy.stop();
    expect(trace.messages).toEqual([]);
    expect(place.files().filter((name) => name.startsWith('trace'))).toEqual([
      'trace.conv-1.jsonl',
      'trace.conv-2.jsonl',
      'trace.jsonl',
    ]);
    for (const [index, { noted }] of clients.entries()) {
      const own = parseTrace(place.read(`trace.conv-${index + 1}.jsonl`));
      expectHttpConversation(own.messages, noted);
      expect(own.meta).toMatchObject({ transport, run: trace.meta.id, conversation: index + 1 });
      expect(own.end).toMatchObject({ exitCode: 0 });
      const name = `${index + 1}.json`;
      const exported = await place.run(['export', `trace.conv-${index + 1}.jsonl`, '-f', format, '-o', name]);
      expect(exported.code).toBe(0);
      expect(payloadsIn(place.read(name))).toHaveLength(own.messages.length);
    }
  });
});
