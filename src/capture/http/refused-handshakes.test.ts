import { expect, it } from 'vitest';
import { type Handshake, handshakeOf, RefusedHandshakes } from './refused-handshakes.ts';

const REFUSED: Handshake = { connection: 1, client: 'a', credentials: '' };

/** The conversation that each of these repeats, after the handshake of conversation 7 got a 401. */
function taken(handshakes: readonly Partial<Handshake>[], isUnauthorized = true): (number | undefined)[] {
  const refused = new RefusedHandshakes();
  refused.add({ ...REFUSED, conversation: 7, isUnauthorized });
  return handshakes.map((handshake) => refused.take({ ...REFUSED, ...handshake }));
}

it('finds the retry of a refused handshake on its connection, and once', () => {
  expect(taken([{}, {}])).toEqual([7, undefined]);
});

it('finds a retry with credentials on another connection', () => {
  expect(taken([{ connection: 2, credentials: 'Bearer x' }])).toEqual([7]);
});

it('leaves the retry to its client if another one begins in between', () => {
  const authorized = { credentials: 'Bearer x' };
  expect(taken([{ client: 'b', ...authorized }, { connection: 2 }, { connection: 3, ...authorized }])).toEqual([
    undefined,
    undefined,
    7,
  ]);
});

it('finds an unchanged retry on another connection if no credentials were missing', () => {
  expect(taken([{ connection: 2 }], false)).toEqual([7]);
});

it('gives neither of two equal clients the conversation of the other', () => {
  const refused = new RefusedHandshakes();
  refused.add({ ...REFUSED, conversation: 7, isUnauthorized: true });
  refused.add({ ...REFUSED, connection: 2, conversation: 8, isUnauthorized: true });
  const authorized = { ...REFUSED, credentials: 'Bearer x' };
  expect(refused.take({ ...authorized, connection: 3 })).toBeUndefined();
  expect([refused.take({ ...authorized, connection: 2 }), refused.take(authorized)]).toEqual([8, 7]);
});

it('forgets the oldest of many refused handshakes', () => {
  const refused = new RefusedHandshakes();
  for (let n = 0; n < 101; n++) {
    refused.add({ ...REFUSED, client: `client ${n}`, conversation: n, isUnauthorized: false });
  }
  expect([0, 1, 100].map((n) => refused.take({ ...REFUSED, client: `client ${n}` }))).toEqual([undefined, 1, 100]);
});

it('tells clients by user agent and clientInfo, and credentials by the names of headers', () => {
  const head = { method: 'POST', path: '/mcp', connection: 3 };
  const text = '{"method":"initialize","params":{"clientInfo":{"name":"a"}}}';
  expect(handshakeOf({ ...head, headers: ['User-Agent', 'ua', 'X-Api-Key', 'k', 'Accept', '*'] }, text)).toEqual({
    connection: 3,
    client: 'ua\n{"name":"a"}',
    credentials: 'X-Api-Key,k',
  });
  expect(handshakeOf({ ...head, headers: [] }, '{"method":"initialize"}')).toMatchObject({ client: '\n' });
});
