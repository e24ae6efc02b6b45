import { describe, expect, it } from 'vitest';
import { endToEnd, headerOf, headerPairs } from './http-headers.ts';

describe('endToEnd', () => {
  it('keeps the order, case and repetition of headers', () => {
    const raw = ['x-b', '1', 'X-A', '', 'X-B', '2', 'cookie', 'a', 'Cookie', 'b'];
    expect(endToEnd(raw)).toEqual(raw);
  });

  it('removes hop-by-hop headers', () => {
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

  it('removes the headers that Connection names, before or after it', () => {
    const raw = ['X-Own', '1', 'A', 'b', 'connection', 'Keep-Alive , x-own,X-Other', 'x-other', '2', 'X-Owner', '3'];
    expect(endToEnd(raw)).toEqual(['A', 'b', 'X-Owner', '3']);
  });

  it('keeps the framing headers even if Connection names them', () => {
    const framing = ['Host', 'h', 'Content-Length', '1', 'Transfer-Encoding', 'chunked'];
    expect(endToEnd(['Connection', 'host, content-length, transfer-encoding', ...framing])).toEqual(framing);
  });

  it('changes or removes headers one by one', () => {
    const raw = ['A', '1', 'a', '2', 'B', '3'];
    expect(endToEnd(raw, (name, value) => (name === 'a' ? `${value}!` : undefined))).toEqual(['A', '1!', 'a', '2!']);
  });
});

it('headerOf returns the first header with the name, in any case', () => {
  const raw = ['X-A', '', 'x-a', '2', 'X-AB', '3'];
  expect(headerOf(raw, 'x-a')).toBe('');
  expect(headerOf(raw, 'x-ab')).toBe('3');
  expect(headerOf(raw, 'x')).toBeUndefined();
});

it('headerPairs returns name and value pairs', () => {
  expect(headerPairs(['A', '1', 'a', ''])).toEqual([
    ['A', '1'],
    ['a', ''],
  ]);
});
