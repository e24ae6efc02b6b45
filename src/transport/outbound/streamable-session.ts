import { decodeString } from '../../json/scan.ts';
import { sliceAt } from '../../json/splice.ts';
import type { JsonText } from '../../model/entry.ts';
import { modernHeaders, ToolHeaders } from '../../protocol/modern-headers.ts';
import type { HeaderPair } from '../http/http-target.ts';
import type { OutboundMessage } from './outbound.ts';

/** What is said in passing and has to be repeated in the headers of later requests. */
export class StreamableSession {
  readonly #tools = new ToolHeaders();
  #isLegacy = false;
  #id: string | undefined;
  #version: string | undefined;

  /** Whether a client has begun a session with `initialize`. */
  get isLegacy(): boolean {
    return this.#isLegacy;
  }

  /** What the server calls the session. */
  get id(): string | undefined {
    return this.#id;
  }

  /** A client asks for a new session. */
  opens(): void {
    this.#isLegacy = true;
    this.#id = undefined;
    this.#version = undefined;
  }

  /** The server has named the session, or has none. */
  isCalled(id: string | undefined): void {
    this.#id = id;
  }

  /** Learns from the answer to a request. */
  learn(method: string, answer: JsonText): void {
    if (method === 'initialize') this.#version = versionIn(answer);
    if (method === 'tools/list') this.#tools.learn(answer);
  }

  /** The headers that what is sent needs of its own. */
  headersFor({ text, isModern, methods }: OutboundMessage): readonly HeaderPair[] {
    if (isModern) return modernHeaders(text, (tool) => this.#tools.headersFor(tool));
    return methods.includes('initialize') ? [] : this.headers();
  }

  /** The headers by which a request of a legacy client belongs to its session. */
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
  // No header could hold anything else.
  return /^[!-~]+$/.test(version) ? version : undefined;
}
