import type { FindingOptions } from '../../src/analysis/findings/finder.ts';
import type { Entry } from '../../src/model/entry.ts';
import { ask, client, ended, exchange, gap, handshake, modern, noise, server } from './dialogue.ts';
import type { Pairs } from './pair.ts';

const detectSecrets: NonNullable<FindingOptions['detectSecrets']> = (entry) =>
  entry.kind === 'message' && entry.text.includes('hunter2') ? [{ kind: 'password', place: 'text $.params' }] : [];

/** Findings about single messages, ids and the recording, each with sessions that show it and sessions that do not. */
export const messagePairs: Pairs<
  | 'invalid-jsonrpc'
  | 'stray-output'
  | 'batch-not-allowed'
  | 'duplicate-id'
  | 'unknown-id'
  | 'answered-twice'
  | 'response-without-request'
  | 'secret-present'
  | 'recording-gap'
> = {
  'invalid-jsonrpc': {
    shows: [
      {
        title: 'another version',
        session: ended(handshake(), client({ jsonrpc: '1.0', id: 1, method: 'ping' }), server({ id: 1, result: {} })),
        says: /"jsonrpc" must be "2.0"/,
        at: [3],
      },
      {
        title: 'a request whose id is null',
        session: ended(handshake(), client({ id: null, method: 'ping' })),
        says: /must not be null/,
      },
      {
        title: 'a fraction for an id',
        session: ended(handshake(), client({ id: 1.5, method: 'ping' }), server({ id: 1.5, result: {} })),
        says: /whole number/,
      },
      {
        title: 'an error without a message',
        session: ended(handshake(), client({ id: 1, method: 'x' }), server({ id: 1, error: { code: -32601 } })),
        says: /"code" and a "message"/,
      },
    ],
    hides: [
      { title: 'requests, answers and notifications', session: ended(handshake(), ask(1, 'ping', {}, {})) },
      {
        title: 'an error without an id, which MCP allows',
        session: ended(handshake(), noise('{', 'in'), server({ error: { code: -32700, message: 'Parse error' } })),
      },
    ],
  },
  'stray-output': {
    shows: [
      {
        title: 'a line on stdout',
        session: ended(handshake(), noise('Ready!')),
        says: /server printed a line to stdout.*"Ready!".*Log to stderr instead/,
      },
      {
        title: 'a line on stdin',
        session: ended(handshake(), noise('quit', 'in')),
        says: /client wrote a line to stdin.*"quit"/,
      },
    ],
    hides: [{ title: 'a line on stderr', session: ended(handshake(), { ...noise('Ready!'), event: 'stdio.stderr' }) }],
  },
  'batch-not-allowed': {
    shows: [
      {
        title: 'a batch in 2025-06-18',
        session: ended(
          handshake({ revision: '2025-06-18' }),
          [1, 2].map((id) => client({ id, method: 'ping' }, { batch: `{"frame":3,"index":${id - 1},"of":2}` })),
          [1, 2].map((id) => server({ id, result: {} })),
        ),
        says: /batch of 2 messages, which protocol version 2025-06-18/,
        at: [3],
      },
      {
        title: 'a batch whose first member is not a message',
        session: ended(
          handshake({ revision: '2025-06-18' }),
          [1, 2].map((id) => client({ id, method: 'ping' }, { batch: `{"frame":3,"index":${id},"of":3}` })),
          [1, 2].map((id) => server({ id, result: {} })),
        ),
        says: /batch of 3 messages/,
        at: [3],
      },
    ],
    hides: [
      {
        title: 'a batch where nobody knows the revision',
        session: ended(client({ id: 1, method: 'ping' }, { batch: '{"frame":0,"index":0,"of":1}' })),
      },
      {
        title: 'a batch in 2025-03-26',
        session: ended(
          handshake({ revision: '2025-03-26' }),
          client({ id: 1, method: 'ping' }, { batch: '{"frame":3,"index":0,"of":1}' }),
          server({ id: 1, result: {} }),
        ),
      },
    ],
  },
  'duplicate-id': {
    shows: [
      {
        title: 'an id that was used before',
        session: ended(handshake(), ask(1, 'ping', {}, {}), ask(1, 'ping', {}, {})),
        says: /client used the request id 1 twice/,
        at: [5],
      },
      {
        title: 'an id of an open request in 2026-07-28',
        session: ended(
          client({ id: 1, method: 'tools/list', params: modern() }),
          client({ id: 1, method: 'prompts/list', params: modern() }),
          server({ id: 1, result: { tools: [] } }),
          server({ id: 1, result: { prompts: [] } }),
        ),
        says: /id 1/,
      },
      {
        title: 'an id that a client used before over HTTP',
        session: ended(
          exchange(0, {}, handshake({}, { conversation: 1 })),
          exchange(1, {}, ask(1, 'ping', {}, {}, { conversation: 1 })),
          exchange(2, {}, ask(1, 'ping', {}, {}, { conversation: 1 })),
        ),
        says: /client used the request id 1 twice/,
      },
    ],
    hides: [
      {
        title: 'a request that is repeated while the body of its refusal still arrives',
        session: ended(
          exchange(0, {}, handshake({}, { conversation: 1 })),
          overlapping(
            exchange(1, { status: 401 }, [client({ id: 1, method: 'ping' }, { conversation: 1 })]),
            exchange(2, {}, ask(1, 'ping', {}, {}, { conversation: 1 })),
          ),
        ),
      },
      {
        title: 'the same id on both sides, and as text',
        session: ended(
          handshake(),
          ask(1, 'ping', {}, {}),
          server({ id: 1, method: 'ping' }),
          client({ id: 1, result: {} }),
          client({ id: '1', method: 'ping' }),
          server({ id: '1', result: {} }),
        ),
      },
      {
        title: 'an id of two clients',
        session: ended(handshake({}, { conversation: 1 }), handshake({}, { conversation: 2 })),
      },
      {
        title: 'an id of two clients whose server has no sessions',
        session: ended(
          exchange(0, {}, handshake({}, { conversation: 1 })),
          exchange(1, {}, handshake({}, { conversation: 2 })),
          exchange(2, {}, ask(1, 'ping', {}, {})),
          exchange(3, {}, ask(1, 'ping', {}, {})),
        ),
      },
      {
        title: 'an id of an answered request in 2026-07-28',
        session: ended(ask(1, 'tools/list', modern(), { tools: [] }), ask(1, 'tools/list', modern(), { tools: [] })),
      },
      {
        title: 'a request that was refused with an error and is sent again',
        session: ended(
          exchange(0, { status: 401 }, [
            client({ id: 0, method: 'initialize', params: {} }, { conversation: 1 }),
            server({ id: 0, error: { code: -32001, message: 'Unauthorized' } }, { conversation: 1 }),
          ]),
          exchange(1, {}, handshake({}, { conversation: 1 })),
        ),
      },
      {
        title: 'a request that was refused and is sent again',
        session: ended(
          exchange(0, { status: 401 }, [client({ id: 0, method: 'initialize', params: {} }, { conversation: 1 })]),
          exchange(1, {}, handshake({}, { conversation: 1 })),
        ),
      },
    ],
  },
  'unknown-id': {
    shows: [
      {
        title: 'an answer to nothing',
        session: ended(handshake(), server({ id: 7, result: {} })),
        says: /server sent a response with id 7, but no open request/,
        at: [3],
      },
    ],
    hides: [
      { title: 'answers to requests', session: ended(handshake(), ask(7, 'ping', {}, {})) },
      { title: 'an answer after a gap', session: ended(handshake(), gap('disk full'), server({ id: 7, result: {} })) },
    ],
  },
  'answered-twice': {
    shows: [
      {
        title: 'two answers',
        session: ended(handshake(), ask(1, 'ping', {}, {}), server({ id: 1, result: {} })),
        says: /id 1/,
        at: [5],
      },
      {
        title: 'two answers in events with the same id, which a server counts for each stream',
        session: ended(
          handshake(),
          ask(1, 'ping', {}, {}, { sse: '{"event":"message","id":"1"}' }),
          server({ id: 1, result: { other: true } }, { sse: '{"event":"message","id":"1"}' }),
        ),
        says: /id 1/,
      },
    ],
    hides: [
      {
        title: 'an event that a resumed stream delivers again',
        session: ended(
          handshake(),
          ask(1, 'ping', {}, {}, { sse: '{"event":"message","id":"evt-1"}' }),
          server({ id: 1, result: {} }, { sse: '{"event":"message","id":"evt-1"}' }),
        ),
      },
      {
        title: 'two requests and their answers',
        session: ended(handshake(), ask(1, 'ping', {}, {}), ask(2, 'ping', {}, {})),
      },
    ],
  },
  'response-without-request': {
    shows: [
      {
        title: 'a result without an id',
        session: ended(handshake(), server({ id: null, result: {} })),
        says: /server sent a response without an id/,
      },
    ],
    hides: [
      {
        title: 'an error without an id that refuses an HTTP request',
        session: ended(
          exchange(0, { method: 'GET', status: 405 }, [
            server({ id: null, error: { code: -32000, message: 'Method not allowed.' } }),
          ]),
        ),
      },
    ],
  },
  'secret-present': {
    shows: [
      {
        title: 'a secret in a message',
        session: ended(handshake(), ask(1, 'ping', { password: 'hunter2' }, {})),
        options: { detectSecrets },
        says: /^The recording has a secret \(password\) at \$\.params\. /,
        at: [3],
      },
    ],
    hides: [
      { title: 'no secret', session: ended(handshake(), ask(1, 'ping', {}, {})), options: { detectSecrets } },
      { title: 'nobody who looks', session: ended(handshake(), ask(1, 'ping', { password: 'hunter2' }, {})) },
    ],
  },
  'recording-gap': {
    shows: [
      { title: 'a gap', session: ended(handshake(), gap('disk full')), says: /^One entry is missing: "disk full"\.$/ },
    ],
    hides: [{ title: 'an action', session: ended(handshake(), { ...gap('SIGTERM'), event: 'mcpreel.action' }) }],
  },
};

/** Two exchanges of which the second begins before the first one ends. */
function overlapping([request, ...first]: readonly Entry[], second: readonly Entry[]): Entry[] {
  return request === undefined ? [] : [request, ...second.slice(0, 1), ...first, ...second.slice(1)];
}
