import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { almostJsonText, deepTexts, jsonText } from '../../test/support/sample-texts.ts';
import { findFault } from './scan.ts';
import { forEachToken } from './tokens.ts';

function tokensOf(text: string): string[] | undefined {
  const tokens: string[] = [];
  return forEachToken(text, (kind, start, end) => tokens.push(`${kind} ${text.slice(start, end)}`))
    ? tokens
    : undefined;
}

describe('forEachToken', () => {
  it('visits every token with its kind and its exact text', () => {
    expect(tokensOf(' {"a\\"]" : [-1.50e+3,true , null]}\n')).toEqual([
      '{ {',
      '" "a\\"]"',
      ': :',
      '[ [',
      'v -1.50e+3',
      ', ,',
      'v true',
      ', ,',
      'v null',
      '] ]',
      '} }',
    ]);
    expect(tokensOf('1E5')).toEqual(['v 1E5']);
  });

  it('visits no tokens of invalid JSON', () => {
    fc.assert(
      fc.property(almostJsonText, (text) => {
        const visited: number[] = [];
        const isJson = forEachToken(text, (_kind, start) => visited.push(start));
        expect(isJson).toBe(findFault(text) === undefined);
        if (!isJson) expect(visited).toEqual([]);
      }),
    );
  });

  it('leaves only whitespace between the tokens of any JSON text', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        let at = 0;
        let between = '';
        forEachToken(text, (kind, start, end) => {
          between += text.slice(at, start);
          if (kind === 'v' || kind === '"') JSON.parse(text.slice(start, end));
          else if (text.slice(start, end) !== kind) expect.fail(`${text.slice(start, end)} is no ${kind}`);
          at = end;
        });
        expect(between + text.slice(at)).toMatch(/^[ \t\r\n]*$/);
      }),
    );
  });

  it.each(deepTexts)('visits 100,000 levels of $of', ({ text }) => {
    const kinds = { open: 0, close: 0 };
    forEachToken(text, (kind) => {
      if (kind === '{' || kind === '[') kinds.open++;
      else if (kind === '}' || kind === ']') kinds.close++;
    });
    expect(kinds).toEqual({ open: 100_000, close: 100_000 });
  });
});
