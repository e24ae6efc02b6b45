import { describe, expect, it } from 'vitest';
import { printPlace, readPlace } from '../../state/place.ts';
import { choiceIn, flagsFor } from './diff-place.ts';

describe('a comparison in a link', () => {
  it('compares the first two recordings semantically by default', () => {
    expect(choiceIn(readPlace('view=diff'))).toEqual({ a: 0, b: 1, profile: 'semantic', rules: [] });
    expect(choiceIn(readPlace('view=diff&a=x&compare=loose'))).toMatchObject({ a: 0, profile: 'semantic' });
  });

  it('keeps the comparison in a round trip, including rules with spaces and quotes', () => {
    const place = readPlace('view=diff&a=2&b=0&compare=shape');
    const rules = ['tool:"my tool" $.result[\'a&b\']', '$..etag'];
    const again = readPlace(printPlace({ ...place, more: { ...place.more, ignore: rules.join('\n') } }));
    expect(choiceIn(again)).toEqual({ a: 2, b: 0, profile: 'shape', rules });
  });

  it('prints the comparison as flags quoted for a shell', () => {
    const choice = { a: 0, b: 1, profile: 'strict', rules: ["$.result['it']", '$..etag'] } as const;
    expect(flagsFor(choice)).toBe(`--compare strict --ignore '$.result['\\''it'\\'']' --ignore '$..etag'`);
    expect(flagsFor({ ...choice, profile: 'semantic', rules: ['$.a\u001bb'] })).toBe('--ignore VALUE-LEFT-OUT');
  });
});
