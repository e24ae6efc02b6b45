import { describe, it } from 'vitest';
import { expectLinearGrowth } from '../../test/support/growth.ts';
import { compact, onOneLine, pretty } from './layout.ts';
import { elementsOf, ObjectView } from './object-view.ts';
import { forEachToken } from './tokens.ts';

const NESTED = [
  ['arrays', (levels: number) => '['.repeat(levels) + ']'.repeat(levels)],
  ['objects', (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`],
] as const;

const WORK: readonly (readonly [name: string, work: (text: string) => unknown])[] = [
  ['compact', compact],
  ['pretty', pretty],
  ['onOneLine', onOneLine],
  ['forEachToken', (text) => forEachToken(text, () => undefined)],
  ['ObjectView', (text) => ObjectView.of(`{"deep":${text},"id":1}`)?.textOf('id')],
  ['elementsOf', (text) => elementsOf(`[${text},1]`)],
];

describe.each(NESTED)('processing of deeply nested %s', (_, nest) => {
  it.each(WORK)('takes time in proportion to the depth of nesting: %s', async (_name, work) => {
    const [small, large] = [nest(6_250), nest(100_000)];
    await expectLinearGrowth({ small: () => work(small), large: () => work(large), times: 16 });
  });
});
