import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonText } from '../../model/entry.ts';
import { readEnvelope } from '../../protocol/envelope.ts';
import { FIRST_MODERN, isModern, isModernRevision, WITH_HANDSHAKE } from '../../protocol/era.ts';
import { ToolHeaders } from '../../protocol/modern-headers.ts';
import { objectsOf, type RpcBody, textsOf } from '../../protocol/rpc-body.ts';
import { InboundExchange, type InboundOptions } from './inbound-exchange.ts';
import {
  acceptsType,
  headerOf,
  isJsonType,
  pathOf,
  REFUSED,
  refuseBody,
  refuseForNow,
  refuseMethod,
  refuseSession,
  refuseType,
} from './inbound-requests.ts';
import type { InboundTransport } from './inbound-transport.ts';
import { faultIn } from './modern-checks.ts';
import { ModernPost } from './modern-post.ts';
import { StreamableConversation } from './streamable-conversation.ts';

/** The path for clients of Streamable HTTP. */
export const STREAMABLE_PATH = '/mcp';

const SESSION_HEADER = 'mcp-session-id';
const VERSION_HEADER = 'mcp-protocol-version';

/** Whether a later revision can be bridged is not known. */
const SUPPORTED: readonly string[] = [...WITH_HANDSHAKE, FIRST_MODERN];

const INVALID_REQUEST = -32600;

/** Serves clients of Streamable HTTP, in conversations or, from revision 2026-07-28 on, without. */
export class StreamableInbound implements InboundTransport {
  readonly #options: InboundOptions;
  readonly #conversations = new Map<string, StreamableConversation>();
  readonly #posts = new Set<ModernPost>();
  readonly #tools = new ToolHeaders();
  #opened = 0;
  #closed = false;

  constructor(options: InboundOptions) {
    this.#options = options;
  }

  take(request: IncomingMessage, response: ServerResponse, path: string): void {
    const exchange = new InboundExchange(request, response, path, this.#options);
    if (pathOf(path) !== STREAMABLE_PATH || this.#closed) {
      exchange.refuse(404, { code: REFUSED, message: `Not Found: clients are served at ${STREAMABLE_PATH}` });
    } else if (!this.#knowsVersion(request)) {
      const message = `Bad Request: Unsupported protocol version (supported versions: ${SUPPORTED.join(', ')})`;
      exchange.refuse(400, { code: REFUSED, message });
    } else if (exchange.method === 'POST') void this.#takePost(exchange);
    else if (exchange.method === 'GET' && !isModernHead(request)) this.#takeGet(exchange);
    else if (exchange.method === 'DELETE' && !isModernHead(request)) this.#takeDelete(exchange);
    else refuseMethod(exchange, isModernHead(request) ? 'POST' : 'GET, POST, DELETE');
  }

  close(): void {
    this.#closed = true;
    for (const conversation of this.#conversations.values()) conversation.leave();
    for (const post of this.#posts) post.leave();
  }

  /** Whether the header names a supported revision, or the one that this conversation agreed on. */
  #knowsVersion(request: IncomingMessage): boolean {
    const version = headerOf(request, VERSION_HEADER);
    if (version === undefined || SUPPORTED.includes(version)) return true;
    return this.#conversations.get(headerOf(request, SESSION_HEADER) ?? '')?.version === version;
  }

  async #takePost(exchange: InboundExchange): Promise<void> {
    const { request } = exchange;
    if (!acceptsType(request, 'application/json') || !acceptsType(request, 'text/event-stream')) {
      const message = 'Not Acceptable: Client must accept both application/json and text/event-stream';
      exchange.refuse(406, { code: REFUSED, message });
      return;
    }
    if (!isJsonType(exchange.request)) {
      refuseType(exchange);
      return;
    }
    const read = await exchange.body();
    const body = read.kind === 'text' ? objectsOf(read.text) : undefined;
    if (read.kind !== 'text' || body === undefined) refuseBody(exchange, read);
    else if (this.#closed) refuseSession(exchange);
    else if (isModernHead(exchange.request) || (body.kind === 'message' && isModern(body.text))) {
      this.#takeModern(body, exchange);
    } else this.#takeLegacy(body, read.text, exchange);
  }

  #takeModern(body: RpcBody, exchange: InboundExchange): void {
    if (body.kind === 'batch') {
      exchange.refuse(400, { code: INVALID_REQUEST, message: 'Invalid Request: this protocol version has no batches' });
      return;
    }
    const fault = faultIn(body.text, exchange.request, this.#tools);
    if (fault !== undefined) {
      exchange.refuse(400, { ...fault, requestId: readEnvelope(body.text).id });
      return;
    }
    const post = new ModernPost(body, exchange, this.#options, this.#tools);
    this.#posts.add(post);
    exchange.onOver(() => this.#posts.delete(post));
  }

  #takeLegacy(body: RpcBody, text: JsonText, exchange: InboundExchange): void {
    const texts = textsOf(body);
    if (!texts.some(isInitialize)) {
      this.#conversationOf(exchange)?.take(body, text, exchange);
    } else if (texts.length > 1) {
      const message = 'Invalid Request: Only one initialization request is allowed';
      exchange.refuse(400, { code: INVALID_REQUEST, message });
    } else {
      const { conversations } = this.#options;
      const leave = conversations?.enter();
      if (conversations !== undefined && leave === undefined) {
        refuseForNow(exchange);
        return;
      }
      exchange.conversation = ++this.#opened;
      this.#open(exchange.conversation, leave).take(body, text, exchange);
    }
  }

  #takeGet(exchange: InboundExchange): void {
    if (!acceptsType(exchange.request, 'text/event-stream')) {
      exchange.refuse(406, { code: REFUSED, message: 'Not Acceptable: Client must accept text/event-stream' });
    } else this.#conversationOf(exchange)?.takeStream(exchange);
  }

  #takeDelete(exchange: InboundExchange): void {
    const conversation = this.#conversationOf(exchange);
    if (conversation === undefined) return;
    conversation.leave();
    exchange.reply(200, undefined);
  }

  /** The conversation that a request names. Refuses a request without a valid session id. */
  #conversationOf(exchange: InboundExchange): StreamableConversation | undefined {
    const id = headerOf(exchange.request, SESSION_HEADER);
    const conversation = id === undefined ? undefined : this.#conversations.get(id);
    if (id === undefined) {
      exchange.refuse(400, { code: REFUSED, message: 'Bad Request: Mcp-Session-Id header is required' });
    } else if (conversation === undefined) refuseSession(exchange);
    else exchange.conversation = conversation.conversation;
    return conversation;
  }

  #open(conversation: number, leave: (() => void) | undefined): StreamableConversation {
    const sessionId = this.#options.newId();
    const onOver = (): void => {
      this.#conversations.delete(sessionId);
      leave?.();
    };
    const opened = new StreamableConversation({ ...this.#options, conversation, sessionId, onOver });
    this.#conversations.set(sessionId, opened);
    return opened;
  }
}

function isModernHead(request: IncomingMessage): boolean {
  return isModernRevision(headerOf(request, VERSION_HEADER) ?? '');
}

function isInitialize(text: JsonText): boolean {
  return readEnvelope(text).method === 'initialize';
}
