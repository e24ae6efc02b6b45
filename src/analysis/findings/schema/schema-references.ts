import type { Schema } from '@cfworker/json-schema';
import { UnusableSchema } from './validation-budget.ts';

/** The validator's table of subschemas, by the names that references have. */
export type ReferenceTable = Record<string, Schema | boolean>;

const MAX_URI = 2000;
const BASE_URI = 'schema:/';

/**
 * Collects `$id`, `$anchor` and `$ref` of an untrusted schema, and resolves each reference once. The validator's own
 * `dereference` goes through a subschema twice for each `$id` around it, and writes a URI for each subschema.
 */
export class SchemaReferences {
  readonly #resources = new Map<string, object>();
  readonly #anchors = new Map<string, object>();
  readonly #references: (readonly [schema: object, uri: string])[] = [];

  /** Takes a subschema, with the URI of the schema around it; returns the URI for what is in it. */
  take(schema: Record<string, unknown>, outer: string | undefined): string {
    const { $id: id, $anchor: anchor, $ref: reference } = schema;
    if (outer === undefined) this.#resources.set(BASE_URI, schema);
    const base = this.#baseWithin(schema, typeof id === 'string' ? id : '', outer ?? BASE_URI);
    if (typeof anchor === 'string') this.#anchors.set(`${base}#${bounded(anchor)}`, schema);
    if (typeof reference === 'string') {
      const uri = reference.startsWith('#') ? `${base}${reference}` : resolved(reference, base);
      if (uri !== undefined) this.#references.push([schema, bounded(uri)]);
    }
    return base;
  }

  /** The table for the validator. References to anything but the given subschemas are missing from it. */
  table(subschemas: ReadonlySet<object>): ReferenceTable {
    const table: ReferenceTable = Object.create(null);
    for (const [schema, uri] of this.#references) {
      const found = this.#find(uri);
      const isSubschema = typeof found === 'boolean' || (isObject(found) && subschemas.has(found));
      if (isSubschema) table[uri] = found as Schema | boolean;
      Object.defineProperty(schema, '__absolute_ref__', { value: uri });
    }
    return table;
  }

  #baseWithin(schema: object, id: string, outer: string): string {
    if (id === '') return outer;
    const uri = resolved(id, outer);
    if (uri === undefined) throw new UnusableSchema('it is not a valid schema');
    const [plain = '', fragment = ''] = bounded(uri).split('#');
    // Before draft 2019-09, an anchor was an `$id` with a fragment.
    if (fragment !== '') {
      this.#anchors.set(`${plain}#${decoded(fragment)}`, schema);
      return outer;
    }
    if (this.#resources.has(plain)) throw new UnusableSchema('it has two parts with one $id');
    this.#resources.set(plain, schema);
    return plain;
  }

  #find(uri: string): unknown {
    const [plain = '', encoded = ''] = uri.split('#');
    const fragment = decoded(encoded);
    if (fragment === '') return this.#resources.get(plain);
    if (!fragment.startsWith('/')) return this.#anchors.get(`${plain}#${fragment}`);
    const steps = fragment.slice(1).split('/');
    return steps.reduce<unknown>((value, step) => {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    }, this.#resources.get(plain));
  }
}

function bounded(uri: string): string {
  if (uri.length > MAX_URI) throw new UnusableSchema('it is too large');
  return uri;
}

function resolved(reference: string, base: string): string | undefined {
  bounded(reference);
  return URL.canParse(reference, base) ? new URL(reference, base).href : undefined;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
