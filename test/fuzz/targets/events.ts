import { Buffer } from 'node:buffer';
import { textsOf } from '../../../src/protocol/rpc-body.ts';
import { parseSseBody } from '../../../src/protocol/sse/sse-body.ts';
import { type SseItem, SseStream } from '../../../src/protocol/sse/sse-stream.ts';
import { EndpointRewriter } from '../../../src/proxy/http/sse-endpoint.ts';
import { EventCutter, type EventPiece } from '../../../src/proxy/http-hold/event-cutter.ts';
import { eventIn, withData, withoutData } from '../../../src/proxy/http-hold/event-frame.ts';
import { EventGate } from '../../../src/proxy/http-hold/event-gate.ts';
import { STREAM_START } from '../../../src/proxy/http-hold/event-tail.ts';
import { sampleInterceptor } from '../../support/proxy/sample-interceptor.ts';
import { chunksOf } from '../../support/sample-texts.ts';
import { Random } from '../random.ts';
import { textSeeds } from '../seeds.ts';
import { hold, same, type Target } from '../target.ts';

const MESSAGE = '{"jsonrpc":"2.0","id":1,"result":{}}';

const seeds = (): Uint8Array[] =>
  textSeeds(
    `event: message\nid: 1\ndata: ${MESSAGE}\n\n`,
    `id:1\r\ndata:${MESSAGE}\r\n\r\n: still here\r\n\r\ndata: [${MESSAGE},\r\ndata: ${MESSAGE}]\r\n\r\n`,
    `\uFEFFevent: endpoint\ndata: http://target.example:80/messages?id=1\n\ndata: ${MESSAGE}\n\n`,
    `data: a\rdata: b\r\rid\rretry: 10\r\r: x\rdata\r\r`,
    'retry: 3000\nid: 0\ndata:\n\nevent\ndata: x\n\nid: a\0b\ndata: y\n\ndatax: z\n:data: w\n\n',
    `data: {"jsonrpc":"2.0","method":"é🦊"}\n\nevent: endpoint\ndata: /relative\n\nid: 9`,
  );

/** Fuzzes event streams: reading them, splitting them into events, and holding and rewriting events. */
export const eventTargets: readonly Target[] = [
  { name: 'event-stream', perSecond: 2000, seeds, check: checkStream },
  { name: 'event-gate', perSecond: 6000, seeds, check: checkGate },
];

function checkStream(input: Uint8Array): void {
  const random = Random.of(input);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(input);
  const items = itemsIn([text]);
  const cuts = random.cuts(text.length, 10);
  const pieces = [0, ...cuts].map((from, index) => text.slice(from, cuts[index] ?? text.length));
  same(itemsIn(pieces), items, 'events are the same in any chunks');
  same(itemsIn(text.split('')), items, 'events are the same character by character');
  same(
    items.map(({ event, id, data }) => ({ event, id, data })),
    expectedItems(text),
    'events are those of the standard',
  );
  same(parseSseBody(text).length, items.filter(({ data }) => data !== undefined).length, 'a body has the same events');
  // No real event name or id has thousands of characters.
  if (text.split(/[\r\n]/).every((line) => line.length < 8000)) checkLimited(text, items);
  checkCutter(input, random);
  checkEndpoint(input, random);
}

function itemsIn(pieces: readonly string[], limit?: number): SseItem[] {
  const stream = new SseStream(limit);
  return [...pieces.flatMap((piece) => stream.push(piece)), ...stream.end()];
}

function checkLimited(text: string, items: readonly SseItem[]): void {
  const limited = itemsIn([text], 20);
  same(
    limited.map(({ event }) => event.length < 8000),
    items.map(() => true),
    'no event is lost for its length',
  );
  for (const [index, { data, tooLong }] of limited.entries()) {
    const length = items[index]?.data?.length ?? 0;
    if (length > 20) same([data, tooLong], [undefined, length], 'a long event tells its length');
    else same(data, items[index]?.data, 'a short event is itself');
  }
}

/** A minimal implementation of the standard's rules. */
function expectedItems(text: string): Pick<SseItem, 'event' | 'id' | 'data'>[] {
  const blocks: string[][] = [[]];
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    if (line === '') blocks.push([]);
    else blocks.at(-1)?.push(line);
  }
  return blocks.flatMap(expectedItem);
}

function expectedItem(lines: readonly string[]): Pick<SseItem, 'event' | 'id' | 'data'>[] {
  const fields = lines.map((line) => (line.includes(':') ? line.split(/: ?(.*)/su) : [line, '']));
  const valuesOf = (name: string): string[] => fields.flatMap(([field, value = '']) => (field === name ? [value] : []));
  const data = valuesOf('data');
  const event = valuesOf('event').at(-1) ?? '';
  const id = valuesOf('id').findLast((value) => !value.includes('\0'));
  const saysRetry = valuesOf('retry').some((value) => /^\d{1,15}$/.test(value));
  if (data.length === 0 && event === '' && id === undefined && !saysRetry) return [];
  return [{ event: event || 'message', id, data: data.length === 0 ? undefined : data.join('\n') }];
}

