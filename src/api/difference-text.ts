import type { ContractDifference } from '../analysis/contract/contract-diff.ts';
import type { NamedCall, SequenceDifference, SessionDiff, ValueDifference } from '../analysis/diff/diff.ts';
import { compact } from '../json/layout.ts';
import { ObjectView } from '../json/object-view.ts';
import type { JsonText } from '../model/entry.ts';
import { oneLine } from '../present/visible-text.ts';

/** The maximum number of differences in the text. */
const MAX_TOLD = 20;
const MAX_VALUE = 160;
/** The number of equal characters to show before the first difference. */
const CONTEXT = 12;
/** Members of `params` that a call's name already shows, or that are irrelevant. */
const NAMING: ReadonlySet<string> = new Set(['_meta', 'name', 'uri']);

export function countOf({ contract, sequence, values }: SessionDiff): number {
  return contract.length + sequence.length + values.length;
}

/**
 * Formats the differences between a recording and a session for a test's failure message. `-` was recorded, `+` is
 * current.
 */
export function differenceText({ contract, sequence, values }: SessionDiff): string {
  const reported = [...contract.map(contractLines), ...sequence.map(sequenceLine), ...valueLines(values)];
  const hidden = reported.length - MAX_TOLD;
  const shown = reported.slice(0, MAX_TOLD).flat();
  return (hidden > 0 ? [...shown, `  … and ${hidden} more`] : shown).join('\n');
}

function contractLines({ subject, name, change, path, detail, a, b }: ContractDifference): string[] {
  const place = path === undefined || path === '$' ? '' : ` ${oneLine(path)}`;
  const head = `  ${subject} ${oneLine(name)}${place}: ${oneLine(detail)}`;
  return change === 'changed' ? [head, ...sides(a, b)] : [head];
}

function sequenceLine({ change, call }: SequenceDifference): string[] {
  return [`  ${titleOf(call)}: ${change}`];
}

/** Groups the differences of one call under one line. */
function valueLines(values: readonly ValueDifference[]): string[][] {
  return values.map(({ call, path, a, b }, index) => {
    const head = values[index - 1]?.call === call ? [] : [`  ${titleOf(call)}`];
    return [...head, `    ${path === '$' ? 'the whole answer' : oneLine(path)}`, ...sides(a, b)];
  });
}

function titleOf({ method, name, params }: NamedCall): string {
  const view = params === undefined ? undefined : ObjectView.of(params);
  const given = view?.textOf('arguments') ?? view?.only((key) => !NAMING.has(key)) ?? '{}';
  const called = name === undefined ? method : `${method} ${name}`;
  return oneLine(given === '{}' ? called : `${called} ${cut(compact(given), 0)}`);
}

/** Formats both values, starting shortly before their first difference. */
function sides(a: JsonText | undefined, b: JsonText | undefined): string[] {
  const [was, is] = [a && compact(a), b && compact(b)];
  if (was === is) return [];
  const alike = was === undefined || is === undefined ? 0 : commonLength(was, is);
  const from = alike > MAX_VALUE / 2 ? alike - CONTEXT : 0;
  return [
    ...(was === undefined ? [] : [`    - ${oneLine(cut(was, from))}`]),
    ...(is === undefined ? [] : [`    + ${oneLine(cut(is, from))}`]),
  ];
}

function cut(text: string, from: number): string {
  const rest = text.length > from + MAX_VALUE ? '…' : '';
  return `${from > 0 ? '…' : ''}${text.slice(from, from + MAX_VALUE)}${rest}`;
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
