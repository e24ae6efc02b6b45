import { describe, expect, it, onTestFinished } from 'vitest';
import { connectV2Auto } from '../support/sdk-clients.ts';
import type { Tap } from '../support/tap.ts';
import { expectConversations, expectPairs, type Recorded, Run } from './run.ts';
import { bothErasOver, everythingOver, type Target } from './targets.ts';

describe.each(['stdio', 'streamable-http'] as const)('a server over %s behind Streamable HTTP', (transport) => {
  /** The messages of a client that first asks which revisions the server supports, each with its conversation. */
  async function talk(
    starting: Promise<Target>,
    tool: string,
    args: Record<string, unknown>,
  ): Promise<{ sent: unknown[]; recorded: Recorded; noted: Tap }> {
    const target = await starting;
    onTestFinished(() => target.stop());
    const run = new Run('streamable-http', target);
    const { client, call, noted } = await run.connect(connectV2Auto);
    await call(tool, args);
    await client.close();
    const recorded = await run.finish();
    const sent = recorded.messages.filter(({ dir }) => dir === 'in');
    return { sent: sent.map(({ raw, conv = 0 }) => [conv, raw.method]), recorded, noted };
  }

  it('uses the newest revision with a client that requests it', async () => {
    const { sent, recorded, noted } = await talk(bothErasOver(transport), 'test_simple_text', {});
    expectConversations(recorded, [noted]);
    expect(sent).toEqual([
      [0, 'server/discover'],
      [0, 'tools/call'],
    ]);
  });

  it('opens a conversation for a client that requests the newest revision but gets an older one', async () => {
    const { sent, recorded } = await talk(everythingOver(transport), 'echo', { message: 'hello' });
    expectPairs(recorded.messages);
    expect(sent.slice(0, 4)).toEqual([
      [0, 'server/discover'],
      [1, 'initialize'],
      [1, 'notifications/initialized'],
      [1, 'tools/call'],
    ]);
  });
});
