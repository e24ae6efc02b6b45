import type { JsonText } from '../../model/entry.ts';
import { readEnvelope } from '../../protocol/envelope.ts';
import { isModernRevision } from '../../protocol/era.ts';
import type { RpcBody } from '../../protocol/rpc-body.ts';
import type { RequestHead, ResponseHead } from '../../proxy/http/exchange-tap.ts';
import { headerOf, isEventStream } from '../../proxy/http/http-headers.ts';
import type { HttpConversations } from './conversations.ts';
import { type Handshake, handshakeOf } from './refused-handshakes.ts';
import type { Visitor } from './unnamed-conversations.ts';

/** Determines the conversation of an HTTP exchange, and tracks conversations that it opens or ends. */
export class ExchangeConversation {
  readonly #conversations: HttpConversations;
  readonly #head: RequestHead;
  #number: number | undefined;
  /** The `initialize` in the request, which opens a conversation. */
  #handshake: Handshake | undefined;
  #endpoint: string | undefined;
  readonly #visitor: Visitor;

  constructor(conversations: HttpConversations, head: RequestHead) {
    this.#conversations = conversations;
    this.#head = head;
    this.#visitor = { agent: headerOf(head.headers, 'user-agent') ?? '', connection: head.connection };
    conversations.exchangeBegan(this.#visitor);
  }

  /** The conversation, if already determined. */
  get known(): number | undefined {
    return this.#number;
  }

  /** Determined once, by the first information about the exchange. */
  of(frame: RpcBody | undefined): number {
    this.#number ??= this.#decide(frame);
    return this.#number;
  }

  /** The target has responded. */
  answered({ status, headers }: ResponseHead, streamsAreConversations: boolean): void {
    const conversations = this.#conversations;
    const sessionId = headerOf(headers, 'mcp-session-id');
    if (streamsAreConversations && isEventStream(headers) && this.#head.method === 'GET') {
      this.#number = conversations.open();
    }
    const conversation = this.of(undefined);
    if (this.#handshake === undefined) return;
    if (status >= 300) conversations.refuse(conversation, this.#handshake, isUnauthorized(status));
    else if (sessionId === undefined) conversations.leaveUnnamed(conversation, this.#visitor);
    else conversations.name(conversation, sessionName(sessionId));
  }

  /** HTTP+SSE sends the address for messages in the first event of a stream. */
  nameByEndpoint(address: string): void {
    const base = `http://localhost${this.#head.path}`;
    if (!URL.canParse(address, base)) return;
    const { pathname, search } = new URL(address, base);
    this.#endpoint = endpointName(pathname + search);
    this.#conversations.name(this.of(undefined), this.#endpoint);
  }

  /** The exchange is over. Returns whether the conversation has ended, too. */
  end(targetStatus: number | undefined, ownStatus: number | undefined): boolean {
    const conversations = this.#conversations;
    conversations.exchangeEnded(this.#visitor);
    const sessionId = headerOf(this.#head.headers, 'mcp-session-id');
    const isDeleting = this.#head.method === 'DELETE' && sessionId !== undefined;
    const isDeleted = isDeleting && targetStatus !== undefined && targetStatus < 300;
    if (isDeleted) conversations.end(sessionName(sessionId));
    if (this.#endpoint !== undefined) conversations.end(this.#endpoint);
    if (this.#handshake !== undefined && targetStatus === undefined) {
      if (ownStatus !== undefined && ownStatus < 300) conversations.leaveUnnamed(this.of(undefined), this.#visitor);
      else conversations.refuse(this.of(undefined), this.#handshake, false);
    }
    return isDeleted || this.#endpoint !== undefined;
  }

  #decide(frame: RpcBody | undefined): number {
    const conversations = this.#conversations;
    const { headers, path } = this.#head;
    const sessionId = headerOf(headers, 'mcp-session-id');
    if (sessionId !== undefined) return conversations.named(sessionName(sessionId));
    const ofEndpoint = conversations.ofName(endpointName(path));
    if (ofEndpoint !== undefined) return ofEndpoint;
    if (frame?.kind === 'message' && isInitialize(frame.text)) {
      this.#handshake = handshakeOf(this.#head, frame.text);
      return conversations.begin(this.#handshake);
    }
    // From revision 2026-07-28 on, there are no sessions, and messages are independent.
    const isModern = isModernRevision(headerOf(headers, 'mcp-protocol-version') ?? '');
    return isModern ? 0 : conversations.ofUnnamed(this.#visitor);
  }
}

function isUnauthorized(status: number): boolean {
  return status === 401 || status === 403;
}

function isInitialize(text: JsonText): boolean {
  return text.includes('"initialize"') && readEnvelope(text).method === 'initialize';
}

function sessionName(id: string): string {
  return `session ${id}`;
}

function endpointName(path: string): string {
  return `endpoint ${path}`;
}
