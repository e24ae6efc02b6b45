import { expect, it } from 'vitest';
import { RequestTable, requestPlace } from './request-table.ts';

const CLIENT = { direction: 'client_to_server' } as const;
const SERVER = { direction: 'server_to_client' } as const;

it('finds a request by its proxy id, and no longer by its id once it is removed', () => {
  const table = new RequestTable<string>();
  table.add('first', CLIENT, 1, 'a');
  table.add('second', CLIENT, 1, 'b');
  const open = table.linked('b');
  expect(open?.request).toBe('second');
  expect(open && [table.remove(open), table.remove(open), table.linked('b')]).toEqual([true, false, undefined]);
  expect([table.answer(SERVER, 1), table.answer(SERVER, 1), table.linked('a')]).toEqual([
    'first',
    undefined,
    undefined,
  ]);
});

it('prefers the request with the right id if several have one proxy id', () => {
  const table = new RequestTable<string>();
  for (const id of [1, 2, 3]) table.add(`request ${id}`, CLIENT, id, 'same');
  expect(table.linked('same', requestPlace('client_to_server', 0, 2))?.request).toBe('request 2');
  expect(table.linked('same', requestPlace('client_to_server', 0, 9))?.request).toBe('request 1');
  expect(table.linked('same')?.request).toBe('request 1');
});

it('forgets the oldest requests and exchanges beyond its limit', () => {
  const table = new RequestTable<number>(100);
  for (let n = 0; n < 1000; n++) {
    table.add(n, { ...CLIENT, exchange: n }, n, String(n));
    expect(table.size).toBeLessThanOrEqual(100);
  }
  expect(table.linked('0')).toBeUndefined();
  expect(table.answer({ ...SERVER, exchange: 0 }, undefined)).toBeUndefined();
  expect(table.answer({ ...SERVER, exchange: 999 }, undefined)).toBe(999);
});

it('bounds the memory of exchanges whose requests were answered', () => {
  const table = new RequestTable<number>(100);
  for (let n = 0; n < 1000; n++) {
    table.add(n, { ...CLIENT, exchange: n }, 1);
    expect(table.answer({ ...SERVER, exchange: n }, 1)).toBe(n);
  }
  // A second response finds another request only if its own exchange is forgotten.
  table.add(1000, CLIENT, 1);
  expect(table.answer({ ...SERVER, exchange: 999 }, 1)).toBeUndefined();
  expect(table.answer({ ...SERVER, exchange: 0 }, 1)).toBe(1000);
});

it('removes 40,000 requests that share an id in the time of a few, in any order', () => {
  const table = new RequestTable<number>();
  const rows = Array.from({ length: 40_000 }, (_, n) => table.add(n, CLIENT, 1, String(n)));
  for (const [n, row] of rows.entries()) if (n % 2 === 1 && !table.remove(row)) expect.unreachable();
  for (let n = 0; n < rows.length; n += 4) if (table.answer(SERVER, 1) !== n / 2) expect.unreachable();
  expect(table.size).toBe(10_000);
});
