import { compact } from '../../json/layout.ts';
import { elementsOf, ObjectView } from '../../json/object-view.ts';
import { inOwnMemory } from '../../json/own-memory.ts';
import { decodeString, scanObject, scanValue } from '../../json/scan.ts';
import { locate } from '../../json/splice.ts';
import type { Direction, Envelope, JsonText, MessageBody, MessageEntry } from '../../model/entry.ts';
import { ReelError } from '../../model/errors.ts';
import type { RecordedSession } from '../../model/session.ts';
import { envelopeOf } from '../../protocol/envelope.ts';
import { DirectionInference } from '../../protocol/infer-direction.ts';
import { type MessageScope, type RequestKey, RequestTable } from '../../protocol/request-table.ts';
import { exchangeIn } from '../calls/call-reply.ts';
import { SeenIds } from '../calls/seen-ids.ts';
import { DuplicateCall } from './duplicate-call.ts';
import type { NormalisedEvent, OrphanEvent, StepEvent, ToolCallEvent } from './normalised-event.ts';
import { contractPlace, sourceLineOf, sourcePlace } from './source-place.ts';

/** A request without a response so far. */
interface ImportedRequest {
  /** Absent for requests other than `tools/call` and `tools/list`. */
  readonly step: StepEvent | undefined;
  readonly args: JsonText;
}

/** Only this many orphans are listed; the others are counted. */
export const MAX_ORPHANS_NAMED = 1000;

/**
 * Converts the messages of a transcript, in order of time, into tool calls with their arguments and results.
 *
 * The import format defines how ids compare. A number equals its text, so `1` and `"1"` are the same id; null means no
 * id. The two directions never share an id. Links that a recording of HTTP contains take precedence over ids.
 */
export class ImportSemantics {
  messages = 0;
  orphanCount = 0;
  readonly orphans: OrphanEvent[] = [];
  /** The number of calls without a response; known after `finish`. */
  pending = 0;
  #bound: JsonText | undefined;
  #lastOrphan: JsonText | undefined;
  #steps = 0;
  #directions: DirectionInference | undefined;
  readonly #requests = new ImportRequests<ImportedRequest>();

  readonly #session: Pick<RecordedSession, 'sourceUnit'>;

  /** `session` tells what the numbers of messages count, for errors. */
  constructor(session: Pick<RecordedSession, 'sourceUnit'> = {}) {
    this.#session = session;
  }

  /**
   * To be called if the messages are not in file order: directions that were inferred from that order are inferred
   * again.
   */
  inferDirections(): void {
    this.#directions = new DirectionInference();
  }

  /** The text of the last response to a call, or else of the last orphan response. */
  get finalOutput(): JsonText | undefined {
    return this.#bound ?? this.#lastOrphan;
  }

