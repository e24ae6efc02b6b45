import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { message, response } from '../../test/contract/factories.ts';
import type { MessageEntry } from '../model/entry.ts';
import { readEnvelope } from './envelope.ts';
import { Pairing } from './pairing.ts';

/** The request that each message answers, by proxy id. */
function pair(...messages: readonly MessageEntry[]): (string | undefined)[] {
  const pairing = new Pairing();
  return messages.map((entry) => pairing.match(entry, readEnvelope(entry.text)));
}

const ask = (proxyId: string, id: string, parts: Partial<MessageEntry> = {}): MessageEntry =>
  message({ proxyId, text: `{"id":${id},"method":"x"}`, ...parts });
const answer = (id: string, parts: Partial<MessageEntry> = {}): MessageEntry =>
  response({ proxyId: 'answer', text: `{"id":${id},"result":{}}`, ...parts });
const fromServer = { direction: 'server_to_client' } as const;
const fromClient = { direction: 'client_to_server' } as const;

describe('Pairing', () => {
  it('finds the request that a response answers', () => {
    expect(pair(ask('a', '1'), ask('b', '2'), answer('2'), answer('1'))).toEqual([undefined, undefined, 'b', 'a']);
  });

  it('pairs an error like a result', () => {
    expect(pair(ask('a', '1'), answer('1', { text: '{"id":1,"error":{"code":1}}' }))).toEqual([undefined, 'a']);
  });

  it('pairs the first of two responses and ignores the second', () => {
    expect(pair(ask('a', '1'), answer('1'), answer('1'))).toEqual([undefined, 'a', undefined]);
  });

  it('pairs the oldest of several open requests with the same id first', () => {
    const pairs = pair(ask('a', '1'), ask('b', '1'), ask('c', '1'), answer('1'), answer('1'), answer('1'), answer('1'));
    expect(pairs.slice(3)).toEqual(['a', 'b', 'c', undefined]);
  });

  it('allows an id to be reused once its request was answered', () => {
    expect(pair(ask('a', '1'), answer('1'), ask('b', '1'), answer('1'))).toEqual([undefined, 'a', undefined, 'b']);
  });

  it('never pairs across directions, even if both sides use the same id', () => {
    expect(pair(ask('client', '1'), ask('server', '1', fromServer), answer('1', fromClient), answer('1'))).toEqual([
      undefined,
      undefined,
      'server',
      'client',
    ]);
    expect(pair(ask('a', '1'), answer('1', fromClient))).toEqual([undefined, undefined]);
  });

  it('never pairs across conversations, and defaults to conversation 0', () => {
    const two = { conversation: 2 };
    expect(pair(ask('a', '1'), ask('b', '1', two), answer('1', two), answer('1', { conversation: 0 }))).toEqual([
      undefined,
      undefined,
      'b',
      'a',
    ]);
    expect(pair(ask('a', '1', { conversation: 1 }), answer('1'))).toEqual([undefined, undefined]);
  });

  it('distinguishes the ids 1 and "1"', () => {
    expect(pair(ask('number', '1'), ask('string', '"1"'), answer('"1"'), answer('1'))).toEqual([
      undefined,
      undefined,
      'string',
      'number',
    ]);
  });

  it('treats 1 and 1.0, and differently escaped strings, as the same id', () => {
    expect(pair(ask('a', '1'), answer('1.0'))).toEqual([undefined, 'a']);
    expect(pair(ask('a', '"\\u00e9"'), answer('"é"'))).toEqual([undefined, 'a']);
  });

  it('distinguishes ids that are equal as doubles', () => {
    expect(pair(ask('a', '9007199254740993'), answer('9007199254740992'))).toEqual([undefined, undefined]);
  });

  it('pairs nothing with a message that has no id or is not a response', () => {
    expect(pair(ask('a', 'null'), answer('null'), answer('{}'), answer('1', { text: '{"id":1}' }))).toEqual(
      Array(4).fill(undefined),
    );
  });

  it('pairs each request at most once, and only with a later response', () => {
    const part = fc.record({
      id: fc.constantFrom('1', '"1"', '1.0', '2'),
      asks: fc.boolean(),
      back: fc.boolean(),
      conversation: fc.nat(1),
    });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const pairs = pair(
          ...parts.map(({ id, asks, back, conversation }, n) => {
            const direction = back ? 'server_to_client' : 'client_to_server';
            return asks ? ask(String(n), id, { direction, conversation }) : answer(id, { direction, conversation });
          }),
        );
        const answered = pairs.filter((request) => request !== undefined);
        expect(new Set(answered).size).toBe(answered.length);
        for (const [n, request] of pairs.entries()) {
          if (request === undefined) continue;
          expect(Number(request)).toBeLessThan(n);
          expect(parts[Number(request)]).toMatchObject({
            asks: true,
            back: !parts[n]?.back,
            conversation: parts[n]?.conversation,
          });
        }
      }),
    );
  });

  it('stays fast with 200,000 open requests that share an id', () => {
    const pairing = new Pairing();
    const request = readEnvelope('{"id":1,"method":"x"}');
    const result = readEnvelope('{"id":1,"result":{}}');
    const count = 200_000;
    for (let n = 0; n < count; n++) pairing.match(message({ proxyId: String(n) }), request);
    for (let n = 0; n < count; n++) if (pairing.match(response(), result) !== String(n)) expect.unreachable();
    expect(pairing.match(response(), result)).toBeUndefined();
  });
});

