import { bodyOf } from '../../src/analysis/calls/call-reply.ts';
import { ObjectView } from '../../src/json/object-view.ts';
import type { JsonText, MessageEntry } from '../../src/model/entry.ts';
import { envelopeOf } from '../../src/protocol/envelope.ts';

/** The parts of a request, as recorded. */
export interface RequestParts {
  readonly method: string;
  /** The arguments of a tool or a prompt, or all params of any other method. */
  readonly main: { readonly title: string; readonly text: JsonText } | undefined;
  /** The other params. */
  readonly rest: JsonText | undefined;
}

/** The parts of a response, as recorded. */
export interface ResponseParts {
  readonly kind: 'result' | 'error';
  readonly text: JsonText;
}

const WITH_ARGUMENTS: ReadonlySet<string> = new Set(['tools/call', 'prompts/get']);

export function requestedIn(request: MessageEntry): RequestParts {
  const method = envelopeOf(request).method ?? '';
  const body = bodyOf(request);
  const params = body?.key === 'params' ? request.text.slice(body.start, body.end) : undefined;
  if (params === undefined) return { method, main: undefined, rest: undefined };
  const view = WITH_ARGUMENTS.has(method) ? ObjectView.of(params) : undefined;
  if (view === undefined) return { method, main: { title: 'Params', text: params }, rest: undefined };
  const args = view.textOf('arguments');
  return {
    method,
    main: args === undefined ? undefined : { title: 'Arguments', text: args },
    rest: view.only((key) => key !== 'name' && key !== 'arguments'),
  };
}

export function answeredIn(answer: MessageEntry): ResponseParts | undefined {
  const body = bodyOf(answer);
  if (body === undefined || body.key === 'params') return undefined;
  return { kind: body.key, text: answer.text.slice(body.start, body.end) };
}
