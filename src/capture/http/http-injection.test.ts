import { describe, expect, it } from 'vitest';
import type { HttpRelay } from '../../proxy/http/http-relay.ts';
import type { OpenStream } from '../../proxy/http/open-stream.ts';
import { HttpInjection } from './http-injection.ts';
import { LastRequestHeads } from './last-request-heads.ts';

const TEXT = '{"jsonrpc":"2.0","method":"x"}';

type Stream = Pick<OpenStream, 'conversation' | 'isListening'>;

/** An injection, and a log of the streams and request heads that it used. */
function openInjection(streams: readonly Stream[], heads: LastRequestHeads = new LastRequestHeads()) {
  const sent: unknown[] = [];
  const relay = {
    streams: streams.map((stream, index) => ({ ...stream, inject: () => sent.push(index) })),
    say: (_: string, head: unknown) => sent.push(head),
  };
  return { injection: new HttpInjection(relay as unknown as HttpRelay, heads), sent };
}

const head = (name: string, headers: readonly string[] = []) => ({ method: 'POST', path: `/${name}`, headers });

describe('injecting a message to the client', () => {
  it('injects into the newest listening stream, or else into the newest stream', () => {
    const own = { conversation: 1, isListening: false };
    const { injection, sent } = openInjection([own, { conversation: 1, isListening: true }, own]);
    injection.inject('server_to_client', TEXT, undefined);
    expect(sent).toEqual([1]);
    const other = openInjection([own, own]);
    other.injection.inject('server_to_client', TEXT, 1);
    expect(other.sent).toEqual([1]);
  });

  it('injects into the only conversation, ignoring streams that belong to none', () => {
    const streams = [0, 3, 0].map((conversation) => ({ conversation, isListening: true }));
    const { injection, sent } = openInjection(streams);
    injection.inject('server_to_client', TEXT, undefined);
    expect(sent).toEqual([1]);
    expect(() => injection.inject('server_to_client', TEXT, 2)).toThrow('in conversation 2');
  });

  it('refuses to inject to the client without a conversation number if there are several', () => {
    const { injection } = openInjection([1, 2].map((conversation) => ({ conversation, isListening: true })));
    expect(() => injection.inject('server_to_client', TEXT, undefined)).toThrow(
      'The session has several conversations: 1, 2',
    );
  });
});

describe('injecting a message to the server', () => {
  it('sends the head of the latest client request with the session id', () => {
    const heads = new LastRequestHeads();
    heads.spoke(1, head('first'));
    heads.spoke(1, head('second', ['A', '1']));
    heads.isCalled(1, 's');
    const { injection, sent } = openInjection([], heads);
    injection.inject('client_to_server', TEXT, undefined);
    expect(sent).toEqual([head('second', ['A', '1', 'Mcp-Session-Id', 's'])]);
    heads.spoke(1, head('third', ['mcp-session-id', 't']));
    injection.inject('client_to_server', TEXT, 1);
    expect(sent[1]).toEqual(head('third', ['mcp-session-id', 't']));
  });

  it('refuses to inject into an ended conversation', () => {
    const heads = new LastRequestHeads();
    heads.spoke(1, head('a'));
    heads.forget(1);
    const { injection } = openInjection([], heads);
    expect(() => injection.inject('client_to_server', TEXT, 1)).toThrow('The session has no conversation 1');
    expect(() => injection.answer('client_to_server', TEXT, 1)).not.toThrow();
  });
});
