import { decodeString } from '../../json/scan.ts';
import { sliceAt } from '../../json/splice.ts';
import type { JsonText } from '../../model/entry.ts';
import { modernHeaders, ToolHeaders } from '../../protocol/modern-headers.ts';
import type { HeaderPair } from '../http/http-target.ts';
import type { OutboundMessage } from './outbound.ts';
import { RepeatableRequests } from './repeatable-requests.ts';

/** Remembers the session id, the revision and the tools, which later requests repeat in their headers. */
export class StreamableSession {
  /** Decides which requests may be sent again in another session. */
  readonly repeatable: RepeatableRequests = new RepeatableRequests();
  readonly #tools = new ToolHeaders();
  #isLegacy = false;
  #id: string | undefined;
  #version: string | undefined;

  /** Whether a client has started a session with `initialize`. */
  get isLegacy(): boolean {
    return this.#isLegacy;
  }

  /** The session id that the server assigned. */
  get id(): string | undefined {
    return this.#id;
  }

  /** A client starts a new session. */
  opens(): void {
    this.#isLegacy = true;
    this.#id = undefined;
    this.#version = undefined;
  }

  /** Stores the session id of the server; `undefined` if it has none. */
  isCalled(id: string | undefined): void {
    this.#id = id;
  }

  /** Learns from the answer to a request. */
  learn(method: string, answer: JsonText): void {
    if (method === 'initialize') this.#version = versionIn(answer);
    if (method !== 'tools/list') return;
    this.#tools.learn(answer);
    this.repeatable.learn(answer);
  }

  /** The headers for this message. */
  headersFor({ text, isModern, methods }: OutboundMessage): readonly HeaderPair[] {
    if (isModern) return modernHeaders(text, (tool) => this.#tools.headersFor(tool));
    return methods.includes('initialize') ? [] : this.headers();
  }

  /** The headers that assign a request to its session, in revisions before 2026-07-28. */
  headers(): readonly HeaderPair[] {
    const headers: HeaderPair[] = [];
    if (this.#id !== undefined) headers.push(['Mcp-Session-Id', this.#id]);
    if (this.#version !== undefined) headers.push(['MCP-Protocol-Version', this.#version]);
    return headers;
  }
}

function versionIn(answer: JsonText): string | undefined {
  const literal = sliceAt(answer, ['result', 'protocolVersion']);
  const version = literal?.startsWith('"') ? decodeString(literal) : '';
  // Other characters do not fit into a header.
  return /^[!-~]+$/.test(version) ? version : undefined;
}
