import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { paletteFor, type StyledSpan, styledRow } from './styled-row.ts';

const plain = paletteFor(false);
const words = (text: string): StyledSpan => ({ text, style: 'plain' });

describe('a styled row', () => {
  it('makes a row exactly as wide as requested for any content', () => {
    const spans = fc.array(fc.string({ unit: fc.constantFrom('a', 'bc', '日', '\u001b', '👩', '\u0301') }).map(words));
    fc.assert(
      fc.property(spans, spans, fc.integer({ min: 1, max: 50 }), (left, right, width) => {
        expect(stringWidth(styledRow(left, width, plain, { right }))).toBe(width);
      }),
    );
  });

  it('cuts before an escape that does not fit, and shows nothing after it', () => {
    expect(styledRow([words('ab\u202ecd'), words(' more')], 6, plain)).toBe('ab…   ');
    expect(styledRow([words('\u202ecd')], 4, plain)).toBe('…   ');
  });

  it('keeps the text at its right end and cuts off the rest', () => {
    expect(styledRow([words('a long name'), words('  and more')], 14, plain, { right: [words('31 ms')] })).toBe(
      'a long … 31 ms',
    );
  });

  it('uses no color without color support, and marks the selection in another way', () => {
    const row = styledRow([{ text: 'failed', style: 'error' }], 6, plain, { isSelected: true });
    expect(row).toBe('\u001b[1;7mfailed\u001b[0m');
    expect(styledRow([{ text: 'failed', style: 'error' }], 6, paletteFor(true))).toBe('\u001b[31mfailed\u001b[0m');
  });
});
