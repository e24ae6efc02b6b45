import { escapeLoneSurrogates } from '../../json/lone-surrogates.ts';
import { elementTexts, ObjectView } from '../../json/object-view.ts';
import { decodeString, documentSpan } from '../../json/scan.ts';
import { uuidFromText } from '../../model/derived-id.ts';
import { batchText, type Direction, type Entry, type EventEntry, type JsonText } from '../../model/entry.ts';
import { type RecordedSession, unnamedHeader } from '../../model/session.ts';
import { looksLikeSse, parseSseBody } from '../../protocol/sse/sse-body.ts';
import { type MessageCandidate, viewOf } from '../candidates.ts';
import type { ReadOptions, ReadReport } from '../format.ts';
import { MessageMaker, type ReadMessage } from '../message-maker.ts';
import { oncePerFile } from '../reading.ts';
import { TimeWindow } from '../time-window.ts';
import { ElementClock, timeOfElement } from './element-clock.ts';
import type { InspectorFile } from './inspector-elements.ts';

/**
 * Reads MCP Inspector 2's network export: HTTP exchanges with their bodies. The messages in the bodies become entries,
 * and each exchange becomes an event. Bodies that are not JSON-RPC, such as tokens, are dropped.
 */
export async function readNetworkExport(file: InspectorFile, options: ReadOptions): Promise<RecordedSession> {
  const { firstMs, url } = await survey(file);
  const id = uuidFromText(`${file.source.size}:${firstMs}:${url}`);
  const problemsOf = oncePerFile(options);
  return {
    format: 'inspector',
    header: {
      ...unnamedHeader(id),
      startedAtMs: firstMs ?? 0,
      label: 'inspector',
      transport: 'streamable-http',
      url,
    },
    footer: undefined,
    numbersTimes: firstMs === undefined,
    async *batches() {
      const report = problemsOf();
      const reader = new ExchangeReader(id, firstMs, report);
      for await (const batch of file.elements(report)) {
        for (const candidate of batch) reader.take(candidate);
        yield reader.overflow();
      }
      yield reader.rest();
    },
  };
}

/** Finds the first time, and the URL of the first exchange that is not about authorization. */
async function survey(file: InspectorFile): Promise<{ firstMs: number | undefined; url: string | undefined }> {
  let firstMs: number | undefined;
  let url: string | undefined;
  let authUrl: string | undefined;
  for await (const batch of file.elements(() => undefined)) {
    for (const candidate of batch) {
      const view = viewOf(candidate, () => undefined);
      if (view === undefined) continue;
      firstMs ??= timeOfElement(view);
      if (view.string('category') === 'auth') authUrl ??= view.string('url');
      else url ??= view.string('url');
    }
    if (firstMs !== undefined && url !== undefined) break;
  }
  return { firstMs, url: url ?? authUrl };
}

/** A message or event that waits until it can be emitted in order. */
interface WaitingExchange {
  readonly atMs: number;
  readonly weight: number;
  readonly entry: EventEntry | ReadMessage;
  /** For a batch, its size and the index of this message. */
  readonly part?: { readonly index: number; readonly of: number } | undefined;
}

class ExchangeReader {
  readonly #report: ReadReport;
  readonly #maker: MessageMaker;
  readonly #window = new TimeWindow<WaitingExchange>();
  readonly #clock: ElementClock;
  readonly #counts: boolean;

  constructor(sessionId: string, firstMs: number | undefined, report: ReadReport) {
    this.#report = report;
    this.#maker = new MessageMaker(sessionId);
    this.#clock = new ElementClock(firstMs, report);
    this.#counts = firstMs === undefined;
  }

