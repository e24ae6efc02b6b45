import { describe, expect, it } from 'vitest';
import type { EventEntry, MessageEntry } from '../../model/entry.ts';
import { authorizationDiscoveryIn } from './authorization-discovery.ts';

const BOTH = 'Bearer resource_metadata="https://x/.well-known/oauth-protected-resource", scope="a"';

function answer(transcript: object, over: Partial<MessageEntry> = {}): MessageEntry {
  return {
    kind: 'message',
    sequence: 0,
    proxyId: 'm0',
    atMs: 0,
    direction: 'server_to_client',
    text: '{}',
    keepsakes: { transcript: JSON.stringify(transcript) },
    ...over,
  };
}

function event(name: string, raw: object): EventEntry {
  return { kind: 'event', event: name, atMs: 0, raw: JSON.stringify(raw) };
}

const context = (status: unknown, header: unknown, name = 'WWW-Authenticate'): object => ({
  transport_context: { status, headers: { [name]: header } },
});

describe('authorizationDiscoveryIn', () => {
  it.each([
    ['a status in digits and a header in small letters', context('401', BOTH, 'www-authenticate')],
    ['several values of the header', context(401, ['Basic realm="x"', BOTH])],
    ['several challenges in one value', context(401, `Basic realm="x", ${BOTH}`)],
    ['other names of the status', { transport_context: { http_status: 401, headers: { 'WWW-Authenticate': BOTH } } }],
    [
      'the status and headers of a nested response',
      { transport_context: { response: { status: 401, headers: { 'WWW-Authenticate': BOTH } } } },
    ],
    [
      'the status beside the headers of a nested response',
      { transport_context: { status: 401, response: { headers: [['www-authenticate', BOTH]] } } },
    ],
    ['headers of the entry itself', { transport_context: { status_code: 401 }, headers: { 'WWW-Authenticate': BOTH } }],
  ])('detects resource metadata and scope in a response with %s', (_, transcript) => {
    expect(authorizationDiscoveryIn(answer(transcript))).toEqual({
      resourceMetadataVisible: true,
      scopeChallengeVisible: true,
    });
  });

  it('does not treat a scope inside the realm as a scope challenge', () => {
    const header = 'Bearer realm="try scope=admin", resource_metadata="https://x/.well-known/oauth-protected-resource"';
    expect(authorizationDiscoveryIn(answer(context(401, header)))).toEqual({
      resourceMetadataVisible: true,
      scopeChallengeVisible: false,
    });
  });

  it('detects a scope challenge in a response without a body and in a recorded exchange', () => {
    const empty = event('transcript.entry', { response: null, ...context(401, 'Bearer scope=x') });
    const exchange = event('http.exchange', { status: 401, responseHeaders: [['Www-Authenticate', 'Bearer scope=x']] });
    for (const entry of [empty, exchange]) {
      expect(authorizationDiscoveryIn(entry)).toEqual({ resourceMetadataVisible: false, scopeChallengeVisible: true });
    }
  });

  it.each([
    ['another status', answer(context(403, BOTH))],
    [
      'a nested request',
      answer({ transport_context: { request: { status: 401, headers: { 'WWW-Authenticate': BOTH } } } }),
    ],
    [
      'another status of a nested response',
      answer({ transport_context: { response: { status: 200, headers: { 'WWW-Authenticate': BOTH } } } }),
    ],
    ['a challenge without either', answer(context(401, 'Bearer realm="x"'))],
    ['a request', answer(context(401, BOTH), { direction: 'client_to_server' })],
    ['an event stream', answer(context(401, BOTH), { sse: '{"event":"message"}' })],
    ['an event of an event stream', event('transcript.entry', { sse: { data: '' }, ...context(401, BOTH) })],
    ['a message without any context', answer({}, { keepsakes: undefined })],
  ])('returns undefined for %s', (_, entry) => {
    expect(authorizationDiscoveryIn(entry)).toBeUndefined();
  });
});
