import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyExpression, anyTerm } from '../../../test/contract/random-filters.ts';
import { ReelError } from '../../model/errors.ts';
import { printExpression } from './expression.ts';
import { parseExpression } from './parser.ts';

/** A filter in its unambiguous spelling. */
function meaning(filter: string): string {
  return printExpression(parseExpression(filter).expression);
}

/** The error message for an invalid filter. */
function complaint(filter: string): string {
  try {
    parseExpression(filter);
  } catch (error) {
    if (error instanceof ReelError && error.code === 'usage') return error.message;
    throw error;
  }
  return '';
}

describe('parseExpression', () => {
  it.each([
    ['a b c', 'a b c'],
    ['a and b', 'a b'],
    ['a b or c d', 'a b or c d'],
    ['a (b or c) d', 'a (b or c) d'],
    ['(a b) c', 'a b c'],
    ['a or (b or c)', 'a or b or c'],
    ['not a b', '-a b'],
    ['-a or b', '-a or b'],
    ['-(a or b)', '-(a or b)'],
    ['not (a b)', '-(a b)'],
    ['not not a', 'a'],
    ['-not a', 'a'],
    ['--a', 'a'],
    ['((a))', 'a'],
    ['a(b)c', 'a b c'],
    ['A OR NOT b', 'A or -b'],
    ['  a\n\tb  ', 'a b'],
    ['', ''],
  ])('reads %j as %j', (filter, spelledOut) => {
    expect(meaning(filter)).toBe(spelledOut);
  });

  it.each([
    ['>', 'dir:>'],
    ['< ping', 'dir:< ping'],
    ['-<', '-dir:<'],
    ['Tool:x', 'tool:x'],
    ['tool:"my tool"', 'tool:"my tool"'],
    [String.raw`tool:"a \"b\" \\ \c"`, String.raw`tool:"a \"b\" \\ \\c"`],
    ['kind:Request', 'kind:request'],
    ['kind:noise', 'kind:stray'],
    ['status:"ok"', 'status:ok'],
    ['http:=401', 'http:401'],
    ['http:>=400', 'http:>=400'],
    ['dur:>1.5s', 'dur:>1.5s'],
    ['Edited', 'edited'],
    ['"edited"', '"edited"'],
    ['"or"', '"or"'],
    ['12:30', '"12:30"'],
    ['read-only', '"read-only"'],
    ['say"hi"', String.raw`"say\"hi\""`],
    ['/a b(c)/i', '/a b(c)/i'],
    [String.raw`/a\/b/`, String.raw`/a\/b/`],
    ['>x', '">x"'],
  ])('reads the term %j as %j', (filter, spelledOut) => {
    expect(meaning(filter)).toBe(spelledOut);
  });

  it.each([
    ['status:okay', 'Unknown status: okay (column 8)'],
    ['a kind:x', 'Unknown kind: x (column 8)'],
    ['dir:up', 'Unknown direction: up (column 5)'],
    ['a stauts:ok', 'Unknown key: stauts (column 3)'],
    ['https://x', 'Unknown key: https (column 1)'],
    ['tool:', 'Expected a value after tool: (column 6)'],
    ['tool: x', 'Expected a value after tool: (column 6)'],
    ['conv:x', 'Not a conversation number: x (column 6)'],
    ['dur:500ms', 'Missing comparison of the duration: 500ms (column 5)'],
    ['size:>10q', 'Not a size: >10q (column 6)'],
    ['dur:>1h', 'Not a duration: >1h (column 5)'],
    ['http:40', 'Not an HTTP status: 40 (column 6)'],
    ['a "b', 'Missing closing quote (column 3)'],
    ['tool:"b', 'Missing closing quote (column 6)'],
    ['""', 'Empty quotes (column 1)'],
    ['"a"b', 'Expected a space after the quote (column 4)'],
    ['/home/me', 'Expected a space after the regular expression (column 7)'],
    ['/home', 'Missing closing slash of the regular expression (column 1)'],
    ['//', 'Empty regular expression (column 1)'],
    ['a or', 'Expected a term after or (column 5)'],
    ['or a', 'Expected a term, not or (column 1)'],
    ['a or or b', 'Expected a term after or, not or (column 6)'],
    ['not', 'Expected a term after not (column 4)'],
    ['a - b', 'Expected a term right after - (column 3)'],
    ['a -', 'Expected a term right after - (column 3)'],
    ['a ()', 'Expected a term after (, not ) (column 4)'],
    ['(a', 'Missing ) (column 1)'],
    ['a (b (c)', 'Missing ) (column 3)'],
    ['a) b', 'Unmatched ) (column 2)'],
    [`${'('.repeat(101)}a`, 'Too many nested groups (column 101)'],
    ['😀 status:x', 'Unknown status: x (column 10)'],
  ])('reports the error and its column in %j', (filter, what) => {
    expect(complaint(filter)).toBe(what);
  });

  it('parses a printed tree back into the same tree', () => {
    fc.assert(
      fc.property(anyExpression(anyTerm), (tree) => {
        expect(parseExpression(printExpression(tree)).expression).toEqual(tree);
      }),
    );
  });

  it('parses any text or reports a user error', () => {
    const piece = fc.constantFrom(
      '(',
      ')',
      '"',
      '/',
      '-',
      '\\',
      ' ',
      ':',
      'tool:',
      'dur:>',
      'or',
      'not ',
      'and',
      'x',
      '😀',
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, (filter) => {
        const what = complaint(filter);
        const column = Number(/\(column (\d+)\)$/.exec(what)?.[1] ?? 1);
        expect(column).toBeGreaterThan(0);
        expect(column).toBeLessThanOrEqual(Array.from(filter).length + 1);
        expect(what === '' ? meaning(meaning(filter)) : what).toBe(what === '' ? meaning(filter) : what);
      }),
    );
  });
});
