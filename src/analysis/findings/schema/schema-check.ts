import type { SchemaDraft } from '@cfworker/json-schema';
import type { JsonText } from '../../../model/entry.ts';
import { BoundedSchema } from './bounded-schema.ts';
import { type SchemaFault, schemaFaults } from './schema-fault.ts';
import { UnusableSchema } from './validation-budget.ts';

/** The result of a check: the value fits, it does not (the first faults), or it could not be checked (and why). */
export type SchemaCheckResult =
  | { readonly kind: 'fits' }
  | { readonly kind: 'fault'; readonly faults: readonly SchemaFault[] }
  | { readonly kind: 'unchecked'; readonly why: string };

const FITS: SchemaCheckResult = { kind: 'fits' };

const MAX_SCHEMA = 1 << 18;
const MAX_VALUE = 1 << 20;
/** The work for one check grows with what is checked, so that a small file is checked in a short time. */
const MIN_WORK = 50_000;
const WORK_PER_CHARACTER = 100;
const MAX_WORK = 5_000_000;

/** Checks values against one untrusted schema, with bounded size, depth and time. */
export class SchemaCheck {
  readonly #size: number;
  #bounded: BoundedSchema | undefined;
  #unusable: string | undefined;

  constructor(schema: JsonText) {
    this.#size = schema.length;
    try {
      if (schema.length > MAX_SCHEMA) throw new UnusableSchema('it is too large');
      const parsed: unknown = JSON.parse(schema);
      this.#bounded = new BoundedSchema(parsed, draftOf(parsed));
    } catch (error) {
      this.#giveUp(error);
    }
  }

  verdictOn(text: JsonText): SchemaCheckResult {
    const bounded = this.#bounded;
    if (bounded === undefined) return { kind: 'unchecked', why: this.#unusable ?? '' };
    if (text.length > MAX_VALUE) return { kind: 'unchecked', why: 'the value is too large to check' };
    const units = Math.min(MAX_WORK, MIN_WORK + WORK_PER_CHARACTER * (this.#size + text.length));
    try {
      const value: unknown = JSON.parse(text);
      const { valid, errors } = bounded.validate(value, units);
      if (valid) return FITS;
      return { kind: 'fault', faults: schemaFaults(errors, value, (error) => bounded.patternIn(error)) };
    } catch (error) {
      return { kind: 'unchecked', why: this.#giveUp(error) };
    }
  }

  /** Disables the check after an error: it would occur again, and might take long. */
  #giveUp(error: unknown): string {
    this.#unusable = reasonFor(error);
    this.#bounded = undefined;
    return this.#unusable;
  }
}

function reasonFor(error: unknown): string {
  if (error instanceof UnusableSchema) return error.message;
  if (error instanceof RangeError) return 'it refers to itself endlessly';
  const message = error instanceof Error ? error.message : '';
  const reference = /^Unresolved \$ref (".*?")\./s.exec(message)?.[1];
  return reference === undefined ? 'it is not a valid schema' : `it has a $ref to a missing part, ${reference}`;
}

function draftOf(schema: unknown): SchemaDraft {
  const named = typeof schema === 'object' && schema !== null && '$schema' in schema ? schema.$schema : undefined;
  if (named === undefined || (typeof named === 'string' && named.includes('2020-12'))) return '2020-12';
  if (typeof named === 'string' && /draft-0[67]/.test(named)) return '7';
  throw new UnusableSchema('its dialect is neither 2020-12 nor draft-07');
}
