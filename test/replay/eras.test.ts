import { describe, expect, it } from 'vitest';
import { startProxy } from '../support/http-proxy.ts';
import { inLongRuns } from '../support/long-run.ts';
import { Place } from '../support/place.ts';
import { type Connected, connectV1, connectV2Modern } from '../support/sdk-clients.ts';
import { expectAllMatch, recordTalk, replay } from './replaying.ts';
import { eraProgram, eraTarget } from './targets.ts';

/** Requests that clients of both eras can send, with questions from the server. */
async function talk({ client, call, request }: Connected): Promise<void> {
  await client.listTools();
  await client.listResources();
  await client.listPrompts();
  await client.readResource({ uri: 'test://static-text' });
  await request('prompts/get', { name: 'test_simple_prompt' });
  await call('test_simple_text', {});
  await call('test_error_handling', {});
  await call('test_tool_with_progress', {}, { onprogress: () => undefined });
  await call('test_sampling', { prompt: 'Say hello' });
  await call('test_elicitation', { message: 'Who are you?' });
  await call('test_input_required_result_elicitation', {});
  await call('test_input_required_result_multiple_inputs', {});
}

const recordings = [
  ['before 2026-07-28', 'legacy', connectV1],
  ['of 2026-07-28', 'modern', connectV2Modern],
] as const;
const transports = ['stdio', 'http'] as const;
type Transport = (typeof transports)[number];

/** Both transports in long runs, otherwise one per era. */
function transportsFor(era: 'legacy' | 'modern', sample: Record<'legacy' | 'modern', Transport>): readonly Transport[] {
  return inLongRuns(transports, [sample[era]]);
}

describe.each(recordings)('a recording from %s', (_, era, connect) => {
  it.each(transportsFor(era, { legacy: 'stdio', modern: 'http' }))(
    'receives the recorded responses from a server of its own era over %s',
    async (transport) => {
      const place = new Place();
      await recordTalk(connect, { place, server: eraProgram('both') }, talk);
      const done = await replay(place, await eraTarget(era, transport));
      expectAllMatch(done, 12);
      expect(done.outcome.stderr).not.toContain('translated');
    },
  );

  it.each(transportsFor(era, { legacy: 'http', modern: 'stdio' }))(
    'translates the recording for a server of the other era over %s, and reports it',
    async (transport) => {
      const place = new Place();
      await recordTalk(connect, { place, server: eraProgram('both') }, talk);
      const done = await replay(place, await eraTarget(era === 'legacy' ? 'modern' : 'legacy', transport));
      expect(done.outcome.stderr).toContain('the recording is translated');
      const others = done.results.filter(({ verdict }) => !['match', 'sent', 'skipped'].includes(verdict));
      expect(
        others.map(({ original_request, sent_message, error, differences }) => ({
          original_request,
          sent_message,
          error,
          differences,
        })),
      ).toEqual([]);
      expect(done.summary.matched).toBeGreaterThanOrEqual(12);
      expect(done.outcome.code).toBe(0);
    },
  );
});

describe.each(recordings)('a recording over HTTP from %s', (_, era, connect) => {
  it.each(transportsFor(era, { legacy: 'stdio', modern: 'http' }))(
    'receives the recorded responses over %s, with streams and a cancelled call',
    async (transport) => {
      const place = new Place();
      const flags = ['--session-file', 'session.json', ...(await eraTarget('both', 'http'))];
      const proxy = await startProxy(place, flags);
      const connected = await connect({ url: proxy.url, transport: 'streamable-http' });
      await talkOnStreams(connected);
      await connected.leave();
      await proxy.stop();
      const done = await replay(place, await eraTarget(era, transport));
      expectAllMatch(done, 5);
      const waiting = done.results.find(({ sent_message }) => JSON.stringify(sent_message).includes('"test_wait"'));
      expect(waiting).toMatchObject({ verdict: 'sent' });
    },
  );
});

/** Adds subscriptions, as each era has them, and a call that the client cancels. */
async function talkOnStreams({ client, call, ...rest }: Connected): Promise<void> {
  const uri = 'test://watched-resource';
  await client.listTools();
  const listen =
    'listen' in rest ? (rest.listen as (filter: object) => Promise<{ close(): Promise<void> }>) : undefined;
  const stream =
    listen === undefined ? await client.subscribeResource({ uri }) : await listen({ toolsListChanged: true });
  await call('test_trigger_resource_update', {});
  const enough = new AbortController();
  await call('test_wait', {}, { onprogress: () => enough.abort(), signal: enough.signal }).catch(() => undefined);
  await call('test_sampling', { prompt: 'Say hello' });
  await client.readResource({ uri });
  await client.listPrompts();
  if (stream !== null && typeof stream === 'object' && 'close' in stream)
    await (stream as { close(): Promise<void> }).close();
}
