import type { JsonText } from '../../../src/model/entry.ts';

interface Received {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly cursor?: string;
    readonly uri?: string;
    readonly arguments?: Readonly<Record<string, string>>;
    readonly _meta?: { readonly progressToken?: number | string };
  };
  readonly result?: { readonly content?: { readonly text?: string } };
}

type Say = (message: Readonly<Record<string, unknown>>) => void;

const TOOLS = ['open', 'put', 'get', 'ask', 'slow'].map((name) => ({ name, inputSchema: { type: 'object' } }));
const PAGE = 2;

/**
 * A server for tests that answers deterministically, except for generated names: handles, cursors and addresses, which
 * start with the given word.
 */
export class SampleLedger {
  readonly #word: string;
  readonly #say: Say;
  readonly #values = new Map<string, string>();
  readonly #requested = new Map<number | string, (text: string) => void>();
  #names = 0;
  #questions = 0;

  constructor(word: string, say: Say) {
    this.#word = word;
    this.#say = say;
  }

  receive(text: JsonText): void {
    const message = JSON.parse(text) as Received;
    const { id, method } = message;
    if (id === undefined) return;
    if (method === undefined) this.#requested.get(id)?.(message.result?.content?.text ?? 'nothing');
    else this.#answer(id, method, message.params ?? {});
  }

  #answer(id: number | string, method: string, params: NonNullable<Received['params']>): void {
    const result = (value: unknown): void => this.#say({ jsonrpc: '2.0', id, result: value });
    const capabilities = { tools: {}, resources: {} };
    switch (method) {
      case 'initialize':
        result({ protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'ledger', version: '1' } });
        break;
      case 'tools/list':
        result(this.#page(params.cursor));
        break;
      case 'resources/read':
        result({ contents: [{ uri: params.uri, text: this.#values.get(params.uri ?? '') ?? 'unknown' }] });
        break;
      case 'tools/call':
        this.#call(params, (sent) => result({ content: [{ type: 'text', text: sent }] }));
        break;
      default:
        this.#say({ jsonrpc: '2.0', id, error: { code: -32601, message: `No ${method}` } });
    }
  }

  #page(cursor: string | undefined): unknown {
    const from = cursor === undefined ? 0 : Number(cursor.split('.')[1]);
    const tools = TOOLS.slice(from, from + PAGE);
    const isLast = from + PAGE >= TOOLS.length;
    return isLast ? { tools } : { tools, nextCursor: `${this.#word}.${from + PAGE}` };
  }

  #call({ name, arguments: given = {}, _meta }: NonNullable<Received['params']>, answer: (text: string) => void): void {
    const { handle = '', value = '' } = given;
    switch (name) {
      case 'open': {
        const made = `ledger://${this.#word}-${this.#names++}`;
        this.#values.set(made, value);
        answer(JSON.stringify({ uri: made, size: value.length }));
        break;
      }
      case 'put':
        answer(this.#values.has(handle) ? `put ${value}` : 'no such ledger');
        if (this.#values.has(handle)) this.#values.set(handle, value);
        break;
      case 'get':
        answer(this.#values.get(handle) ?? 'no such ledger');
        break;
      case 'ask':
        this.#ask(value, (sent) => answer(`${value}: ${sent}`));
        break;
      default:
        for (const progress of [1, 2]) this.#progress(_meta?.progressToken, progress);
        answer('done');
    }
  }

  #progress(progressToken: number | string | undefined, progress: number): void {
    if (progressToken === undefined) return;
    this.#say({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress } });
  }

  #ask(prompt: string, take: (text: string) => void): void {
    const id = this.#questions++;
    this.#requested.set(id, take);
    const messages = [{ role: 'user', content: { type: 'text', text: prompt } }];
    this.#say({ jsonrpc: '2.0', id, method: 'sampling/createMessage', params: { messages, maxTokens: 9 } });
  }
}
