import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inLongRuns, isLongRun } from '../support/long-run.ts';
import { type Connected, connectV1, connectV2 } from '../support/sdk-clients.ts';
import { expectConversations, expectPairs, Run } from './run.ts';
import { everythingOver, type Target, type Transport } from './targets.ts';

const clients = [
  ['SDK v1', connectV1],
  ['SDK v2', connectV2],
] as const;

/** The server transport that most tests of a client transport run against. */
const SAMPLE: Readonly<Record<Transport, Transport>> = {
  stdio: 'streamable-http',
  sse: 'stdio',
  'streamable-http': 'sse',
};

/**
 * Tests a bridge from clients of one transport to a server of another, or of the same. Outside long runs each pair of
 * transports carries the traffic of one SDK; the other tests run once per client transport.
 */
export function bridgeContract(listen: Transport, transport: Transport): void {
  const isSame = listen === transport;
  const isWhole = isLongRun || SAMPLE[listen] === transport;
  describe(`clients over ${listen}, a server over ${transport}`, () => {
    let target: Target;
    beforeAll(async () => {
      target = await everythingOver(transport);
    });
    afterAll(() => target.stop());

    it.each(inLongRuns(clients, [clients[isSame ? 0 : 1]]))(
      'carries every message between a client of %s and the server',
      async (_, connect) => {
        const run = new Run(listen, target);
        const connected = await run.connect(connect);
        await converse(connected, 'hello');
        await connected.leave();
        expectConversations(await run.finish(), [connected.noted]);
      },
    );

    if (!isWhole) return;

    it('lets a client cancel a call, which the server then does not answer', async () => {
      const run = new Run(listen, target);
      const connected = await run.connect(connectV1);
      const { call, noted, leave } = connected;
      const abort = new AbortController();
      const options = { onprogress: () => abort.abort('enough'), signal: abort.signal };
      const cancelled = call('trigger-long-running-operation', { duration: 2, steps: 40 }, options);
      await expect(cancelled).rejects.toThrow('enough');
      expect(text(await call('echo', { message: 'still here' }))).toBe('Echo: still here');
      await leave();
      const recorded = await run.finish();
      const requested = recorded.messages.find(({ raw }) =>
        (raw.params as { name?: string })?.name?.startsWith('trigger'),
      );
      const withdrawn = recorded.messages.find(({ raw }) => raw.method === 'notifications/cancelled');
      expect(withdrawn?.raw.params).toMatchObject({ requestId: requested?.raw.id, reason: 'enough' });
      expect(recorded.messages.filter(({ corr }) => corr === requested?.id)).toEqual([]);
      expectPairs(recorded.messages);
      expect(noted.sent).toContainEqual(withdrawn?.raw);
    });

    if (listen !== 'stdio') {
      it('separates two clients that use the same ids at the same time', async () => {
        const run = new Run(listen, target);
        const both = await Promise.all([run.connect(connectV1), run.connect(connectV2)]);
        await Promise.all(both.map((connected, index) => converse(connected, `from ${index}`)));
        for (const { leave } of both) await leave();
        expectConversations(
          await run.finish(),
          both.map(({ noted }) => noted),
        );
      });
    }
  });
}

/** Exercises everything that both SDKs and the server support over any transport of the legacy era. */
async function converse({ client, call, noted }: Connected, message: string): Promise<void> {
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo');
  expect(text(await call('echo', { message }))).toBe(`Echo: ${message}`);
  await call('trigger-long-running-operation', { duration: 0.1, steps: 5 }, { onprogress: () => undefined });
  // Counts received messages, because SDKs drop progress handlers as soon as the response arrives.
  expect(noted.received.filter((received) => methodOf(received) === 'notifications/progress')).toHaveLength(5);
  expect(text(await call('trigger-sampling-request', { prompt: message, maxTokens: 10 }))).toContain('Hello.');
  // The server sends roots/list some time after the handshake, logs it, and then has the roots.
  await noted.hears('roots/list');
  await noted.hears('notifications/message');
  expect(text(await call('get-roots-list', {}))).toContain('a root');
  await client.setLoggingLevel('debug');
}

function methodOf(message: unknown): string | undefined {
  return (message as { method?: string }).method;
}

function text(result: unknown): string | undefined {
  return (result as { content: readonly { text?: string }[] }).content[0]?.text;
}
