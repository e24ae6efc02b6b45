import { type SchemaDraft, Validator } from '@cfworker/json-schema';
import type { JsonText } from '../../../model/entry.ts';
import { type BoundedSchema, boundSchema, UnusableSchema } from './bounded-schema.ts';

/** The result of a check: the value fits, it does not (and why), or it could not be checked (and why). */
export type SchemaCheckResult =
  | { readonly kind: 'fits' }
  | { readonly kind: 'fault'; readonly where: string; readonly why: string }
  | { readonly kind: 'unchecked'; readonly why: string };

const FITS: SchemaCheckResult = { kind: 'fits' };

const MAX_SCHEMA = 1 << 18;
const MAX_VALUE = 1 << 20;
/** Comparing all elements with each other takes quadratic time. */
const MAX_COMPARED = 1 << 13;
const MAX_WORK = 2 ** 34;
const MAX_VISITS = 100_000;

/** Checks values against one untrusted schema, with bounded size, depth and time. */
export class SchemaCheck {
  readonly #size: number;
  readonly #draft: SchemaDraft;
  #bounded: BoundedSchema | undefined;
  #validator: Validator | undefined;
  #unusable: string | undefined;

  constructor(schema: JsonText) {
    this.#size = schema.length;
    this.#draft = '2020-12';
    try {
      if (schema.length > MAX_SCHEMA) throw new UnusableSchema('it is too large');
      const parsed: unknown = JSON.parse(schema);
      this.#draft = draftOf(parsed);
      this.#bounded = boundSchema(parsed);
      this.#bounded.allowVisits(MAX_VISITS);
      this.#validator = new Validator(this.#bounded.schema, this.#draft);
    } catch (error) {
      this.#giveUp(error);
    }
  }

  verdictOn(text: JsonText): SchemaCheckResult {
    if (this.#unusable !== undefined) return { kind: 'unchecked', why: this.#unusable };
    const [bounded, validator] = [this.#bounded, this.#validator];
    if (bounded === undefined || validator === undefined || this.#isTooLong(text, bounded)) return FITS;
    try {
      const value: unknown = JSON.parse(text);
      if (longestStringIn(value) > bounded.maxString) return FITS;
      bounded.allowVisits(MAX_VISITS);
      const { valid, errors } = validator.validate(value);
      const innermost = errors.at(-1);
      if (valid || innermost === undefined) return FITS;
      return { kind: 'fault', where: pathText(innermost.instanceLocation), why: innermost.error };
    } catch (error) {
      return { kind: 'unchecked', why: this.#giveUp(error) };
    }
  }

  #isTooLong(text: JsonText, { comparesItems }: BoundedSchema): boolean {
    const longest = comparesItems ? MAX_COMPARED : MAX_VALUE;
    return text.length > longest || text.length * this.#size > MAX_WORK;
  }

  /** Disables the check after an error: it would occur again, and might take long. */
  #giveUp(error: unknown): string {
    this.#unusable = reasonFor(error);
    this.#bounded = undefined;
    this.#validator = undefined;
    return this.#unusable;
  }
}

function reasonFor(error: unknown): string {
  if (error instanceof UnusableSchema) return error.message;
  if (error instanceof RangeError) return 'it refers to itself without end';
  const message = error instanceof Error ? error.message : '';
  return message.startsWith('Unresolved $ref') ? 'it refers to what it does not hold' : 'it is no valid schema';
}

function draftOf(schema: unknown): SchemaDraft {
  const named = typeof schema === 'object' && schema !== null && '$schema' in schema ? schema.$schema : undefined;
  if (named === undefined || (typeof named === 'string' && named.includes('2020-12'))) return '2020-12';
  if (typeof named === 'string' && /draft-0[67]/.test(named)) return '7';
  throw new UnusableSchema('it is written in another dialect than 2020-12 or draft-07');
}

/** Formats `#/items/0/name` as `items.0.name`. */
function pathText(location: string): string {
  return location
    .replace(/^#\/?/, '')
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

function longestStringIn(value: unknown): number {
  let longest = 0;
  const found: unknown[] = [value];
  for (const one of found) {
    if (typeof one === 'string') longest = Math.max(longest, one.length);
    else if (typeof one === 'object' && one !== null) {
      for (const [key, inner] of Object.entries(one)) {
        longest = Math.max(longest, key.length);
        found.push(inner);
      }
    }
  }
  return longest;
}
