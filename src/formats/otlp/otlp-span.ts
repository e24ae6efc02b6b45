import type { Call } from '../../analysis/calls/call.ts';
import { ObjectView } from '../../json/object-view.ts';
import { isUuid, uuidFromText } from '../../model/derived-id.ts';
import type { JsonText } from '../../model/entry.ts';
import type { SessionHeader } from '../../model/session.ts';
import { envelopeOf } from '../../protocol/envelope.ts';
import { VERSION_KEY } from '../../protocol/era.ts';
import { plainId } from '../plain-id.ts';
import type { OtlpSurvey } from './session-survey.ts';

/** OTLP/JSON writes enums as numbers. */
const KIND_SERVER = 2;
const KIND_CLIENT = 3;
const STATUS_UNSET = 0;
const STATUS_ERROR = 2;

/**
 * The lowest byte of the flags is that of the trace context. The others state whether the parent was another process.
 */
const SAMPLED = 0x01;
const KNOWS_IF_REMOTE = 0x100;
const IS_REMOTE = 0x200;

/** The last millisecond whose nanoseconds fit in 64 bits. */
const LATEST_NANO_MS = 18_446_744_073_709;

type SpanAttribute = readonly [key: string, value: string | number | undefined];

/** Writes the resource that the spans belong to, which is the recorded server. */
export function resourceText({ label, id }: SessionHeader): JsonText {
  const attributes: SpanAttribute[] = [
    ['service.name', label],
    ['mcpreel.session.id', id],
  ];
  return JSON.stringify({ attributes: attributesOf(attributes), droppedAttributesCount: 0 });
}

/**
 * Writes the span of a call. Client requests get a server span, whose parent is the span in their `traceparent`. Server
 * requests get a client span.
 */
export function spanText(
  call: Call,
  header: SessionHeader,
  survey: OtlpSurvey,
  cancelledAt: ReadonlyMap<number, number>,
): JsonText {
  const { request, method, name } = call;
  const meta = ObjectView.of(request.text)?.object('params')?.object('_meta');
  const parent = parseTraceparent(meta?.string('traceparent'));
  const traceState = parent && parseTracestate(meta?.string('tracestate'));
  const fault = faultOf(call);
  const isTargeted = name !== undefined && (method === 'tools/call' || method === 'prompts/get');
  return JSON.stringify({
    traceId: parent?.traceId ?? traceIdOf(header.id),
    spanId: spanIdOf(header.id, request.proxyId),
    parentSpanId: parent?.spanId,
    traceState,
    name: isTargeted ? `${method} ${name}` : method,
    kind: call.direction === 'client_to_server' ? KIND_SERVER : KIND_CLIENT,
    startTimeUnixNano: nanosOf(request.atMs),
    endTimeUnixNano: nanosOf(Math.max(request.atMs, endOf(call, survey, cancelledAt))),
    attributes: attributesOf([
      ...attributesOfCall(call, meta, header, survey),
      ['error.type', fault?.type],
      ['rpc.response.status_code', fault?.code],
    ]),
    droppedAttributesCount: 0,
    events: [],
    droppedEventsCount: 0,
    status: { code: fault === undefined ? STATUS_UNSET : STATUS_ERROR, message: fault?.message },
    links: [],
    droppedLinksCount: 0,
    flags: parent === undefined ? SAMPLED | KNOWS_IF_REMOTE : parent.flags | KNOWS_IF_REMOTE | IS_REMOTE,
  });
}

function attributesOfCall(
  { request, method, name, conversation }: Call,
  meta: ObjectView | undefined,
  header: SessionHeader,
  { sessionIds, versions }: OtlpSurvey,
): SpanAttribute[] {
  const isHttp = request.http !== undefined || header.transport !== 'stdio';
  const isTool = method === 'tools/call';
  const { address, port } = serverOf(header);
  return [
    ['mcp.method.name', method],
    ['gen_ai.operation.name', isTool ? 'execute_tool' : undefined],
    ['gen_ai.tool.name', isTool ? name : undefined],
    ['gen_ai.prompt.name', method === 'prompts/get' ? name : undefined],
    ['mcp.resource.uri', method.startsWith('resources/') ? name : undefined],
    ['mcp.session.id', sessionIds.get(conversation) ?? (isHttp ? undefined : ownSessionId(header.id, conversation))],
    ['mcp.protocol.version', meta?.string(VERSION_KEY) ?? versions.get(conversation)],
    ['jsonrpc.request.id', plainId(envelopeOf(request).id)],
    ['network.transport', isHttp ? 'tcp' : 'pipe'],
    ['server.address', address],
    ['server.port', port],
    ['mcpreel.sequence', request.sequence],
  ];
}

