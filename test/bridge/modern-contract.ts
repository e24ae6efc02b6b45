import { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLongRun } from '../support/long-run.ts';
import type { Connect } from '../support/sdk-clients.ts';
import { v2Transport } from '../support/sdk-transports.ts';
import { type Tap, tap } from '../support/tap.ts';
import { expectConversations, Run } from './run.ts';
import { bothErasOver, type Target, type Transport } from './targets.ts';

interface ModernClient {
  readonly client: Client;
  readonly noted: Tap;
}

type ModernTransport = Exclude<Transport, 'sse'>;

/** Tests clients of the newest revision against a server that supports it, over every transport that carries it. */
export function modernContract(listen: ModernTransport, transport: ModernTransport): void {
  describe(`clients of 2026-07-28 over ${listen}, a server over ${transport}`, () => {
    let target: Target;
    beforeAll(async () => {
      target = await bothErasOver(transport);
    });
    afterAll(() => target.stop());

    it('carries every message between a client and the server', async () => {
      const run = new Run(listen, target);
      const modern = await connect(run);
      await converse(modern);
      await modern.client.close();
      expectConversations(await run.finish(), [modern.noted]);
    });

    // Outside long runs, the other tests run only where the transports differ.
    if (!isLongRun && listen === transport) return;

    it('lets a client cancel a call, and keeps working afterwards', async () => {
      const run = new Run(listen, target);
      const { client, noted } = await connect(run);
      const abort = new AbortController();
      const cancelled = client.callTool(
        { name: 'test_wait', arguments: {} },
        { onprogress: () => abort.abort('enough'), signal: abort.signal },
      );
      await expect(cancelled).rejects.toThrow('enough');
      await client.listTools();
      await client.close();
      const recorded = await run.finish();
      const waited = recorded.messages.find(({ raw }) => (raw.params as { name?: string })?.name === 'test_wait');
      expect(recorded.messages.filter(({ corr, dropped }) => corr === waited?.id && !dropped)).toEqual([]);
      expect(noted.sent).toContainEqual(waited?.raw);
    });

    if (listen !== 'stdio') {
      it('separates two clients that use the same ids at the same time', async () => {
        const run = new Run(listen, target);
        const both = await Promise.all([connect(run), connect(run)]);
        // The clients subscribe to different things: a client that is about to disconnect may miss a notification.
        await Promise.all(both.map((modern, index) => converse(modern, index === 0 ? 'tool' : 'prompt')));
        for (const { client } of both) await client.close();
        const sent = both.flatMap(({ noted }) => noted.sent);
        const received = both.flatMap(({ noted }) => noted.received);
        // Without sessions, all clients share one conversation.
        const together: Tap = { sent, received, hears: () => Promise.resolve(), answers: () => Promise.resolve() };
        expectConversations(await run.finish(), [together]);
      });
    }
  });
}

async function connect(run: Run): Promise<ModernClient> {
  const about = { name: 'test-client', version: '1.0.0' };
  const client = new Client(about, {
    capabilities: { elicitation: {} },
    versionNegotiation: { mode: { pin: '2026-07-28' } },
  });
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Zoë' } }));
  let noted: Tap | undefined;
  const plug = async (offer: Parameters<Connect>[0]): Promise<never> => {
    const { transport } = v2Transport(offer);
    noted = tap(transport);
    await client.connect(transport);
    return undefined as never;
  };
  await run.connect(plug);
  if (noted === undefined) throw new Error('Not connected');
  return { client, noted };
}

async function converse({ client, noted }: ModernClient, changing: 'tool' | 'prompt' = 'tool'): Promise<void> {
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('test_simple_text');
  await client.callTool({ name: 'test_tool_with_progress', arguments: {} }, { onprogress: () => undefined });
  expect(heard(noted, 'notifications/progress')).toHaveLength(3);
  const _meta = { 'io.modelcontextprotocol/logLevel': 'info' } as const;
  await client.callTool({ name: 'test_tool_with_logging', arguments: {}, _meta });
  // On stdio a log message names no request, so every client that requested logs receives it.
  expect(heard(noted, 'notifications/message').length).toBeGreaterThanOrEqual(3);
  // The server sent for input in its result, and the client repeats the request with that input.
  const greeted = await client.callTool({ name: 'test_input_required_result_elicitation', arguments: {} });
  expect(greeted.content).toEqual([{ type: 'text', text: 'Hello, Zoë!' }]);
  const subscription = await client.listen({ [`${changing}sListChanged`]: true });
  await client.callTool({ name: `test_trigger_${changing}_change`, arguments: {} });
  await noted.hears(`notifications/${changing}s/list_changed`);
  await subscription.close();
}

function heard({ received }: Tap, method: string): unknown[] {
  return received.filter((message) => (message as { method?: string }).method === method);
}
