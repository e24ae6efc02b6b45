import type { SchemaCheckResult } from '../../src/analysis/findings/schema/schema-check.ts';
import { ObjectView } from '../../src/json/object-view.ts';
import type { JsonText } from '../../src/model/entry.ts';
import { isRedacted } from '../../src/model/placeholder.ts';
import { type EntryKey, indexOf } from './entry-key.ts';
import type { Timeline } from './timeline/timeline.ts';
import { definitionOf } from './tools/tool-definitions.ts';

/** The result of validating a value against a schema; `skipped` shows why it was not validated. */
export type SchemaVerdict = SchemaCheckResult | { readonly kind: 'skipped'; readonly why: string };

/** A tool call, checked against the tool's schemas. */
export interface SchemaFacts {
  readonly definition: JsonText | undefined;
  readonly input: SchemaVerdict;
  readonly output: SchemaVerdict;
}

/** Checks a call against the schemas of its tool. The schema checker is loaded when first needed. */
export async function checkCall(timeline: Timeline, key: EntryKey): Promise<SchemaFacts | undefined> {
  const lane = timeline.lane(key);
  const entry = lane?.entries.at(indexOf(key));
  if (lane === undefined || entry?.kind !== 'message') return undefined;
  const outcome = lane.log.outcomeOf(entry);
  const textOf = (sequence: number | undefined): JsonText | undefined => {
    return lane.log.messageAt(sequence)?.text;
  };
  const params = ObjectView.of(textOf(outcome?.request) ?? entry.text)?.object('params');
  const tool = params?.string('name');
  const definition = tool === undefined ? undefined : definitionOf(lane, tool, indexOf(key));
  const schemas = definition === undefined ? undefined : ObjectView.of(definition);
  const result = ObjectView.of(textOf(outcome?.answer) ?? '')?.object('result');
  const answers = outcome?.status === 'ok' && result !== undefined;
  return {
    definition,
    input: await verdictOn(
      schemas?.textOf('inputSchema'),
      params?.textOf('arguments') ?? '{}',
      'the tool has no inputSchema',
    ),
    output: answers
      ? await verdictOn(
          schemas?.textOf('outputSchema'),
          result.textOf('structuredContent'),
          'the tool has no outputSchema',
        )
      : { kind: 'skipped', why: 'there is no result' },
  };
}

async function verdictOn(
  schema: JsonText | undefined,
  value: JsonText | undefined,
  withoutSchema: string,
): Promise<SchemaVerdict> {
  if (schema === undefined || schema === 'null') return { kind: 'skipped', why: withoutSchema };
  if (value === undefined)
    return { kind: 'fault', faults: [{ where: 'structuredContent', why: 'is missing in the result' }] };
  // A placeholder for a secret is not the value that was sent.
  if (isRedacted(value)) return { kind: 'skipped', why: 'values were redacted' };
  const { SchemaCheck } = await import('../../src/analysis/findings/schema/schema-check.ts');
  return new SchemaCheck(schema).verdictOn(value);
}
