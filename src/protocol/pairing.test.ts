import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { message, response } from '../../test/contract/factories.ts';
import type { MessageEntry } from '../model/entry.ts';
import { readEnvelope } from './envelope.ts';
import { Pairing } from './pairing.ts';

/** What each message answers, by proxy id. */
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

  it('lets the first response win and leaves the second alone', () => {
    expect(pair(ask('a', '1'), answer('1'), answer('1'))).toEqual([undefined, 'a', undefined]);
  });

  it('answers the oldest of several open requests with one id first', () => {
    const pairs = pair(ask('a', '1'), ask('b', '1'), ask('c', '1'), answer('1'), answer('1'), answer('1'), answer('1'));
    expect(pairs.slice(3)).toEqual(['a', 'b', 'c', undefined]);
  });

  it('lets an id be used again once it was answered', () => {
    expect(pair(ask('a', '1'), answer('1'), ask('b', '1'), answer('1'))).toEqual([undefined, 'a', undefined, 'b']);
  });

  it('never crosses directions, though both sides use one id', () => {
    expect(pair(ask('client', '1'), ask('server', '1', fromServer), answer('1', fromClient), answer('1'))).toEqual([
      undefined,
      undefined,
      'server',
      'client',
    ]);
    expect(pair(ask('a', '1'), answer('1', fromClient))).toEqual([undefined, undefined]);
  });

  it('never crosses conversations, 0 being the one of a message that names none', () => {
    const two = { conversation: 2 };
    expect(pair(ask('a', '1'), ask('b', '1', two), answer('1', two), answer('1', { conversation: 0 }))).toEqual([
      undefined,
      undefined,
      'b',
      'a',
    ]);
    expect(pair(ask('a', '1', { conversation: 1 }), answer('1'))).toEqual([undefined, undefined]);
  });

  it('tells 1 from "1"', () => {
    expect(pair(ask('number', '1'), ask('string', '"1"'), answer('"1"'), answer('1'))).toEqual([
      undefined,
      undefined,
      'string',
      'number',
    ]);
  });

  it('takes 1 and 1.0 for one id, and one character for one however it is escaped', () => {
    expect(pair(ask('a', '1'), answer('1.0'))).toEqual([undefined, 'a']);
    expect(pair(ask('a', '"\\u00e9"'), answer('"é"'))).toEqual([undefined, 'a']);
  });

  it('keeps ids apart that a double would confuse', () => {
    expect(pair(ask('a', '9007199254740993'), answer('9007199254740992'))).toEqual([undefined, undefined]);
  });

  it('pairs nothing with a message that has no id or is no response', () => {
    expect(pair(ask('a', 'null'), answer('null'), answer('{}'), answer('1', { text: '{"id":1}' }))).toEqual(
      Array(4).fill(undefined),
    );
  });

  it('answers each request at most once, and only with one that came before', () => {
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

  it('stays fast with very many open requests of one id', () => {
    const pairing = new Pairing();
    const request = readEnvelope('{"id":1,"method":"x"}');
    const result = readEnvelope('{"id":1,"result":{}}');
    const count = 200_000;
    for (let n = 0; n < count; n++) pairing.match(message({ proxyId: String(n) }), request);
    for (let n = 0; n < count; n++) if (pairing.match(response(), result) !== String(n)) expect.unreachable();
    expect(pairing.match(response(), result)).toBeUndefined();
  });
});
