import type { Direction, Entry, MessageEntry } from '../../../src/model/entry.ts';

/** The fields of a scripted message besides its text. */
export interface Circumstances {
  readonly conversation?: number | undefined;
  readonly exchange?: number | undefined;
  readonly answers?: MessageEntry | undefined;
  readonly batch?: string | undefined;
  readonly dropped?: boolean | undefined;
  readonly injected?: boolean | undefined;
}

export interface ExchangeEnd {
  readonly status?: number;
  readonly error?: string | null;
  readonly conversation?: number;
}

/** Writes a session for tests, entry by entry, with a clock that the test advances. */
export class Script {
  readonly entries: Entry[] = [];
  nowMs = 1000;
  #sequence = 0;

  wait(ms: number): this {
    this.nowMs += ms;
    return this;
  }

  client(message: object, circumstances?: Circumstances): MessageEntry {
    return this.say('client_to_server', message, circumstances);
  }

  server(message: object, circumstances?: Circumstances): MessageEntry {
    return this.say('server_to_client', message, circumstances);
  }

  say(direction: Direction, message: object, circumstances: Circumstances = {}): MessageEntry {
    const { conversation, exchange, answers, batch, dropped, injected } = circumstances;
    const sequence = this.#sequence++;
    const entry: MessageEntry = {
      kind: 'message',
      sequence,
      proxyId: `m${sequence}`,
      atMs: this.nowMs,
      direction,
      text: JSON.stringify({ jsonrpc: '2.0', ...message }),
      ...(answers && { correlatedId: answers.proxyId }),
      ...(conversation !== undefined && { conversation }),
      ...(exchange !== undefined && { http: `{"exchange":${exchange}}` }),
      ...(batch !== undefined && { batch }),
      ...(dropped !== undefined && { dropped }),
      ...(injected !== undefined && { injected }),
    };
    this.entries.push(entry);
    return entry;
  }

  endExchange(exchange: number, { status = 200, error = null, conversation = 0 }: ExchangeEnd = {}): void {
    const raw = JSON.stringify({ exchange, method: 'POST', path: '/mcp', status, error });
    this.entries.push({ kind: 'event', event: 'http.exchange', atMs: this.nowMs, raw, conversation });
  }
}
