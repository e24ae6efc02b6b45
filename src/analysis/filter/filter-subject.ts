import { ObjectView } from '../../json/object-view.ts';
import type { Entry, Envelope, JsonText, MessageEntry } from '../../model/entry.ts';
import { peekAt, readEnvelope } from '../../protocol/envelope.ts';
import type { Call } from '../calls/call.ts';
import { withoutEscapes } from './text-pattern.ts';

/** The data that filters are evaluated on. */

/** The data of a call that filters use; status and duration are absent until they are known. */
export interface FilterCall extends Pick<Call, 'method' | 'name'> {
  readonly status?: Call['status'] | undefined;
  readonly durationMs?: Call['durationMs'];
}

/** An entry and its context, which a filter is applied to. */
export interface FilterSubject {
  readonly entry: Entry;
  /** The call of a request or response. A response without a call has no method. */
  readonly call?: FilterCall | undefined;
  /** The label of the session's server. */
  readonly server?: string | undefined;
  /** The status of the message's HTTP exchange. */
  readonly httpStatus?: number | undefined;
}

/** The kind, method and tool of a message, according to its own text. */
export interface MessageNames extends Pick<Envelope, 'kind' | 'method'> {
  /** The tool that the message calls. */
  readonly tool: string | undefined;
}

/** Caches what was computed about a subject for one term, for use by the next. */
export class SubjectFacts {
  readonly subject: FilterSubject;
  /** The exact text that text terms search. */
  readonly text: string;
  #names: MessageNames | undefined;
  #lowered: string | undefined;
  #plain: string | undefined;
  #loweredPlain: string | undefined;

  constructor(subject: FilterSubject) {
    this.subject = subject;
    this.text = subject.entry.kind === 'event' ? subject.entry.raw : subject.entry.text;
  }

  names(message: MessageEntry): MessageNames {
    this.#names ??= namesOf(message);
    return this.#names;
  }

  get lowered(): string {
    this.#lowered ??= this.text.toLowerCase();
    return this.#lowered;
  }

  /** The text with its escapes decoded. */
  get plain(): string {
    this.#plain ??= withoutEscapes(this.text);
    return this.#plain;
  }

  get loweredPlain(): string {
    this.#loweredPlain ??= this.plain.toLowerCase();
    return this.#loweredPlain;
  }
}

/** Beyond this length building all values of a message costs more than `JSON.parse` saves. */
const SHORT = 1 << 16;

export function namesOf({ text, envelope }: MessageEntry): MessageNames {
  if (envelope !== undefined && envelope.method !== TOOL_CALL) return { ...envelope, tool: undefined };
  const message = text.length <= SHORT ? parsed(text) : undefined;
  if (message === undefined) return scannedNames(text);
  const { id, method, params } = message;
  if (typeof method !== 'string') {
    return {
      kind: 'result' in message || 'error' in message ? 'response' : 'invalid',
      method: undefined,
      tool: undefined,
    };
  }
  const kind = typeof id === 'string' || typeof id === 'number' ? 'request' : 'notification';
  const name = method === TOOL_CALL && isObject(params) ? params.name : undefined;
  return { kind, method, tool: typeof name === 'string' ? name : undefined };
}

const TOOL_CALL = 'tools/call';

function scannedNames(text: JsonText): MessageNames {
  const { kind, method } = readEnvelope(text);
  const params = method === TOOL_CALL ? ObjectView.of(text)?.object('params') : undefined;
  return { kind, method, tool: params?.string('name') };
}

/** Whether a response reports a failure. */
export function saysFailure(text: JsonText): boolean {
  const message = ObjectView.of(text);
  const isError = (message?.textOf('error') ?? 'null') !== 'null';
  return isError || message?.object('result')?.textOf('isError') === 'true';
}

/** The key of a message's id (see `idKey`). */
export function keyOf({ text }: MessageEntry): string | number | undefined {
  return peekAt(text)?.key;
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
