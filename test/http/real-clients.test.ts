import { describe, expect, it } from 'vitest';
import { expectHttpConversation, isResponse } from '../support/conversation.ts';
import { startProxy } from '../support/http-proxy.ts';
import { startEverything } from '../support/http-servers.ts';
import { inLongRuns } from '../support/long-run.ts';
import { notingFetch } from '../support/noting-fetch.ts';
import { Place } from '../support/place.ts';
import { eventsOf, type RecordedMessage, readSessionFile } from '../support/recordings.ts';
import { connectV1, connectV2 } from '../support/sdk-clients.ts';
import { exchangesOf, expectExchanges } from './exchanges.ts';
import { converse } from './rich-talk.ts';

const clients = [
  ['SDK v1', connectV1],
  ['SDK v2', connectV2],
] as const;

describe.each(['streamable-http', 'sse'] as const)('real HTTP clients over %s', (transport) => {
  it.each(inLongRuns(clients, [clients[transport === 'sse' ? 1 : 0]]))(
    'both recordings contain every message of a client of %s, correlated',
    async (_, connect) => {
      const place = new Place();
      const target = await startEverything(transport);
      const flags = ['--transport', transport, '--target-url', target, '--session-file', 'session.json'];
      const proxy = await startProxy(place, flags);
      const { fetch, exchanges, answered } = notingFetch();
      const connected = await connect({ url: proxy.url, transport, fetch, resumes: false });
      // The server can send requests only once this stream is open.
      await answered('GET');
      await converse(connected);
      await connected.leave();
      const { outcome, trace } = await proxy.stop();
      expect(outcome).toMatchObject({ code: 0, signal: null, stdout: '' });

      expectHttpConversation(trace.messages, connected.noted);
      expectExchanges(trace, exchanges);
      expect(new Set(trace.messages.map(({ conversation }) => conversation))).toEqual(new Set([1]));
      expect(trace.meta).toMatchObject({ transport, url: target, command: [target], listen: proxy.url });
      expect(trace.end).toMatchObject({ exitCode: 0, reason: 'producer_shutdown' });
      expect(eventsOf(trace, 'mcpreel.gap')).toEqual([]);
      const { session, messages } = readSessionFile(place.path('session.json'));
      expect(messages).toEqual(trace.messages);
      expect(session).toMatchObject({ id: trace.meta.id, transport, server_url: target, ended_at: expect.any(String) });

      expectRich(messages);
      const endings = exchangesOf(trace).filter(({ method }) => method === 'DELETE');
      expect(endings.map(({ status }) => status)).toEqual(transport === 'sse' ? [] : [200]);
    },
  );
});

/** Expects the recording to cover everything that the talk includes. */
function expectRich(messages: readonly RecordedMessage[]): void {
  const requested = messages.filter(
    ({ direction, payload }) => direction === 'out' && 'id' in payload && 'method' in payload,
  );
  expect(new Set(requested.map(({ payload }) => payload.method))).toEqual(
    new Set(['sampling/createMessage', 'elicitation/create', 'roots/list']),
  );
  const ids = (direction: 'in' | 'out'): Set<unknown> =>
    new Set(messages.filter((message) => message.direction === direction && !isResponse(message)).map(idOf));
  expect(requested.map(idOf).some((id) => ids('in').has(id))).toBe(true);
  const methods = messages.map(({ payload }) => payload.method);
  for (const method of ['progress', 'message', 'resources/updated', 'cancelled']) {
    expect(methods).toContain(`notifications/${method}`);
  }
  expect(messages.filter(({ payload }) => 'error' in payload)).not.toEqual([]);
}

function idOf({ payload }: RecordedMessage): unknown {
  return payload.id;
}
