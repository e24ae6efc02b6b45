import { describe, expect, it } from 'vitest';
import { choiceOf } from './trace-addresses.ts';

const PAGE = 'http://127.0.0.1:8000/reel/index.html?trace=x#view=raw';

describe('choiceOf', () => {
  it.each([
    ['', []],
    ['?trace=', []],
    ['?trace=a.jsonl', ['http://127.0.0.1:8000/reel/a.jsonl']],
    ['?trace=/a.jsonl', ['http://127.0.0.1:8000/a.jsonl']],
    ['?x=1&trace=https://x.example/a.jsonl', ['https://x.example/a.jsonl']],
    [
      '?trace=https%3A%2F%2Fx.example%2Fa.jsonl%3Bb.jsonl',
      ['https://x.example/a.jsonl', 'http://127.0.0.1:8000/reel/b.jsonl'],
    ],
    ['?trace=a.jsonl;b.jsonl;', ['http://127.0.0.1:8000/reel/a.jsonl', 'http://127.0.0.1:8000/reel/b.jsonl']],
    ['?trace=a+b.jsonl', ['http://127.0.0.1:8000/reel/a+b.jsonl']],
    ['?trace=a%253Bb.jsonl', ['http://127.0.0.1:8000/reel/a%3Bb.jsonl']],
    ['?trace=100%.jsonl', ['http://127.0.0.1:8000/reel/100%.jsonl']],
  ])('opens the recordings named by %s', (search, addresses) => {
    expect(choiceOf(search, PAGE)).toEqual({ compares: false, addresses, refusals: [] });
  });

  it('compares two recordings and refuses only one', () => {
    expect(choiceOf('?diff=a.jsonl;b.jsonl', PAGE)).toMatchObject({ compares: true, refusals: [] });
    expect(choiceOf('?diff=a.jsonl', PAGE).refusals).toEqual(['?diff= needs two recordings, got one. Use ?diff=a;b']);
  });

  it.each([
    'http://x.example/a.jsonl',
    'http://127.0.0.1:8001/a.jsonl',
    'file:///etc/passwd',
    'data:application/json,{}',
    'blob:http://127.0.0.1:8000/1',
    'javascript:alert(1)',
    '//x.example/a.jsonl',
    'https://me:secret@x.example/a.jsonl',
    'http://[',
  ])('refuses %s with a message', (address) => {
    const { addresses, refusals } = choiceOf(`?trace=${address}`, PAGE);
    expect(addresses).toEqual([]);
    expect(refusals).toHaveLength(1);
    expect(refusals[0]).toContain('Cannot open');
    expect(refusals[0]).not.toContain('secret');
  });
});