  take(candidate: MessageCandidate): void {
    const { place, line } = candidate;
    const view = viewOf(candidate, this.#report);
    if (view === undefined) return;
    const method = view.string('method');
    const url = view.string('url');
    if (method === undefined || url === undefined) {
      const contract = `inspector transcript ${place} must have a method and a url`;
      this.#report({ place, what: '"method" or "url" is missing', contract });
      return;
    }
    const startMs = this.#clock.startOf(view, place);
    const endMs = this.#clock.endOf(view, startMs);
    if (view.string('category') !== 'auth') {
      this.#addBody(view, 'request', 'client_to_server', startMs, candidate);
      this.#addBody(view, 'response', 'server_to_client', endMs, candidate);
    }
    this.#window.add(exchangeOf(view, method, url, line, endMs));
  }

  overflow(): Entry[] {
    return this.#window.takeOverflow().map((waiting) => this.#made(waiting));
  }

  rest(): Entry[] {
    return this.#window.takeAll().map((waiting) => this.#made(waiting));
  }

  #addBody(
    view: ObjectView,
    side: 'request' | 'response',
    direction: Direction,
    atMs: number,
    { place, line }: MessageCandidate,
  ): void {
    const body = bodyOf(view, `${side}Body`);
    const type = contentTypeOf(view.object(`${side}Headers`));
    const add = (json: string, sse?: JsonText): void => {
      const found = messagesIn(json);
      if (found === undefined) {
        this.#report({ place, what: `its ${side} body ${sse === undefined ? 'is' : 'has an event that is'} not JSON` });
      }
      for (const { text, part } of found ?? []) {
        const http = `{"exchange":${line}}`;
        const entry = { text, atMs, direction, http, sourceLine: line, ...(sse !== undefined && { sse }) };
        this.#window.add({ atMs, weight: text.length, entry, part });
      }
    };
    if (body.trim() === '') return;
    if (side === 'response' && (/^text\/event-stream/i.test(type) || (type === '' && looksLikeSse(body)))) {
      for (const { event, id, data } of parseSseBody(body)) {
        // Other events belong to the transport, and an empty one only sets an id for resuming.
        if (event !== 'message' || data.trim() === '') continue;
        add(data, JSON.stringify({ event, ...(id !== undefined && { id }) }));
      }
    } else if (/json/i.test(type) || /^\uFEFF?\s*[{[]/.test(body)) add(body.replace(/^\uFEFF/, ''));
  }

  #made({ entry: waiting, part }: WaitingExchange): Entry {
    const entry = this.#counts ? { ...waiting, atMs: this.#maker.next } : waiting;
    if ('kind' in entry) return entry;
    if (part === undefined) return this.#maker.make(entry);
    // The messages of a batch are consecutive, because they have the same time.
    const frame = this.#maker.next - part.index;
    return this.#maker.make({ ...entry, batch: batchText(frame, part.index, part.of) });
  }
}

/** Returns a body as it was sent. Some tools store it as parsed JSON. */
function bodyOf(view: ObjectView, key: string): string {
  const text = view.textOf(key) ?? '';
  if (text.startsWith('"')) return decodeString(text);
  return /^[{[]/.test(text) ? text : '';
}

function contentTypeOf(headers: ObjectView | undefined): string {
  return pairsOf(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
}

type ExportHeader = readonly [name: string, value: string];

function pairsOf(headers: ObjectView | undefined): ExportHeader[] {
  return (headers?.members ?? []).flatMap(({ key, start, end }): ExportHeader[] => {
    const text = headers?.text.slice(start, end) ?? '';
    if (text.startsWith('"')) return [[key, decodeString(text)]];
    const values = elementTexts(text) ?? [text];
    return values.map((value) => [key, value.startsWith('"') ? decodeString(value) : value]);
  });
}

interface FoundMessages {
  readonly text: JsonText;
  readonly part: WaitingExchange['part'];
}

/** Returns the JSON-RPC message in a body, or the messages of the batch in it. `undefined` if the body is not JSON. */
function messagesIn(body: string): FoundMessages[] | undefined {
  const span = documentSpan(body);
  if (span === undefined) return undefined;
  const json = escapeLoneSurrogates(body.slice(span.start, span.end));
  if (json.startsWith('{')) return isJsonRpc(json) ? [{ text: json, part: undefined }] : [];
  const messages = (elementTexts(json) ?? []).filter(isJsonRpc);
  return messages.map((text, index) => ({ text, part: { index, of: messages.length } }));
}

/** An `error` member alone is not enough, because responses of authorization servers have one too. */
function isJsonRpc(text: JsonText): boolean {
  return ObjectView.of(text)?.string('jsonrpc') !== undefined;
}

function exchangeOf(view: ObjectView, method: string, url: string, exchange: number, atMs: number): WaitingExchange {
  const error = view.string('error') ?? null;
  const raw = JSON.stringify({
    exchange,
    method,
    path: pathOf(url),
    status: view.number('responseStatus') ?? null,
    requestHeaders: pairsOf(view.object('requestHeaders')),
    responseHeaders: pairsOf(view.object('responseHeaders')),
    error,
  });
  const transcript = view.only((key) => !IN_THE_EVENT.has(key));
  const keepsakes = transcript === undefined ? undefined : { transcript };
  const entry: EventEntry = { kind: 'event', event: 'http.exchange', atMs, raw, ...(keepsakes && { keepsakes }) };
  return { atMs, weight: raw.length, entry };
}

/** Members that are not kept: those that the event itself contains, and the bodies, which are messages or private. */
const IN_THE_EVENT = new Set(
  'method requestHeaders requestBody responseStatus responseHeaders responseBody error'.split(' '),
);

function pathOf(url: string): string {
  try {
    const { pathname, search } = new URL(url);
    return pathname + search;
  } catch {
    return url;
  }
}
