import { elementsOf, ObjectView } from '../../json/object-view.ts';
import type { Call } from './call.ts';
import { bodyOf, viewOf } from './call-reply.ts';

/** The error that a failed call received. */
export interface CallFailure {
  /** The code of a JSON-RPC error; absent if a tool reported the failure. */
  readonly code: number | undefined;
  readonly message: string | undefined;
}

/** Why a call failed: the message of its error, or the first text of a result with `isError`. */
export function failureOf({ status, answer }: Call): CallFailure | undefined {
  if (answer === undefined || (status !== 'error' && status !== 'late')) return undefined;
  const body = bodyOf(answer);
  const view = viewOf(answer, body);
  if (body?.key === 'error') return { code: view?.number('code'), message: view?.string('message') };
  return view?.textOf('isError') === 'true' ? { code: undefined, message: firstText(view) } : undefined;
}

function firstText(result: ObjectView): string | undefined {
  const content = result.textOf('content') ?? '';
  for (const { start, end } of elementsOf(content) ?? []) {
    const text = ObjectView.of(content.slice(start, end))?.string('text');
    if (text !== undefined) return text;
  }
  return undefined;
}
