import { describe, expect, it } from 'vitest';
import { IgnoreRules, rulesInFile } from './ignore-rules.ts';

/** Whether the rules ignore a message member in calls of this tool. */
function ignores(rules: IgnoreRules, tool: string | undefined, member: string): boolean {
  const paths = rules.pathsFor(tool);
  return paths?.step(paths.start, member).matches ?? false;
}

describe('IgnoreRules', () => {
  it('ignores a path in all calls, or only in the calls of one tool', () => {
    const rules = new IgnoreRules(['$.a', 'tool:search $.b', 'tool:"two words"  $.c']);
    const found = [undefined, 'search', 'two words', 'other'].map((tool) =>
      ['a', 'b', 'c'].filter((member) => ignores(rules, tool, member)),
    );
    expect(found).toEqual([['a'], ['a', 'b'], ['a', 'c'], ['a']]);
  });

  it('returns no paths without rules', () => {
    expect(new IgnoreRules([]).pathsFor('x')).toBeUndefined();
  });

  it.each(['a.b', 'tool:x', 'tool: $.a', 'tool:x $', '$.a $.b'])('rejects the rule %j', (rule) => {
    expect(() => new IgnoreRules([rule])).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});

describe('rulesInFile', () => {
  it('reads one rule per line and skips comments and empty lines', () => {
    expect(rulesInFile('# times\r\n$.result.took\r\n\n  tool:x $.a  \n#', 'f')).toEqual([
      '$.result.took',
      'tool:x $.a',
    ]);
  });

  it('names the line of an invalid rule', () => {
    expect(() => rulesInFile('$.a\n\nb', 'rules.txt')).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringMatching(/^rules\.txt: line 3: .*"b"/) }),
    );
  });
});
