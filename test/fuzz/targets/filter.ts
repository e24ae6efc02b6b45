import fc from 'fast-check';
import { callsOf } from '../../../src/analysis/calls/call-tracker.ts';
import { printExpression } from '../../../src/analysis/filter/expression.ts';
import { type CompileRegex, type Filter, loadRegexEngine, parseFilter } from '../../../src/analysis/filter/filter.ts';
import type { FilterSubject } from '../../../src/analysis/filter/filter-subject.ts';
import { entriesOf } from '../../../src/model/session.ts';
import { fullSession } from '../../contract/factories.ts';
import { anyExpression, anyTerm } from '../../contract/random-filters.ts';
import { randomSeeds, textSeeds } from '../seeds.ts';
import { hold, outcomeOf, same, type Target } from '../target.ts';

const seeds = (): Uint8Array[] => [
  ...textSeeds(
    'tool:search status:error dur:>=250ms or (not method:"tools/*" -kind:stderr) size:<1k',
    '/jsonrpc.*id/i or /a{2,3}|[^b-z]/ edited conv:2 http:401 id:"1" dir:> -"a b"',
    '((((a))))',
  ),
  ...randomSeeds(fc.noShrink(anyExpression(anyTerm)).map(printExpression), 100),
];

/** Fuzzes the filters that users type. */
export const filterTargets: readonly Target[] = [{ name: 'filter', perSecond: 3000, seeds, check: checkFilter }];

async function checkFilter(input: Uint8Array): Promise<void> {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(input);
  const compileRegex = await regexEngine();
  const read = await outcomeOf(() => parseFilter(text, compileRegex));
  if ('refusal' in read) {
    const column = Number(/\(column (\d+)\)$/.exec(read.refusal)?.[1]);
    hold(column >= 1 && column <= text.length + 1, 'a fault has a column', () => read.refusal);
    return;
  }
  const again = parseFilter(read.value.text, compileRegex);
  same(again.text, read.value.text, 'a filter that is printed reads as it was');
  same(await verdicts(again), await verdicts(read.value), 'a filter that is printed finds the same');
}

let engine: Promise<CompileRegex> | undefined;

function regexEngine(): Promise<CompileRegex> {
  engine ??= loadRegexEngine();
  return engine;
}

async function verdicts(filter: Filter): Promise<boolean[]> {
  return (await subjects()).map((subject) => filter.matches(subject));
}

let known: Promise<FilterSubject[]> | undefined;

function subjects(): Promise<FilterSubject[]> {
  known ??= allSubjects();
  return known;
}

/** One entry of every kind, some with details of their calls. */
async function allSubjects(): Promise<FilterSubject[]> {
  const found: FilterSubject[] = [];
  for await (const entry of entriesOf(fullSession())) found.push({ entry, server: 'demo', httpStatus: 200 });
  for await (const call of callsOf(fullSession())) {
    found.push(...found.filter(({ call: own }) => own === undefined).map((subject) => ({ ...subject, call })));
  }
  return found;
}