describe('Pairing over HTTP', () => {
  const key = (id: number) => ({ kind: 'request', key: id }) as const;
  const result = (id: number) => ({ kind: 'response', key: id }) as const;

  /** A pairing with the interface of an HTTP recorder, in conversation 0 by default. */
  function overHttp() {
    const pairing = new Pairing();
    return {
      ask: (proxyId: string, id: number, exchange?: number, conversation = 0) =>
        pairing.matchPeek(proxyId, { ...fromClient, conversation, exchange }, key(id)),
      answer: (id: number, exchange?: number, conversation = 0) =>
        pairing.matchPeek('answer', { ...fromServer, conversation, exchange }, result(id)),
      pairing,
    };
  }

  it('pairs a response with the request of its own exchange, even if an older one has the same id', () => {
    const { ask, answer } = overHttp();
    ask('a', 1, 10);
    ask('b', 1, 11);
    ask('c', 1, 12);
    expect([answer(1, 11), answer(1, 12), answer(1, 10)]).toEqual(['b', 'c', 'a']);
  });

  it('pairs a response on another exchange with the oldest open request of its conversation', () => {
    const { ask, answer, pairing } = overHttp();
    for (const [n, id] of ['a', 'b', 'c'].entries()) ask(id, 1, n, 2);
    expect(answer(1, 0, 2)).toBe('a');
    pairing.endExchange(1);
    expect([answer(1, 9, 2), answer(1, 9, 2), answer(1, 9, 2)]).toEqual(['b', 'c', undefined]);
  });

  it('pairs a request once, whichever exchange its first response arrives on', () => {
    const { ask, answer } = overHttp();
    ask('a', 1, 10);
    expect(answer(1, 99)).toBe('a');
    ask('b', 1, 11);
    expect(answer(1, 10)).toBeUndefined();
    expect([answer(1, 11), answer(1, 11)]).toEqual(['b', undefined]);
  });

  it('pairs an error without an id with the only request of its exchange', () => {
    const { ask, answer, pairing } = overHttp();
    const refuse = (exchange: number): string | undefined =>
      pairing.matchPeek('refusal', { ...fromServer, exchange }, { kind: 'response', key: undefined });
    ask('a', 1, 10);
    ask('b', 1, 11);
    ask('c', 2, 12);
    ask('d', 3, 12);
    expect([refuse(11), refuse(11), refuse(12), refuse(13)]).toEqual(['b', undefined, undefined, undefined]);
    expect(answer(1, 10)).toBe('a');
  });

  it('keeps requests open in the conversation when their exchange ends', () => {
    const { ask, answer, pairing } = overHttp();
    ask('a', 1, 10);
    pairing.endExchange(10);
    expect(answer(1, 11)).toBe('a');
  });

  it('pairs initialize with a response that belongs to the conversation it opened', () => {
    const { ask, answer } = overHttp();
    ask('initialize', 0, 10);
    expect(answer(0, 10, 1)).toBe('initialize');
    expect(answer(0, 11)).toBeUndefined();
  });

  it('pairs the responses to a batch that uses an id twice in order', () => {
    const { ask, answer } = overHttp();
    for (const id of ['a', 'b']) ask(id, 1, 10);
    expect([answer(1, 10), answer(1, 10), answer(1, 10)]).toEqual(['a', 'b', undefined]);
  });

  it('pairs the response to a server request, which arrives on another exchange', () => {
    const { ask, answer, pairing } = overHttp();
    ask('client', 0, 10);
    pairing.matchPeek('server', { ...fromServer, exchange: 10 }, key(0));
    expect(pairing.matchPeek('reply', { ...fromClient, exchange: 11 }, result(0))).toBe('server');
    expect(answer(0, 10)).toBe('client');
  });

  it('never mixes up clients that use the same ids in one conversation on separate exchanges', () => {
    const step = fc.record({ client: fc.nat(2), id: fc.nat(2), answers: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { ask, answer, pairing } = overHttp();
        const open: { readonly client: number; readonly id: number; readonly exchange: number }[] = [];
        for (const [exchange, { client, id, answers }] of steps.entries()) {
          const mine = answers ? open.findIndex((one) => one.client === client) : -1;
          if (mine === -1) {
            ask(`${client} in ${exchange}`, id, exchange);
            open.push({ client, id, exchange });
            continue;
          }
          for (const one of open.splice(mine, 1)) {
            expect(answer(one.id, one.exchange)).toBe(`${client} in ${one.exchange}`);
            expect(answer(one.id, one.exchange)).toBeUndefined();
            pairing.endExchange(one.exchange);
          }
        }
      }),
    );
  });

  it('stays fast with 100,000 unanswered requests that share an id', () => {
    const { ask, answer, pairing } = overHttp();
    const count = 100_000;
    for (let n = 0; n < count; n++) {
      ask(String(n), 1, n);
      pairing.endExchange(n);
    }
    for (let n = count; n < 2 * count; n++) {
      ask(String(n), 1, n);
      if (answer(1, n) !== String(n)) expect.unreachable();
      pairing.endExchange(n);
    }
    expect(answer(1)).toBe('0');
  });
});
