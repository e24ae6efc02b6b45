import { describe, expect, it } from 'vitest';
import { entriesOf, type ReadProblem, readSession } from '../../src/index.ts';
import { AGE_ARMORED, AGE_KEY_FILE, AGE_PLAIN } from '../support/age-sample.ts';
import { ownPlace } from './shop.ts';

describe('readSession', () => {
  it('opens an encrypted session with the given key', async () => {
    const place = ownPlace();
    place.write('session.age', AGE_ARMORED);
    place.write('key.txt', AGE_KEY_FILE);
    const session = await readSession(place.path('session.age'), { identity: [place.path('key.txt')] });
    const texts: string[] = [];
    for await (const entry of entriesOf(session)) if (entry.kind === 'message') texts.push(entry.text);
    expect(texts).toEqual([AGE_PLAIN.trim()]);
  });

  it('reports each part that it cannot read, and reads the rest', async () => {
    const place = ownPlace();
    place.write('lines.jsonl', `${AGE_PLAIN}no message\n${AGE_PLAIN}`);
    const problems: (ReadProblem & { readonly file: string })[] = [];
    const options = { format: 'jsonrpc', onProblem: (problem: (typeof problems)[number]) => problems.push(problem) };
    const session = await readSession(place.path('lines.jsonl'), options);
    const kinds: string[] = [];
    for await (const { kind } of entriesOf(session)) kinds.push(kind);
    expect(kinds).toEqual(['message', 'message']);
    expect(problems).toMatchObject([{ place: 'line 2', file: place.path('lines.jsonl') }]);
  });
});