/** A process on a pipe is one session without an id of its own. */
function ownSessionId(id: string, conversation: number): string {
  return conversation === 0 ? id : `${id}/${conversation}`;
}

function serverOf({ url }: SessionHeader): { readonly address: string | undefined; readonly port: number | undefined } {
  if (url === undefined || !URL.canParse(url)) return { address: undefined, port: undefined };
  const { hostname, port, protocol } = new URL(url);
  return { address: hostname || undefined, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

/** Why a call failed. */
interface SpanError {
  readonly type: string;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

function faultOf({ status, answer, refusedWith }: Call): SpanError | undefined {
  switch (status) {
    case 'ok':
    case 'stream':
      return undefined;
    case 'pending':
      return { type: 'no_response', message: 'No response' };
    case 'cancelled':
    case 'late':
      return { type: 'cancelled', message: 'Cancelled' };
    case 'error': {
      const view = ObjectView.of(answer?.text ?? '{}');
      const error = view?.object('error');
      if (error === undefined) {
        const isRefused = answer === undefined && refusedWith !== undefined;
        return isRefused ? { type: String(refusedWith), message: `HTTP ${refusedWith}` } : { type: 'tool_error' };
      }
      const code = error.textOf('code');
      const isCode = code !== undefined && /^-?\d{1,20}$/.test(code);
      return { type: isCode ? code : '_OTHER', code: isCode ? code : undefined, message: error.string('message') };
    }
  }
}

/** Returns the end time of a call in epoch milliseconds. A call that never ended lasts as long as the session. */
function endOf(
  { request, spanMs, taskOutcome, cancelledBy }: Call,
  { lastMs }: OtlpSurvey,
  cancelledAt: ReadonlyMap<number, number>,
): number {
  if (taskOutcome !== undefined) return request.atMs + taskOutcome.afterMs;
  if (spanMs !== undefined) return request.atMs + spanMs;
  return (cancelledBy === undefined ? undefined : cancelledAt.get(cancelledBy)) ?? lastMs;
}

function nanosOf(atMs: number): string {
  const wholeMs = Math.min(Math.max(0, Math.floor(atMs)), LATEST_NANO_MS);
  return wholeMs === 0 ? '0' : `${wholeMs}000000`;
}

const ZEROS = /^[0-]*$/;

/** Uses the session's id as the trace id. An id that is not a UUID is hashed. */
function traceIdOf(sessionId: string): string {
  const uuid = isUuid(sessionId) && !ZEROS.test(sessionId) ? sessionId : uuidFromText(`trace ${sessionId}`);
  return uuid.replaceAll('-', '').toLowerCase();
}

function spanIdOf(sessionId: string, proxyId: string): string {
  return uuidFromText(`span ${sessionId} ${proxyId}`).replaceAll('-', '').slice(0, 16);
}

function attributesOf(attributes: readonly SpanAttribute[]): readonly object[] {
  return attributes.flatMap(([key, value]) => {
    if (value === undefined) return [];
    // JSON has no integers of 64 bits, so OTLP writes them as strings, as Protocol Buffers do.
    return [{ key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } }];
  });
}

/** The parent span of a call, as set by its sender (W3C Trace Context). */
interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
}

const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Parses a `traceparent`. Returns `undefined` if it is invalid. */
function parseTraceparent(text: string | undefined): TraceParent | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(text ?? '') ?? [];
  if (version === undefined || version === 'ff' || ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  // Only future versions may contain more fields.
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

const TRACESTATE_MEMBER = /^[a-z\d][\w\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const MAX_MEMBERS = 32;

/** Parses a `tracestate` and removes white space around its members. Returns `undefined` if a member is invalid. */
function parseTracestate(text: string | undefined): string | undefined {
  const members = (text ?? '').split(',').map((member) => member.trim());
  const sent = members.filter((member) => member !== '');
  const isValid =
    sent.length > 0 && sent.length <= MAX_MEMBERS && sent.every((member) => TRACESTATE_MEMBER.test(member));
  return isValid ? sent.join(',') : undefined;
}
