import { describe, expect, it } from 'vitest';
import type { ContractDifference } from '../../../analysis/contract/contract-diff.ts';
import type { NamedCall, SessionDiff } from '../../../analysis/diff/diff.ts';
import { diffText } from './diff-text.ts';

const QUERY = 'what was written down of it, and by whom, and when';

const call: NamedCall = {
  direction: 'client_to_server',
  method: 'tools/call',
  name: 'search_the_archive',
  params: JSON.stringify({ name: 'search_the_archive', arguments: { query: QUERY } }),
  messages: { a: [4, 5], b: [6, 7] },
};
const narrowed: ContractDifference = {
  subject: 'tool',
  name: 'search_the_archive',
  change: 'changed',
  breaking: true,
  path: '$.inputSchema.properties.limit.type',
  detail: 'narrowed',
  a: '"number"',
  b: '"integer"',
  messages: { a: [1], b: [1] },
};
const diff: SessionDiff = {
  contract: [narrowed],
  sequence: [{ change: 'reordered', call }],
  values: [{ call, path: '$.result.text', a: JSON.stringify(`${QUERY}: 1`), b: JSON.stringify(`${QUERY}: 2`) }],
  calls: { a: 3, b: 1 },
};

function shown(width: number, hasColour: boolean = false): string {
  return diffText(diff, { a: 'a.json', b: 'b.json' }, { width, hasColour });
}

describe('the text of a diff', () => {
  it('prints one line per difference if the terminal is wide enough', () => {
    expect(shown(Infinity)).toBe(`A: a.json, 3 calls
B: b.json, 1 call

Definitions
  ~ tool search_the_archive $.inputSchema.properties.limit.type narrowed BREAKING (A #001, B #001)
      - "number"
      + "integer"

Calls
  ~ > tools/call search_the_archive {"query":"${QUERY}"} reordered (A #004 #005, B #006 #007)

Values
  > tools/call search_the_archive {"query":"${QUERY}"} (A #004 #005, B #006 #007)
    $.result.text
      - "${QUERY}: 1"
      + "${QUERY}: 2"

3 differences: 1 in the definitions (1 breaking), 1 in the calls, 1 in values
`);
  });

  it('wraps on a narrow terminal, and shortens values to the part that differs', () => {
    expect(shown(50)).toBe(`A: a.json, 3 calls
B: b.json, 1 call

Definitions
  ~ tool search_the_archive
      $.inputSchema.properties.limit.type narrowed
      BREAKING (A #001, B #001)
      - "number"
      + "integer"

Calls
  ~ > tools/call search_the_archive
      {"query":"what was … reordered
      (A #004 #005, B #006 #007)

Values
  > tools/call search_the_archive
      {"query":"what was …
      (A #004 #005, B #006 #007)
    $.result.text
      - …, and when: 1"
      + …, and when: 2"

3 differences: 1 in the definitions (1 breaking),
      1 in the calls, 1 in values
`);
  });

  it.each([45, 60, 80, 100])('fits the diff into %i columns', (width) => {
    expect(
      shown(width)
        .split('\n')
        .filter((line) => line.length > width),
    ).toEqual([]);
  });

  it('prints colors only if they are enabled', () => {
    const text = shown(50, true);
    expect(text).toContain('  \u001b[33m~ tool search_the_archive\u001b[39m\n');
    expect(text).toContain('      \u001b[31mBREAKING\u001b[39m (A #001, B #001)\n');
    expect(text).toContain('\n\u001b[1mValues\u001b[22m\n');
    expect(text).toContain('      \u001b[32m+ …, and when: 2"\u001b[39m\n');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for control characters.
    expect(text.replaceAll(/\u001b\[\d+m/g, '')).toBe(shown(50));
    expect(shown(50)).not.toContain('\u001b');
  });
});
