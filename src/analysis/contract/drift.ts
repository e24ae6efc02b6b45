import { ObjectView } from '../../json/object-view.ts';
import { sameJson } from '../../json/same-json.ts';
import type { JsonText } from '../../model/entry.ts';
import type { ToolDefinitions } from './tool-listing.ts';

/** One place where two definitions differ. A text that is absent was not there. */
export interface DriftChange {
  /** `inputSchema.properties.limit.type` */
  readonly path: string;
  readonly before: JsonText | undefined;
  readonly after: JsonText | undefined;
}

/** How a tool differs from what was accepted. */
export interface Drift {
  readonly tool: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** What of its definition changed. */
  readonly changes: readonly DriftChange[];
}

/** Deeper than any schema that people write; below it a value is compared as a whole. */
const DEEPEST = 32;

/** How tools differ from those that were accepted, in the order of their names. A listing without its end removes none. */
export function driftBetween(accepted: ToolDefinitions, seen: ToolDefinitions, isComplete: boolean): Drift[] {
  const names = [...new Set([...accepted.keys(), ...seen.keys()])].sort();
  return names.flatMap((tool): Drift[] => {
    const before = accepted.get(tool);
    const after = seen.get(tool);
    if (before === undefined) return [{ tool, kind: 'added', changes: [] }];
    if (after === undefined) return isComplete ? [{ tool, kind: 'removed', changes: [] }] : [];
    return sameJson(before, after) ? [] : [{ tool, kind: 'changed', changes: changesBetween(before, after) }];
  });
}

/** Where two JSON texts differ, member by member; lists are compared as a whole. */
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
