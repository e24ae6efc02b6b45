import { maxLengthFor, patternCost } from './pattern-cost.ts';

/** A schema from an untrusted source that is safe to interpret. */
export interface BoundedSchema {
  readonly schema: object;
  /** The longest string to which its patterns may be applied. */
  readonly maxString: number;
  /** Whether it compares array elements with each other. */
  readonly comparesItems: boolean;
  /** Allows this many visits of subschemas from now on; one more throws. */
  allowVisits(count: number): void;
}

/** Why a schema cannot be used, worded as the end of a sentence. */
export class UnusableSchema extends Error {}

const MAX_SUBSCHEMAS = 5000;
const DEEPEST = 64;

const MAPS: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'],
]);
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'required', 'dependentRequired']);
/** Under these keywords, a more permissive subschema can make the whole schema stricter. */
const TURNING: ReadonlySet<string> = new Set(['not', 'oneOf', 'if', 'contains', 'maxContains']);

interface FoundSchema {
  readonly value: unknown;
  readonly depth: number;
  readonly isMap: boolean;
}

/**
 * Makes a parsed schema safe to interpret, in place. It removes formats, which are annotations. It removes a pattern of
 * unbounded cost if that can only make the schema more permissive; otherwise, the whole schema is rejected. It counts
 * every visit of a subschema.
 */
export function boundSchema(schema: unknown): BoundedSchema {
  if (!isObject(schema)) throw new UnusableSchema('it is no object');
  let visitsLeft = 0;
  let maxString = Number.POSITIVE_INFINITY;
  let comparesItems = false;
  let turns = false;
  const wild: Record<string, unknown>[] = [];
  const bound = (pattern: string): boolean => {
    const cost = patternCost(pattern);
    if (cost !== undefined) maxString = Math.min(maxString, maxLengthFor(cost));
    return cost !== undefined;
  };

  // Iterative, because the author of the schema controls its depth.
  const found: FoundSchema[] = [{ value: schema, depth: 0, isMap: false }];
  for (const { value, depth, isMap } of found) {
    if (!isObject(value)) continue;
    if (found.length > MAX_SUBSCHEMAS) throw new UnusableSchema('it is too large');
    if (depth > DEEPEST) throw new UnusableSchema('it is too deep');
    if (!isMap) {
      if ('$recursiveRef' in value) throw new UnusableSchema('it uses $recursiveRef');
      if (typeof value.pattern === 'string' && !bound(value.pattern)) wild.push(value);
      if (!Object.keys(asObject(value.patternProperties)).every(bound)) {
        throw new UnusableSchema('it has a pattern that may take for ever');
      }
      if (typeof value.format === 'string') delete value.format;
      comparesItems ||= value.uniqueItems === true;
      turns ||= Object.keys(value).some((key) => TURNING.has(key));
      countVisits(value, () => {
        if (visitsLeft-- <= 0) throw new UnusableSchema('checking against it takes too long');
      });
    }
    for (const [key, inner] of Object.entries(value)) {
      if (!isMap && DATA.has(key)) continue;
      const isInnerMap = !isMap && MAPS.has(key);
      for (const one of [inner].flat()) found.push({ value: one, depth: depth + 1, isMap: isInnerMap });
    }
  }
  if (wild.length > 0 && turns) throw new UnusableSchema('it has a pattern that may take for ever');
  for (const value of wild) delete value.pattern;
  const allowVisits = (count: number): void => {
    visitsLeft = count;
  };
  return { schema, maxString, comparesItems, allowVisits };
}

/** The validator reads this member (of draft 2019-09 only) on every visit of a subschema. */
function countVisits(schema: object, count: () => void): void {
  Object.defineProperty(schema, '$recursiveAnchor', { get: count, enumerable: false });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function asObject(value: unknown): object {
  return isObject(value) ? value : {};
}
