import { decodeUtf8 } from '../../json/lines.ts';
import { ObjectView } from '../../json/object-view.ts';
import type { Direction, JsonText } from '../../model/entry.ts';
import { ReelError } from '../../model/errors.ts';
import type { RecordedSession } from '../../model/session.ts';
import { parseTime } from '../../model/times.ts';
import { describeDocument, scanTopLevel, type TopLevelMember } from '../children.ts';
import { type FormatConfidence, type ReadOptions, type Source, WRONG_FORMAT } from '../format.ts';
import { type CapturePass, readCapture, recordElements, unknownMembers } from '../other-tools/foreign-capture.ts';
import { bodyIn, type FoundBody, isJsonRpc, messagesInBody } from './har-body.ts';
import { HAR_MEMBER } from './har-entry.ts';
import { type HarHeaderPair, headersIn, statusIn } from './har-http.ts';
import { sessionFacts, takeOwnEntry } from './har-own-entry.ts';

/** Recognizes an HTTP archive by the beginning of its `log`. */
export function detectHar(head: string): FormatConfidence {
  const start = /^\uFEFF?\s*\{\s*"log"\s*:\s*(?=\{)/.exec(head)?.[0];
  if (start === undefined) return 'no';
  const log = ObjectView.ofHead(head.slice(start.length));
  const hasEntries = log.has('entries') || log.openMember()?.key === 'entries';
  return log.string('version') !== undefined && (log.has('creator') || hasEntries) ? 'certain' : 'no';
}

/**
 * Reads the MCP traffic of an HTTP archive. Each entry with JSON-RPC in a body or with an MCP header becomes its
 * messages and an `http.exchange` event. All other entries (pages, scripts, tokens) are skipped. Entries that mcpreel
 * wrote contain more.
 */
export async function readHar(source: Source, options: ReadOptions): Promise<RecordedSession> {
  const archive = await scanTopLevel(source, () => false);
  const place = archive.members.get('log');
  if (place === undefined) {
    const what = `Not an HTTP archive: ${source.name}: ${describeDocument(archive)}, and no "log"`;
    throw new ReelError('session-unreadable', what, { hint: WRONG_FORMAT });
  }
  const log = await scanTopLevel(source, (key) => key === 'creator' || key === HAR_MEMBER, place);
  const creator = textOf(log.members.get('creator'));
  const facts = sessionFacts(textOf(log.members.get(HAR_MEMBER)));
  const records = await recordElements(source, log, 'entries');
  const session = await readCapture(source, options, {
    format: 'har',
    sourceUnit: 'entry',
    records,
    mayBeEmpty: facts !== undefined,
    begin: (pass) => {
      if (facts !== undefined) pass.know(facts);
      else if (creator !== undefined) pass.know({ keepsakes: { transcript: `{"creator":${creator}}` } });
      return (record, line) => {
        const own = record.object(HAR_MEMBER);
        if (own === undefined) new ReadExchange(pass, record, line).take();
        else takeOwnEntry(pass, record, own, line);
      };
    },
  });
  // Set the facts again, because `CapturePass.know` ignores empty values.
  return facts === undefined ? session : { ...session, header: { ...session.header, ...facts } };
}

/** Returns the text of a member that is an object. */
function textOf(member: TopLevelMember | undefined): JsonText | undefined {
  const text = member?.bytes && decodeUtf8(member.bytes);
  return text !== undefined && ObjectView.of(text) ? text : undefined;
}

/** One archive entry that a browser or another tool wrote. */
class ReadExchange {
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
    const requestHeaders = headersIn(this.#request);
    const responseHeaders = headersIn(this.#response);
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
    // The archive has no time for each part of a body, so use the end of the exchange.
    if (tookMs > 0) this.#pass.at(this.#pass.atMs + tookMs, 'time');
    this.#push('server_to_client', received, conversation);
    const method = this.#request?.string('method') ?? '';
    const status = statusIn(this.#response);
    const error = this.#response?.string('_error') ?? null;
    const exchange = { exchange: this.#number, method, path, status, requestHeaders, responseHeaders, error };
    const kept = unknownMembers(this.#entry, ['startedDateTime', 'time', 'request', 'response']);
    this.#pass.event('http.exchange', JSON.stringify(exchange), kept, conversation);
  }

  #push(direction: Direction, found: readonly FoundBody[], conversation: number | undefined): void {
    const http = `{"exchange":${this.#number}}`;
    for (const { text, sse } of found) {
      this.#pass.message(text, { direction, conversation, http, sse, seenOn: this.#number });
    }
  }

  #messagesIn(content: ObjectView | undefined): readonly FoundBody[] {
    const body = bodyIn(content);
    if (body === null) this.#pass.problem('a body that is no base64 of UTF-8');
    if (body === undefined || body === null) return [];
    const { found, hasEndpoint } = messagesInBody(body, isJsonRpc);
    if (hasEndpoint) this.#pass.know({ transport: 'sse' });
    return found;
  }
}

function sessionIn(headers: readonly HarHeaderPair[]): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === 'mcp-session-id')?.[1];
}

function partsOf(url: string): { readonly path: string; readonly address: string } {
  if (!URL.canParse(url)) return { path: url, address: url };
  const { origin, pathname, search } = new URL(url);
  return { path: `${pathname}${search}`, address: `${origin}${pathname}` };
}
