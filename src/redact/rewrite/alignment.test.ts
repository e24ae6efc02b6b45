import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editsBetween } from './alignment.ts';
import { applyEdits } from './edits.ts';

const PLACEHOLDER = '[REDACTED:x:0123abcd]';

describe('editsBetween', () => {
  it('returns edits of only the spans that were replaced', () => {
    const after = `a ${PLACEHOLDER}, b ${PLACEHOLDER}.`;
    expect(editsBetween('a one, b two.', after)).toEqual([
      { start: 2, end: 5, text: PLACEHOLDER },
      { start: 9, end: 12, text: PLACEHOLDER },
    ]);
  });

  it('returns no edits for equal texts', () => {
    expect(editsBetween('same', 'same')).toEqual([]);
  });

  it('returns one edit of the whole text if the texts have nothing in common', () => {
    expect(editsBetween('abc', 'xyz')).toEqual([{ start: 0, end: 3, text: 'xyz' }]);
  });

  it('returns edits that turn any text into its redacted form', () => {
    const piece = fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom('a', 'aa', '"', PLACEHOLDER));
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, fc.boolean()), { maxLength: 12 }), (pieces) => {
        const before = pieces.map(([text]) => text).join('');
        const after = pieces.map(([text, goes]) => (goes ? PLACEHOLDER : text)).join('');
        expect(applyEdits(before, editsBetween(before, after))).toBe(after);
      }),
    );
  });
});
