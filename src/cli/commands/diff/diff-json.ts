import type { ContractDifference } from '../../../analysis/contract/contract-diff.ts';
import type {
  BothSides,
  NamedCall,
  SequenceDifference,
  SessionDiff,
  ValueDifference,
} from '../../../analysis/diff/diff.ts';
import type { Profile } from '../../../analysis/import/profile.ts';
import { onOneLine } from '../../../json/layout.ts';
import type { JsonText } from '../../../model/entry.ts';
import type { SessionHeader } from '../../../model/session.ts';

/** The differences as one JSON object on one line, in chunks. Values appear in it exactly as they were sent. */
export function* diffJson(diff: SessionDiff, { a, b }: BothSides<SessionHeader>, profile: Profile): Generator<string> {
  const { contract, sequence, values, calls } = diff;
  const about = ({ id, label }: SessionHeader, count: number): object => ({ session: id, label, calls: count });
  const summary = {
    differences: contract.length + sequence.length + values.length,
    contract: contract.length,
    breaking: contract.filter(({ breaking }) => breaking).length,
    sequence: sequence.length,
    values: values.length,
  };
  const head = JSON.stringify({ a: about(a, calls.a), b: about(b, calls.b), compare: profile, summary });
  yield head.slice(0, -1);
  yield* list('contract', contract, contractText);
  yield* list('sequence', sequence, sequenceText);
  yield* list('values', values, valueText);
  yield '}\n';
}

function* list<T>(name: string, items: readonly T[], text: (item: T) => string): Generator<string> {
  yield `,${JSON.stringify(name)}:[`;
  for (const [index, item] of items.entries()) yield (index === 0 ? '' : ',') + text(item);
  yield ']';
}

function contractText({ subject, name, change, breaking, path, detail, a, b, messages }: ContractDifference): string {
  const reported = { subject, name, change, breaking, path: path ?? null, detail };
  return objectText({ ...texts(reported), a, b, messages: JSON.stringify(messages) });
}

function sequenceText({ change, call }: SequenceDifference): string {
  return objectText({ ...texts({ change }), ...callTexts(call) });
}

function valueText({ call, path, a, b }: ValueDifference): string {
  return objectText({ ...callTexts(call), ...texts({ path }), a, b });
}

function callTexts({ direction, method, name, params, messages }: NamedCall): Record<string, JsonText | undefined> {
  return { ...texts({ direction, method, name: name ?? null }), params, messages: JSON.stringify(messages) };
}

function texts(values: Readonly<Record<string, unknown>>): Record<string, JsonText> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, JSON.stringify(value)]));
}

/** An object whose members are already JSON text; undefined members are omitted. */
function objectText(members: Readonly<Record<string, JsonText | undefined>>): string {
  const parts = Object.entries(members).flatMap(([key, text]) =>
    text === undefined ? [] : [`${JSON.stringify(key)}:${onOneLine(text)}`],
  );
  return `{${parts.join(',')}}`;
}
