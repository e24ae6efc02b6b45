import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Schema, Validator } from '@cfworker/json-schema';

/** The schema of SARIF 2.1.0 as OASIS publishes it. */
const path = createRequire(import.meta.url).resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
const validator = new Validator(JSON.parse(readFileSync(path, 'utf8')) as Schema, '7', false);

/** What is wrong with a SARIF log. */
export function sarifFaults(log: unknown): string[] {
  const { errors } = validator.validate(log);
  return errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}