  /** Takes the next message. Throws if the transcript violates the rules for ids. */
  take(message: MessageEntry): NormalisedEvent[] {
    const line = sourceLineOf(message);
    this.messages++;
    const envelope = envelopeOf(message);
    const id = correlationId(envelope, message.text, () => contractPlace(sourcePlace(line, this.#session)));
    const direction = this.#directions?.directionOf(envelope) ?? message.direction;
    if (envelope.method !== undefined) return this.#request(message, envelope.method, id, direction);
    return envelope.kind === 'response' ? this.#response(message, id, direction, line) : [];
  }

  /** The calls without a response, in the order in which they were made. */
  finish(): NormalisedEvent[] {
    const unanswered = [...this.#requests.values()].flatMap(({ step, args }) =>
      step?.jsonrpcId === undefined ? [] : [toolCall(step, args, step.atMs, 'null', 'timeout/no_response')],
    );
    this.pending = unanswered.length;
    return unanswered.sort((a, b) => a.stepIndex - b.stepIndex);
  }

  #request(message: MessageEntry, method: string, id: string | undefined, direction: Direction): NormalisedEvent[] {
    const { text, body, atMs } = message;
    const open = (request: ImportedRequest): void => {
      if (id !== undefined) this.#requests.add(message, direction, id, request);
    };
    if (method !== 'tools/call' && method !== 'tools/list') {
      open({ step: undefined, args: 'null' });
      return [];
    }
    if (method === 'tools/list') {
      const step = this.#step(atMs, 'tools/list', '{}', undefined);
      open({ step, args: 'null' });
      return [step];
    }
    if (id !== undefined && !this.#requests.isNew(message, direction, id)) {
      throw new DuplicateCall(message, id, this.#session);
    }
    const { name = 'unknown_tool', args = 'null' } = readCall(text, body);
    const step = this.#step(atMs, name, null, id ?? null);
    if (id === undefined) return [step, toolCall(step, args, atMs, 'null', null)];
    open({ step, args });
    return [step];
  }

  #response(message: MessageEntry, id: string | undefined, direction: Direction, line: number): NormalisedEvent[] {
    const request = this.#requests.take(message, direction, id);
    const { result, error } = readAnswer(message);
    const output = error ?? result;
    if (request === undefined) {
      this.orphanCount++;
      if (this.orphans.length < MAX_ORPHANS_NAMED) this.orphans.push({ id: id ?? null, sourceLine: line });
      this.#lastOrphan = output;
      return [];
    }
    const { step, args } = request;
    const { atMs } = message;
    if (step === undefined) return [];
    if (step.jsonrpcId === undefined) {
      return error === undefined
        ? [this.#step(atMs, 'tools/list.result', toolsText(ObjectView.of(result)), undefined)]
        : [];
    }
    this.#bound = output;
    if (error === undefined) return [toolCall(step, args, atMs, output, null)];
    return [toolCall(step, args, atMs, `{"error":${error}}`, 'mcp_error')];
  }

  #step(atMs: number, name: string, content: string | null, jsonrpcId: string | null | undefined): StepEvent {
    return { kind: 'step', index: this.#steps++, atMs, name, content, jsonrpcId };
  }
}

const REFUSED_IDS: Readonly<Record<string, string>> = {
  t: 'a boolean',
  f: 'a boolean',
  '{': 'an object',
  '[': 'an array',
};

/** The id for correlation; `undefined` if there is no id. */
function correlationId(envelope: Envelope, text: JsonText, place: () => string): string | undefined {
  const { id } = envelope;
  if (id !== undefined) return inOwnMemory(id.startsWith('"') ? decodeString(id) : id);
  if (!text.includes('"id"')) return undefined;
  const refused = REFUSED_IDS[ObjectView.of(text)?.textOf('id')?.charAt(0) ?? ''];
  if (refused === undefined) return undefined;
  throw new ReelError('transcript-invalid', `JSON-RPC id on ${place()} must not be ${refused}`);
}

/** The tool and the arguments of a call. */
function readCall(text: JsonText, body: MessageBody | undefined): { readonly name?: string; readonly args?: JsonText } {
  const params = body?.key === 'params' ? body.start : locate(text, ['params'])?.start;
  const call: { name?: string; args?: JsonText } = {};
  if (params === undefined) return call;
  scanObject(text, params, (key, start) => {
    const end = scanValue(text, start);
    if (key === 'name' && text.charAt(start) === '"') call.name = decodeString(text.slice(start, end));
    else if (key === 'arguments') call.args = compact(text.slice(start, end));
    return end;
  });
  return call;
}

/** The text of a response's error, unless that is null, or of its result. */
function readAnswer({ text, body }: MessageEntry): { readonly result: JsonText; readonly error: JsonText | undefined } {
  if (body?.key === 'result') return { result: compact(text.slice(body.start, body.end)), error: undefined };
  const view = ObjectView.of(text);
  const error = view?.textOf('error');
  const isError = error !== undefined && error !== 'null';
  return { result: compact(view?.textOf('result') ?? 'null'), error: isError ? compact(error) : undefined };
}

function toolCall(
  step: StepEvent,
  args: JsonText,
  atMs: number,
  result: JsonText,
  error: 'mcp_error' | 'timeout/no_response' | null,
): ToolCallEvent {
  return { kind: 'tool_call', stepIndex: step.index, atMs, toolName: step.name, args, result, error };
}

/** A normalized list of tools. */
function toolsText(result: ObjectView | undefined): string {
  const list = result?.textOf('tools') ?? '[]';
  const tools = (elementsOf(list) ?? []).map(({ start, end }) => {
    const tool = ObjectView.of(list.slice(start, end));
    const name = JSON.stringify(tool?.string('name') ?? 'unknown');
    const description = tool?.textOf('description') ?? 'null';
    const schema = compact(tool?.textOf('inputSchema') ?? tool?.textOf('input_schema') ?? 'null');
    return `{"name":${name},"description":${description},"input_schema":${schema},"tool_identity":null}`;
  });
  return `{"tools":[${tools.join(',')}]}`;
}

/**
 * The open requests of an import, which compares ids by its own rules: a number equals its text. In a transcript only
 * the id links a response to its request, so ids must be unique. In a recording of HTTP every exchange has its own ids,
 * and the recording contains the links.
 */
class ImportRequests<T> {
  readonly #open = new RequestTable<T>();
  readonly #seen = { client_to_server: new SeenIds(), server_to_client: new SeenIds() };
  /** The exchange of the last call, and the ids of its calls. */
  #exchange: number | undefined;
  #seenInExchange = new SeenIds();

  /** Records the id of a call; returns whether it is new. */
  isNew(message: MessageEntry, direction: Direction, id: string): boolean {
    const exchange = exchangeIn(message.http);
    if (exchange === undefined) return this.#seen[direction].add(keyOf(id));
    // The calls of an exchange are a batch, so they are adjacent.
    if (exchange !== this.#exchange) this.#seenInExchange = new SeenIds();
    this.#exchange = exchange;
    return this.#seenInExchange.add(keyOf(id));
  }

  add(message: MessageEntry, direction: Direction, id: string, request: T): void {
    const scope = scopeOf(message, direction);
    const isLinked = scope.conversation !== undefined;
    this.#open.add(request, scope, keyOf(id), isLinked ? inOwnMemory(message.proxyId) : undefined);
  }

  /** Removes and returns the request that a response answers. */
  take(response: MessageEntry, direction: Direction, id: string | undefined): T | undefined {
    const { correlatedId } = response;
    const linked = correlatedId === undefined ? undefined : this.#open.linked(correlatedId);
    if (linked === undefined) return this.#open.answer(scopeOf(response, direction), id && keyOf(id));
    this.#open.remove(linked);
    return linked.request;
  }

  /** All open requests, in no particular order. */
  values(): Iterable<T> {
    return this.#open.values();
  }
}

/** An import knows no conversations; the ids of an HTTP exchange count in that exchange only. */
function scopeOf({ http }: MessageEntry, direction: Direction): MessageScope {
  const exchange = exchangeIn(http);
  return { direction, conversation: exchange === undefined ? undefined : exchange + 1 };
}

function keyOf(id: string): RequestKey {
  return /^(?:0|[1-9]\d{0,8})$/.test(id) ? Number(id) : id;
}
