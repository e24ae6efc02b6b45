/** Words the errors of the schema validator in the terms of the tool: `order must be a string, got a number (5)`. */

import { writeStep } from '../../../json/json-path.ts';
import { inline } from '../wording.ts';
import {
  allowedIn,
  alternatives,
  falseWords,
  leafWords,
  missingName,
  type ValidatorError,
  valueWords,
} from './fault-words.ts';

/** One difference between a value and its schema. */
export interface SchemaFault {
  /** The path in the value, such as `tags[0].name`; empty for the value itself. */
  readonly where: string;
  /** The end of a sentence about it. */
  readonly why: string;
}

const CHOICES: ReadonlySet<string> = new Set(['anyOf', 'oneOf']);
/** Keywords whose errors are followed by those of subschemas that need not hold one by one. */
const HAVING_INNER: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'contains']);

/** The maximum number of faults, and of alternatives, that are named. */
const MAX_NAMED = 3;

/** Errors of these keywords only state that another error follows, which says more. */
const WRAPPERS: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', '$ref'],
  ...['allOf', 'if', 'prefixItems', 'items', 'additionalItems', 'unevaluatedItems', 'dependentSchemas'],
]);

/** Joins faults to the end of a sentence. `root` names the value itself, and is the start of the other names. */
export function faultsText(faults: readonly SchemaFault[], root = ''): string {
  return faults.map(({ where, why }) => inline(`${nameOf(where, root)} ${why}`)).join('; ');
}

function nameOf(where: string, root: string): string {
  if (where === '') return root === '' ? 'the value' : root;
  return root === '' || where.startsWith('[') ? root + where : `${root}.${where}`;
}

/** Words the first errors of a validation. `patternOf` finds the pattern that the error of a `format` stands for. */
export function schemaFaults(
  errors: readonly ValidatorError[],
  value: unknown,
  patternOf: (error: string) => string | undefined,
): SchemaFault[] {
  return new FaultReader(errors, value, patternOf).faultsIn(0, errors.length);
}

/** Goes through the errors, which are listed depth first. */
class FaultReader {
  readonly #errors: readonly ValidatorError[];
  readonly #value: unknown;
  readonly #patternOf: (error: string) => string | undefined;

  constructor(errors: readonly ValidatorError[], value: unknown, patternOf: (error: string) => string | undefined) {
    this.#errors = errors;
    this.#value = value;
    this.#patternOf = patternOf;
  }

  faultsIn(start: number, end: number): SchemaFault[] {
    const faults: SchemaFault[] = [];
    for (let at = start; at < end && faults.length < MAX_NAMED; ) {
      const error = this.#errors[at];
      if (error === undefined) break;
      const next = this.#endOf(at, end);
      const isWrapper = WRAPPERS.has(error.keyword) || error.error.endsWith(' does not match dependant schema.');
      if (!isWrapper)
        faults.push(CHOICES.has(error.keyword) ? this.#choice(error, at + 1, next) : this.#leaf(error, at));
      at = isWrapper ? at + 1 : next;
    }
    return faults;
  }

  /** Where the errors end that belong to the one at this index. */
  #endOf(at: number, end: number): number {
    const { keyword, keywordLocation } = this.#errors[at] ?? { keyword: '', keywordLocation: '' };
    let next = at + 1;
    if (!HAVING_INNER.has(keyword)) return next;
    while (next < end) {
      const inner = this.#errors[next];
      // The location of a `false` schema is that of the value. It belongs to the error before it.
      if (inner?.keyword !== 'false' && inner?.keywordLocation.startsWith(`${keywordLocation}/`) !== true) break;
      next++;
    }
    return next;
  }

  /** Words the alternatives of an `anyOf` or `oneOf` together. */
  #choice(error: ValidatorError, start: number, end: number): SchemaFault {
    const { keywordLocation, instanceLocation } = error;
    const { where, value } = this.#place(instanceLocation);
    const matches = /\((\d+) matches\)/.exec(error.error)?.[1];
    if (matches !== undefined && matches !== '0') {
      return { where, why: `must match exactly one alternative, matches ${matches}` };
    }
    const branches = this.#branches(start, end, keywordLocation);
    const [only] = branches.length === 1 ? this.faultsIn(start, end) : [];
    if (only !== undefined) return only;
    const allowed = branches.map((branch) => this.#allowedBy(branch, instanceLocation));
    if (branches.length > 0 && allowed.every((words) => words !== undefined)) {
      return { where, why: `must be ${alternatives(allowed.flat())}, got ${valueWords(value)}` };
    }
    const reasons = branches.map(([from, to]) => {
      const [first] = this.faultsIn(from, to);
      if (first === undefined) return 'is not allowed';
      const inside = first.where.slice(where.length).replace(/^\./, '');
      return inside === '' ? first.why : `${inside} ${first.why}`;
    });
    const shown = [...new Set(reasons)].slice(0, MAX_NAMED);
    return { where, why: `matches none of its ${branches.length} alternatives: ${shown.join(', or ')}` };
  }

  /** The errors of each alternative. */
  #branches(start: number, end: number, location: string): [from: number, to: number][] {
    const branches: [from: number, to: number][] = [];
    let last: string | undefined;
    for (let at = start; at < end; at++) {
      const error = this.#errors[at];
      const isNext = error?.keyword !== 'false';
      const index = isNext ? error?.keywordLocation.slice(location.length + 1).split('/', 1)[0] : last;
      const branch = branches.at(-1);
      if (branch !== undefined && index === last) branch[1] = at + 1;
      else branches.push([at, at + 1]);
      last = index;
    }
    return branches;
  }

  /** What an alternative allows, if its only error is that the value is of another type, or not one of its values. */
  #allowedBy([from, to]: readonly [from: number, to: number], location: string): string[] | undefined {
    const own = this.#errors.slice(from, Math.min(to, from + MAX_NAMED)).filter(({ keyword }) => keyword !== '$ref');
    const [error] = own;
    if (error === undefined || own.length > 1 || error.instanceLocation !== location) return undefined;
    return allowedIn(error);
  }

  #leaf(error: ValidatorError, at: number): SchemaFault {
    const { where, value } = this.#place(error.instanceLocation);
    const missing = missingName(error);
    if (missing !== undefined) {
      const { name, because } = missing;
      const step = writeStep(name);
      return { where: where === '' ? step.replace(/^\./, '') : where + step, why: `is required${because}` };
    }
    if (error.keyword === 'false') return { where, why: falseWords(this.#errors[at - 1]) };
    if (error.keyword === 'format')
      return { where, why: `must match ${this.#patternOf(error.error) ?? 'its pattern'}` };
    return { where, why: leafWords(error, value) };
  }

  #place(location: string): { readonly where: string; readonly value: unknown } {
    const pointer = location.replace(/^#\/?/, '');
    const steps =
      pointer === '' ? [] : pointer.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    let where = '';
    let value = this.#value;
    for (const step of steps) {
      where += writeStep(Array.isArray(value) ? Number(step) : step);
      value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined;
    }
    return { where: where.replace(/^\./, ''), value };
  }
}
