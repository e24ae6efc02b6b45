import { describe, expect, it } from 'vitest';
import { endToEnd, headerOf, headerPairs } from './http-headers.ts';

describe('the headers for the other side', () => {
  it('keep their order, their case and their repetitions', () => {
    const raw = ['x-b', '1', 'X-A', '', 'X-B', '2', 'cookie', 'a', 'Cookie', 'b'];
    expect(endToEnd(raw)).toEqual(raw);
  });

  it('are without those of one connection', () => {
    const raw = [
      'Connection',
      'close',
      'KEEP-ALIVE',
      'x',
      'te',
      'x',
      'Upgrade',
      'x',
      'Proxy-Connection',
      'x',
      'A',
      'b',
    ];
    expect(endToEnd(raw)).toEqual(['A', 'b']);
  });

  it('are without those that the connection names, wherever they stand', () => {
    const raw = ['X-Own', '1', 'A', 'b', 'connection', 'Keep-Alive , x-own,X-Other', 'x-other', '2', 'X-Owner', '3'];
    expect(endToEnd(raw)).toEqual(['A', 'b', 'X-Owner', '3']);
  });

  it('are framed whatever the connection names', () => {
    const framing = ['Host', 'h', 'Content-Length', '1', 'Transfer-Encoding', 'chunked'];
    expect(endToEnd(['Connection', 'host, content-length, transfer-encoding', ...framing])).toEqual(framing);
  });

  it('are changed or left out one by one', () => {
    const raw = ['A', '1', 'a', '2', 'B', '3'];
    expect(endToEnd(raw, (name, value) => (name === 'a' ? `${value}!` : undefined))).toEqual(['A', '1!', 'a', '2!']);
  });
});

it('the value of a header is that of the first of its name, in any case', () => {
  const raw = ['X-A', '', 'x-a', '2', 'X-AB', '3'];
  expect(headerOf(raw, 'x-a')).toBe('');
  expect(headerOf(raw, 'x-ab')).toBe('3');
  expect(headerOf(raw, 'x')).toBeUndefined();
});

it('headers come as pairs', () => {
  expect(headerPairs(['A', '1', 'a', ''])).toEqual([
    ['A', '1'],
    ['a', ''],
  ]);
});
