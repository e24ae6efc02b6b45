import type { ContractDifference } from '../analysis/contract/contract-diff.ts';
import type { NamedCall, SequenceDifference, SessionDiff, ValueDifference } from '../analysis/diff/diff.ts';
import type { JsonText } from '../model/entry.ts';
import { argumentsIn, callTitle } from '../present/call-words.ts';
import { beginningOf, excerptsOf } from '../present/value-excerpt.ts';
import { oneLine } from '../present/visible-text.ts';

/** The maximum number of differences in the text. */
const MAX_TOLD = 20;
const MAX_VALUE = 160;

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
    return [...head, `    ${path === '$' ? 'the whole response' : oneLine(path)}`, ...sides(a, b)];
  });
}

function titleOf({ method, name, params }: NamedCall): string {
  const given = argumentsIn(params);
  const called = oneLine(callTitle({ method, name }));
  return given === undefined ? called : `${called} ${beginningOf(given, MAX_VALUE)}`;
}

/** Formats both values, starting shortly before their first difference. */
function sides(a: JsonText | undefined, b: JsonText | undefined): string[] {
  const [was, is] = excerptsOf(a, b, MAX_VALUE);
  if (was === is) return [];
  return [...(was === undefined ? [] : [`    - ${was}`]), ...(is === undefined ? [] : [`    + ${is}`])];
}
