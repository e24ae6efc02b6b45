import { ObjectView } from '../../json/object-view.ts';
import { sameJson } from '../../json/same-json.ts';
import { sliceAt } from '../../json/splice.ts';
import type { JsonText } from '../../model/entry.ts';
import { withoutDigits } from '../../model/placeholder.ts';
import { readTree } from '../diff/value-tree.ts';
import { schemaIdentity } from './schema-identity.ts';
import type { ToolDefinitions } from './tool-listing.ts';

/** One difference between two definitions. An absent text means that the value is missing on that side. */
export interface DriftChange {
  /** Such as `inputSchema.properties.limit.type`. */
  readonly path: string;
  readonly before: JsonText | undefined;
  readonly after: JsonText | undefined;
}

/** How a tool differs from its accepted definition. */
export interface Drift {
  readonly tool: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly changes: readonly DriftChange[];
}

/** Deeper than any schema in practice; values below this depth are compared as a whole. */
const DEEPEST = 32;

/** Compares tools with the accepted ones, sorted by name. An incomplete listing reports no removed tools. */
export function driftBetween(accepted: ToolDefinitions, seen: ToolDefinitions, isComplete: boolean): Drift[] {
  const names = [...new Set([...accepted.keys(), ...seen.keys()])].sort();
  return names.flatMap((tool): Drift[] => {
    const before = accepted.get(tool);
    const after = seen.get(tool);
    if (before === undefined) return [{ tool, kind: 'added', changes: [] }];
    if (after === undefined) return isComplete ? [{ tool, kind: 'removed', changes: [] }] : [];
    const changes = toolChanges(before, after);
    return changes.length === 0 ? [] : [{ tool, kind: 'changed', changes }];
  });
}

/**
 * Compares two definitions of a tool. Another spelling of the same schema is no change, nor is another placeholder of
 * the same kind.
 */
export function toolChanges(accepted: JsonText, seen: JsonText): DriftChange[] {
  const [before, after] = [withoutDigits(accepted), withoutDigits(seen)];
  if (sameJson(before, after)) return [];
  const equal = TOOL_SCHEMAS.filter((schema) => areEqualSchemas(sliceAt(before, [schema]), sliceAt(after, [schema])));
  return changesBetween(before, after).filter(({ path }) => !equal.some((schema) => isWithin(path, schema)));
}

const TOOL_SCHEMAS = ['inputSchema', 'outputSchema'];

/** Whether two schemas mean the same, however they are written. */
function areEqualSchemas(before: JsonText | undefined, after: JsonText | undefined): boolean {
  const [was, is] = [before, after].map((text) =>
    text === undefined ? undefined : readTree(`{"schema":${text}}`, { profile: 'strict' })?.members.get('schema'),
  );
  return Boolean(was && is && schemaIdentity(was) === schemaIdentity(is));
}

function isWithin(path: string, schema: string): boolean {
  return path === schema || path.startsWith(`${schema}.`);
}

/** Compares two JSON texts member by member; arrays are compared as a whole. */
export function changesBetween(before: JsonText, after: JsonText, path: string = '', depth: number = 0): DriftChange[] {
  const left = depth < DEEPEST ? ObjectView.of(before) : undefined;
  const right = depth < DEEPEST ? ObjectView.of(after) : undefined;
  if (left === undefined || right === undefined) return sameJson(before, after) ? [] : [{ path, before, after }];
  const keys = new Set([...left.members, ...right.members].map(({ key }) => key));
  return [...keys].flatMap((key): DriftChange[] => {
    const [was, is] = [left.textOf(key), right.textOf(key)];
    const place = path === '' ? key : `${path}.${key}`;
    if (was === undefined || is === undefined) return [{ path: place, before: was, after: is }];
    return was === is ? [] : changesBetween(was, is, place, depth + 1);
  });
}
