import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { complete, completionAt, paintFilter, toggleTerm } from './filter-completion.ts';

const words = [
  { term: 'tool:read_file', count: 3 },
  { term: 'tool:search', count: 2 },
  { term: 'status:error', count: 1 },
];
const terms = (text: string, caret = text.length): string[] =>
  completionAt(text, caret, words).options.map(({ term }) => term);

describe('filter completion', () => {
  it('offers terms that start with the word before the caret, then terms that contain it', () => {
    expect(terms('kind:request -sea')).toEqual(['tool:search']);
    expect(terms('s')).toEqual(['status:error', 'tool:search']);
    expect(terms('')).toHaveLength(3);
    expect(terms('tool:search')).toEqual([]);
  });

  it('replaces only the word at the caret', () => {
    const text = '-too status:ok';
    const completion = completionAt(text, 4, words);
    expect(complete(text, completion, 'tool:search')).toEqual({ text: '-tool:search status:ok', caret: 13 });
  });

  it('adds a term and removes it again', () => {
    expect(toggleTerm('', 'status:error')).toBe('status:error');
    expect(toggleTerm('tool:a status:error', 'status:error')).toBe('tool:a');
    expect(toggleTerm('tool:a (edited or dropped) id:1', '(edited or dropped)')).toBe('tool:a id:1');
    expect(toggleTerm('status:error-like', 'status:error')).toBe('status:error-like status:error');
  });

  it('highlights every character exactly once', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(
          paintFilter(text)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text);
      }),
    );
    expect(paintFilter('tool:x or "a b"').map(({ kind }) => kind)).toEqual([
      'key',
      'word',
      'word',
      'operator',
      'word',
      'quoted',
    ]);
  });
});
