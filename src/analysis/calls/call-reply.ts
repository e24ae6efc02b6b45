import { ObjectView } from '../../json/object-view.ts';
import { skipSpace } from '../../json/scan.ts';
import type { JsonText, MessageBody, MessageEntry } from '../../model/entry.ts';
import { scanEnvelope } from '../../protocol/envelope.ts';

/** Reads the parts of requests and responses that call tracking needs. */

/** What a response reveals about its call. */
export interface CallReply {
  /** A JSON-RPC error, or a result with `isError`. */
  readonly failed: boolean;
  /** Whether the server asks for input and expects a retry. */
  readonly wantsInput: boolean;
  /** The task that the server started instead of returning a result. */
  readonly task: string | undefined;
  /** Characters of the result or error. */
  readonly size: number;
}

/** The span of a message's params, result or error in its text. */
export function bodyOf(message: MessageEntry): MessageBody | undefined {
  if (message.body !== undefined) return message.body;
  const { text } = message;
  const start = skipSpace(text, 0);
  const { body } = scanEnvelope(text, start);
  if (body !== undefined) return start === 0 ? body : { ...body, start: body.start + start, end: body.end + start };
  const view = ObjectView.of(text);
  const error = view?.textOf('error') === 'null' ? undefined : view?.member('error');
  const member = error ?? view?.member('result') ?? view?.member('params');
  return member && { key: member.key as MessageBody['key'], start: member.start, end: member.end };
}

/** The params of a request or notification, or the result of a response. */
export function viewOf({ text }: MessageEntry, body: MessageBody | undefined): ObjectView | undefined {
  return body === undefined ? undefined : ObjectView.of(text.slice(body.start, body.end));
}

export function replyOf(answer: MessageEntry, isTaskMethod: boolean): CallReply {
  const { text } = answer;
  const body = bodyOf(answer);
  const size = sizeOf(body);
  if (body?.key !== 'result') return { failed: body?.key === 'error', wantsInput: false, task: undefined, size };
  // Results are large and rarely have these members. Searching for them first is many times faster than scanning.
  if (!MAY_SAY_MORE.test(text)) return { failed: false, wantsInput: false, task: undefined, size };
  const result = viewOf(answer, body);
  const wantsInput = result?.string('resultType') === 'input_required';
  return { failed: result?.textOf('isError') === 'true', wantsInput, task: createdTask(result, isTaskMethod), size };
}

const MAY_SAY_MORE = /"(?:isError"\s*:\s*true|input_required"|taskId")/;

/** Since 2026-07-28 the result is the task itself; before, the task is a member of the result. */
function createdTask(result: ObjectView | undefined, isTaskMethod: boolean): string | undefined {
  if (isTaskMethod) return undefined;
  const within = result?.object('task')?.string('taskId');
  return within ?? (result?.string('resultType') === 'task' ? result.string('taskId') : undefined);
}

export function sizeOf(body: MessageBody | undefined): number {
  return body === undefined ? 0 : body.end - body.start;
}

/** The member of the params that names the target of a method. */
const NAMING_MEMBER: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'resources/subscribe': 'uri',
  'resources/unsubscribe': 'uri',
};

/** The tool, prompt or resource that a request names. */
export function nameIn(request: MessageEntry, method: string, body: MessageBody | undefined): string | undefined {
  if (body?.key !== 'params') return undefined;
  const key = NAMING_MEMBER[method];
  if (key !== undefined) return leadingString(request.text, body.start, key) ?? viewOf(request, body)?.string(key);
  if (method !== 'completion/complete') return undefined;
  const ref = viewOf(request, body)?.object('ref');
  return ref?.string('name') ?? ref?.string('uri');
}

/** The tool that a call runs; other methods name prompts and resources. */
export function toolOf({
  method,
  name,
}: {
  readonly method?: string | undefined;
  readonly name: string | undefined;
}): string | undefined {
  return method === 'tools/call' ? name : undefined;
}

/** The name usually comes first and its key occurs once, so that the arguments need no scan. */
function leadingString(text: JsonText, at: number, key: string): string | undefined {
  const head = `{"${key}":"`;
  if (!text.startsWith(head, at)) return undefined;
  const start = at + head.length;
  const end = text.indexOf('"', start);
  const value = text.slice(start, end);
  return value.includes('\\') || text.includes(`"${key}"`, end) ? undefined : value;
}

/** A `_meta` that is the last member, with an unescaped token as its only member. */
const TOKEN_AT_END = /,"_meta":\{"progressToken":(\d+|"[^"\\]*")\}\}$/;
/** Tokens are short; a longer one is found by scanning. */
const MAX_END = 100;

/** The exact text of a request's progress token. */
export function progressTokenIn({ text }: MessageEntry, body: MessageBody | undefined): JsonText | undefined {
  if (body === undefined || !text.includes('"progressToken"')) return undefined;
  const end = text.slice(Math.max(body.start, body.end - MAX_END), body.end);
  const token = TOKEN_AT_END.exec(end)?.[1];
  if (token !== undefined) return token;
  return idText(ObjectView.of(text.slice(body.start, body.end))?.object('_meta')?.textOf('progressToken'));
}

/** The text of a value that can be an id or a token. */
export function idText(text: JsonText | undefined): JsonText | undefined {
  return text !== undefined && /^["\-\d]/.test(text) ? text : undefined;
}

/** The task that a message declares as related. */
export function relatedTaskIn(message: MessageEntry): string | undefined {
  if (!message.text.includes('related-task')) return undefined;
  const meta = viewOf(message, bodyOf(message))?.object('_meta');
  return meta?.object('io.modelcontextprotocol/related-task')?.string('taskId');
}

const EXCHANGE = /^\{"exchange":(\d{1,15})[,}]/;

/** The number of the HTTP exchange that a message or an event names. */
export function exchangeIn(http: JsonText | undefined): number | undefined {
  if (http === undefined) return undefined;
  const digits = EXCHANGE.exec(http)?.[1];
  return digits === undefined ? ObjectView.of(http)?.number('exchange') : Number(digits);
}
