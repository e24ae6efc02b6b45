import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits, followedBy, inLiteral, type TextEdit } from './edits.ts';

/** Edits of a text of this length, in order. */
function editsWithin(length: number, cuts: readonly number[]): TextEdit[] {
  const at = [...new Set(cuts.map((cut) => cut % (length + 1)))].toSorted((a, b) => a - b);
  const edits: TextEdit[] = [];
  for (let i = 0; i + 1 < at.length; i += 2)
    edits.push({ start: at[i] ?? 0, end: at[i + 1] ?? 0, text: '#"'.repeat(i) });
  return edits;
}

const cuts = fc.array(fc.nat(100), { maxLength: 10 });

describe('operations on edits', () => {
  it('applies edits of a string to its JSON literal, however that is spelled', () => {
    const spelled = fc.array(fc.tuple(fc.nat(0xffff), fc.boolean()), { maxLength: 40 });
    fc.assert(
      fc.property(spelled, cuts, fc.nat(5), (characters, where, at) => {
        const value = characters.map(([unit]) => String.fromCharCode(unit)).join('');
        const literal = `"${characters.map(([unit, isEscaped]) => spell(unit, isEscaped)).join('')}"`;
        const edits = editsWithin(value.length, where);
        const before = ' '.repeat(at);
        const after = applyEdits(before + literal, inLiteral(literal, at, edits));
        expect(JSON.parse(after)).toBe(applyEdits(value, edits));
      }),
    );
  });

  it('combines edits of a text with edits of the edited text', () => {
    fc.assert(
      fc.property(cuts, cuts, (first, second) => {
        const text = 'abcdefghijklmnopqrstuvwxyz'.repeat(2);
        const earlier = editsWithin(text.length, first).map((edit) => ({ ...edit, text: '[##]' }));
        const between = applyEdits(text, earlier);
        const later = editsWithin(between.length, second).filter(({ start, end }) => {
          return end > start && !/[[\]#]/.test(between.slice(start, end));
        });
        expect(applyEdits(text, followedBy(earlier, later))).toBe(applyEdits(between, later));
      }),
    );
  });
});

function spell(unit: number, isEscaped: boolean): string {
  return isEscaped
    ? `\\u${unit.toString(16).padStart(4, '0')}`
    : JSON.stringify(String.fromCharCode(unit)).slice(1, -1);
}