function checkCutter(input: Uint8Array, random: Random): void {
  const whole = cut([input]);
  same(Buffer.concat(whole.map(({ bytes }) => bytes)).equals(input), true, 'the pieces are the stream');
  const chunked = cut(chunksOf(input, random.cuts(input.length, 10)));
  same(Buffer.concat(chunked.map(({ bytes }) => bytes)).equals(input), true, 'the pieces are the stream in any chunks');
  for (const [index, { kind, bytes }] of whole.entries()) {
    if (kind !== 'event') continue;
    const item = eventIn(bytes, index === 0);
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    hold(
      item !== undefined || itemsIn([index === 0 ? text : `\n${text}`]).length === 0,
      'an event is one event',
      () => text,
    );
    if (item?.data === undefined) continue;
    const changed = eventIn(withData(bytes, MESSAGE), index === 0);
    same(changed, { ...item, data: MESSAGE }, 'an event that says something else keeps the rest');
    const emptied = withoutData(bytes, false);
    if (emptied !== undefined) same(eventIn(emptied, index === 0)?.data, undefined, 'a dropped event says nothing');
  }
}

function cut(chunks: readonly Uint8Array[]): EventPiece[] {
  const cutter = new EventCutter(1 << 20);
  const pieces = chunks.flatMap((chunk) => cutter.push(Buffer.from(chunk)));
  const rest = cutter.flush();
  return rest === undefined ? pieces : [...pieces, { kind: 'part', bytes: rest }];
}

function checkEndpoint(input: Uint8Array, random: Random): void {
  const rewrite = (chunks: readonly Uint8Array[]): Uint8Array => {
    const rewriter = new EndpointRewriter('http://target.example', 'http://127.0.0.1:9');
    const parts = chunks.map((chunk) => Buffer.from(rewriter.push(Buffer.from(chunk))));
    return Buffer.concat([...parts, rewriter.end()]);
  };
  const rewritten = rewrite([input]);
  same(
    rewrite(chunksOf(input, random.cuts(input.length, 10))),
    rewritten,
    'an endpoint is rewritten the same in any chunks',
  );
  const letters = Buffer.from(input)
    .toString('latin1')
    .toLowerCase()
    .replaceAll(/[^a-z.%]/g, '');
  if (!/target\.example|%/.test(letters)) {
    same(Buffer.from(rewritten).equals(input), true, 'what does not name the target stays');
  }
}

/** However events are held, watched and released, the receiver gets every byte in the end. */
function checkGate(input: Uint8Array): void {
  const random = Random.of(input);
  const interceptor = sampleInterceptor({
    mode: random.pick(['intercept', 'passthrough']),
    wants: () => random.oneIn(2),
  });
  const sent: Uint8Array[] = [];
  const gate = new EventGate(
    { interceptor, limit: 4096, outOfOrder: false, knowsEmptyData: false, nowMs: () => 0, tail: STREAM_START },
    {
      write: (bytes) => sent.push(bytes),
      pause: () => undefined,
      resume: () => undefined,
      look: () => undefined,
      ask: ({ body, doubt }, atMs, settled) =>
        interceptor.ask(textsOf(body), { direction: 'server_to_client', atMs, conversation: 0, doubt }, settled),
      unread: (why) => interceptor.unread({ direction: 'server_to_client', conversation: 0, why }),
      replace: () => undefined,
      unanswered: () => undefined,
      answer: () => undefined,
      onSettled: () => undefined,
    },
  );
  for (const chunk of chunksOf(input, random.cuts(input.length, 12))) {
    gate.take(Buffer.from(chunk));
    const held = interceptor.held[0];
    if (held !== undefined && random.oneIn(2)) interceptor.decide(held.id, { action: 'forward' });
    if (random.oneIn(6)) interceptor.setMode(random.pick(['intercept', 'passthrough']));
  }
  let isOver = false;
  gate.end(() => {
    isOver = true;
  });
  interceptor.setMode('passthrough');
  same(isOver, true, 'a stream ends once nothing is held');
  const [got, came] = [Buffer.concat(sent), Buffer.from(input)];
  same(got.length, came.length, 'the gate passes every byte on');
  // Comments and blank lines may overtake held events; everything else keeps its order.
  const events = (bytes: Buffer): unknown => parseSseBody(`\n${bytes.toString('latin1')}`);
  same(events(got), events(came), 'the events come in order');
}
