import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Schema, Validator } from '@cfworker/json-schema';

/** The SARIF 2.1.0 schema as OASIS publishes it. */
const path = createRequire(import.meta.url).resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
const validator = new Validator(JSON.parse(readFileSync(path, 'utf8')) as Schema, '7', false);

interface Log {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly { readonly ruleId: string; readonly ruleIndex: number }[];
  }[];
}

/** The schema errors in a SARIF log, and its broken references to rules. */
export function sarifFaults(log: unknown): string[] {
  const { valid, errors } = validator.validate(log);
  if (!valid) return errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
  return (log as Log).runs.flatMap(({ tool, results }) =>
    results
      .filter(({ ruleId, ruleIndex }) => tool.driver.rules[ruleIndex]?.id !== ruleId)
      .map(({ ruleId }) => `${ruleId} has another index`),
  );
}
