import fc from 'fast-check';
import {
  allOf,
  anyOf,
  ENTRY_KINDS,
  type FilterExpression,
  type FilterTerm,
  MARKS,
  not,
  STATUSES,
} from '../../src/analysis/filter/expression.ts';

/** Random filters of every shape in the grammar, for property tests of the parser and the evaluator. */

const anyText = fc.oneof(
  fc.constantFrom('or', 'NOT', 'edited', '>', '-x', 'a b', '"', '\\', '\\"', '(', '/x/', 'tool:x', 'é', '\n', '*'),
  fc.string({ minLength: 1, maxLength: 6 }),
);

/** Text that may follow a colon without quotes. */
const bareText = anyText.map((text) => text.replaceAll(/[\s()"]/g, '') || 'x');
const value = fc.oneof(
  bareText.map((text) => ({ text, quoted: false })),
  anyText.map((text) => ({ text, quoted: true })),
);

const operator = fc.constantFrom('>' as const, '>=' as const, '<' as const, '<=' as const, '=' as const);
const durations = fc.constantFrom(
  ['0', 0] as const,
  ['250ms', 250] as const,
  ['1.5s', 1500] as const,
  ['2M', 120_000] as const,
);
const sizes = fc.constantFrom(['0', 0] as const, ['60', 60] as const, ['1k', 1024] as const, ['0.1K', 102] as const);
const httpStatuses = fc.constantFrom(['200', 200] as const, ['401', 401] as const);

function comparison(
  key: 'dur' | 'size' | 'http',
  amounts: fc.Arbitrary<readonly [string, number]>,
): fc.Arbitrary<FilterTerm> {
  return fc
    .tuple(operator, amounts)
    .map(([of, [spelled, number]]): FilterTerm => ({ kind: 'comparison', key, operator: of, value: number, spelled }));
}

export const anyTerm: fc.Arbitrary<FilterTerm> = fc.oneof(
  fc.record({
    kind: fc.constant('name' as const),
    key: fc.constantFrom('tool' as const, 'method' as const, 'server' as const),
    value,
  }),
  fc.record({ kind: fc.constant('id' as const), value }),
  fc.record({
    kind: fc.constant('direction' as const),
    direction: fc.constantFrom('client_to_server' as const, 'server_to_client' as const),
  }),
  fc.record({ kind: fc.constant('entry' as const), entry: fc.constantFrom(...ENTRY_KINDS) }),
  fc.record({ kind: fc.constant('status' as const), status: fc.constantFrom(...STATUSES) }),
  fc.record({ kind: fc.constant('conversation' as const), number: fc.nat(3) }),
  fc.record({ kind: fc.constant('mark' as const), mark: fc.constantFrom(...MARKS) }),
  fc.record({ kind: fc.constant('text' as const), text: anyText }),
  fc.record({
    kind: fc.constant('regex' as const),
    source: fc.constantFrom('a', 'a b', String.raw`\/x`, '[(]', String.raw`\\`, '"'),
    ignoresCase: fc.boolean(),
  }),
  comparison('dur', durations),
  comparison('size', sizes),
  comparison('http', httpStatuses),
);

/** Any expression tree over some terms, built as the parser builds it. */
export function anyExpression(term: fc.Arbitrary<FilterTerm>): fc.Arbitrary<FilterExpression> {
  return fc.letrec<{ tree: FilterExpression }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'filter' },
      term,
      tie('tree').map(not),
      fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map(allOf),
      fc.tuple(tie('tree'), fc.array(tie('tree'), { maxLength: 2 })).map(([first, others]) => anyOf(first, others)),
    ),
  })).tree;
}
