import { ObjectView } from '../../json/object-view.ts';
import type { Entry, Envelope, JsonText, MessageEntry } from '../../model/entry.ts';
import { peekAt, readEnvelope } from '../../protocol/envelope.ts';
import type { Call } from '../calls/call.ts';
import { withoutEscapes } from './text-pattern.ts';

/** What a filter wants to know of a call; how it went is missing as long as that is not known. */
export interface FilterCall extends Pick<Call, 'method' | 'name'> {
  readonly status?: Call['status'] | undefined;
  readonly durationMs?: Call['durationMs'];
}

/** What a filter is asked about: an entry, and what is known around it. */
export interface FilterSubject {
  readonly entry: Entry;
  /** The call that a request or response belongs to. A response without one has no method. */
  readonly call?: FilterCall | undefined;
  /** The label of the server that the session is with. */
  readonly server?: string | undefined;
  /** The status of the HTTP exchange that a message came in. */
  readonly httpStatus?: number | undefined;
}

/** What a message calls for, as far as its own text tells. */
export interface MessageNames extends Pick<Envelope, 'kind' | 'method'> {
  /** The tool that it wants to run. */
  readonly tool: string | undefined;
}

/** A subject, with what was found out about it for one term at hand for the next. */
export class SubjectFacts {
  readonly subject: FilterSubject;
  /** The exact text that words are looked for in. */
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

  /** The text with its escapes undone. */
  get plain(): string {
    this.#plain ??= withoutEscapes(this.text);
    return this.#plain;
  }

  get loweredPlain(): string {
    this.#loweredPlain ??= this.plain.toLowerCase();
    return this.#loweredPlain;
  }
}

/** Beyond this, building all that a message holds would cost more than the engine's parser saves. */
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

/** Whether a response says that something failed. */
export function saysFailure(text: JsonText): boolean {
  const message = ObjectView.of(text);
  const isError = (message?.textOf('error') ?? 'null') !== 'null';
  return isError || message?.object('result')?.textOf('isError') === 'true';
}

/** The key of a message's id, as `idKey` makes it. */
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
