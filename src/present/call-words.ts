import type { CallStatus } from '../analysis/calls/call.ts';
import { ObjectView } from '../json/object-view.ts';
import type { JsonText } from '../model/entry.ts';
import { formatDuration } from './figures.ts';

/** Words a call: its title, its arguments, and how it went. */

/** A call by method and name: `tools/call search`. */
export function callTitle({ method, name }: { readonly method: string; readonly name?: string | undefined }): string {
  return name === undefined ? method : `${method} ${name}`;
}

/** Members of `params` that are part of a call's title, or irrelevant. */
const NAMING: ReadonlySet<string> = new Set(['_meta', 'name', 'uri']);

/** The arguments in a call's params, or what else its title does not say; `undefined` without any. */
export function argumentsIn(params: JsonText | undefined): JsonText | undefined {
  const view = params === undefined ? undefined : ObjectView.of(params);
  const given = view?.textOf('arguments') ?? view?.only((key) => !NAMING.has(key));
  return given === '{}' ? undefined : given;
}

/** How long a call took, after its status if that is neither ok nor error: `31 ms`, `late 2.41 s`. */
export function statusWords(status: CallStatus, durationMs: number | undefined): string {
  const took = durationMs === undefined ? '' : formatDuration(durationMs);
  return status === 'ok' || status === 'error' ? took : `${status} ${took}`.trimEnd();
}

/** The numbers of calls that are not ok: `2 errors`, `1 pending`. */
export function statusCounts(byStatus: Readonly<Record<CallStatus, number>>): string[] {
  const { error, pending, cancelled, late, stream } = byStatus;
  const parts: readonly [number, string][] = [
    [error, error === 1 ? 'error' : 'errors'],
    [pending, 'pending'],
    [cancelled, 'cancelled'],
    [late, 'late'],
    [stream, 'streaming'],
  ];
  return parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
}
