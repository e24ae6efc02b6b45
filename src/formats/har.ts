import { decodeUtf8 } from '../json/lines.ts';
import { elementsOf, ObjectView } from '../json/object-view.ts';
import type { Direction, JsonText } from '../model/entry.ts';
import { ReelError } from '../model/errors.ts';
import type { RecordedSession } from '../model/session.ts';
import { parseTime } from '../model/times.ts';
import { looksLikeSse, parseSseBody } from '../protocol/sse-body.ts';
import { scanTopLevel } from './children.ts';
import { type CapturePass, readCapture, recordElements, unknownMembers } from './foreign.ts';
import type { Confidence, FormatReader, ReadOptions, Source } from './format.ts';

/**
 * An HTTP archive (HAR 1.2) with MCP traffic in its bodies. Each entry that carries JSON-RPC or has a header of MCP
 * becomes its messages and an `http.exchange`; all other entries (pages, scripts, tokens) are passed over.
 */
export const har: FormatReader = { id: 'har', title: 'HTTP archive (HAR) with MCP traffic', detect, read };

function detect(head: string): Confidence {
  const start = /^\uFEFF?\s*\{\s*"log"\s*:\s*(?=\{)/.exec(head)?.[0];
  if (start === undefined) return 'no';
  const log = ObjectView.ofHead(head.slice(start.length));
  const hasEntries = log.has('entries') || log.openKey() === 'entries';
  return log.string('version') !== undefined && (log.has('creator') || hasEntries) ? 'certain' : 'no';
}

async function read(source: Source, options: ReadOptions): Promise<RecordedSession> {
  const member = (await scanTopLevel(source, () => false)).members.get('log');
  if (member === undefined)
    throw new ReelError('session-unreadable', `No "log" in ${source.name}: not an HTTP archive.`);
  const log: Source = {
    name: source.name,
    size: member.end - member.start,
    read: (start, end) => source.read(member.start + start, member.start + end),
  };
  const document = await scanTopLevel(log, (key) => key === 'creator');
  const creator = document.members.get('creator')?.bytes;
  const records = await recordElements(log, document, 'entries');
  return readCapture(source, options, {
    format: 'har',
    records,
    begin: (pass) => {
      const text = creator && decodeUtf8(creator);
      if (text !== undefined && ObjectView.of(text)) pass.know({ keepsakes: { transcript: `{"creator":${text}}` } });
      return (record, line) => new Exchange(pass, record, line).take();
    },
  });
}

/** The message or batch that was found in a body, and the event that it came in. */
interface Found {
  readonly text: JsonText;
  readonly sse?: JsonText;
}

/** One entry of the archive. */
class Exchange {
  readonly #pass: CapturePass;
  readonly #entry: ObjectView;
  readonly #number: number;
  readonly #request: ObjectView | undefined;
  readonly #response: ObjectView | undefined;

  constructor(pass: CapturePass, entry: ObjectView, number: number) {
    this.#pass = pass;
    this.#entry = entry;
    this.#number = number;
    this.#request = entry.object('request');
    this.#response = entry.object('response');
  }

  take(): void {
    const sent = this.#messagesIn(this.#request?.object('postData'));
    const received = this.#messagesIn(this.#response?.object('content'));
    const requestHeaders = headersOf(this.#request);
    const responseHeaders = headersOf(this.#response);
    const session = sessionIn(requestHeaders) ?? sessionIn(responseHeaders);
    const namesMcp = [...requestHeaders, ...responseHeaders].some(([name]) => /^mcp-/i.test(name));
    if (sent.length + received.length === 0 && !namesMcp) return;

    const url = this.#request?.string('url') ?? '';
    const { path, address } = partsOf(url);
    this.#pass.know({ url: address, transport: 'streamable-http' });
    const startMs = parseTime(this.#entry.string('startedDateTime') ?? '');
    this.#pass.at(startMs, 'startedDateTime');
    const conversation = this.#pass.numberOf('session', `${address} ${session}`) || undefined;
    this.#push('client_to_server', sent, conversation);
    const tookMs = this.#entry.number('time') ?? 0;
    // The archive does not say when each part of a body came: all of it is there at the end.
    if (tookMs > 0) this.#pass.at(this.#pass.atMs + tookMs, 'time');
    this.#push('server_to_client', received, conversation);
    const method = this.#request?.string('method') ?? '';
    const status = this.#response?.number('status') ?? 0;
    const error = this.#response?.string('_error') ?? null;
    const exchange = { exchange: this.#number, method, path, status, requestHeaders, responseHeaders, error };
    const kept = unknownMembers(this.#entry, ['startedDateTime', 'time', 'request', 'response']);
    this.#pass.event('http.exchange', JSON.stringify(exchange), kept);
  }

  #push(direction: Direction, found: readonly Found[], conversation: number | undefined): void {
    const http = `{"exchange":${this.#number}}`;
    for (const { text, sse } of found) {
      this.#pass.message(text, { direction, conversation, http, sse, seenOn: this.#number });
    }
  }

  #messagesIn(content: ObjectView | undefined): Found[] {
    const encoded = content?.string('text');
    if (encoded === undefined) return [];
    const body = content?.string('encoding') === 'base64' ? decodeBase64(encoded) : encoded;
    if (body === undefined) {
      this.#pass.problem('a body that is no base64 of UTF-8');
      return [];
    }
    if (!looksLikeSse(body)) return isJsonRpc(body) ? [{ text: body.trim() }] : [];
    const events = parseSseBody(body);
    // Only the older transport tells the client where to post.
    if (events.some(({ event }) => event === 'endpoint')) this.#pass.know({ transport: 'sse' });
    const messages = events.filter(({ data }) => isJsonRpc(data));
    return messages.map(({ event, id, data }) => ({ text: data.trim(), sse: JSON.stringify({ event, id }) }));
  }
}

function isJsonRpc(text: string): boolean {
  if (!text.includes('"jsonrpc"')) return false;
  const body = text.trim();
  if (body.startsWith('{')) return ObjectView.of(body)?.string('jsonrpc') !== undefined;
  return elementsOf(body)?.some(({ start, end }) => isJsonRpc(body.slice(start, end))) ?? false;
}

function headersOf(message: ObjectView | undefined): [name: string, value: string][] {
  const list = message?.textOf('headers') ?? '';
  return (elementsOf(list) ?? []).flatMap(({ start, end }): [string, string][] => {
    const header = ObjectView.of(list.slice(start, end));
    const name = header?.string('name');
    return name === undefined ? [] : [[name, header?.string('value') ?? '']];
  });
}

function sessionIn(headers: readonly (readonly [name: string, value: string])[]): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === 'mcp-session-id')?.[1];
}

function partsOf(url: string): { readonly path: string; readonly address: string } {
  if (!URL.canParse(url)) return { path: url, address: url };
  const { origin, pathname, search } = new URL(url);
  return { path: `${pathname}${search}`, address: `${origin}${pathname}` };
}

function decodeBase64(text: string): string | undefined {
  try {
    return decodeUtf8(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
