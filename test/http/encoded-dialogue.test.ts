import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../support/recordings.ts';
import { EncodedTalk, type ExchangePlan, type Transfer } from './encoded-talk.ts';
import { ENCODERS } from './encodings.ts';

const INITIALIZE =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}';
const call = (id: number): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"é","arguments":{"n":1.0}}}`;
const result = (id: number): string => `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"n":${id}.0}}`;
const PROGRESS = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}';
const event = (text: string): string => `event: message\nid: 1\ndata: ${text}\n\n`;

const PLAIN: Transfer = { request: undefined, response: undefined, chunk: 1000 };
const POST = { method: 'POST', status: 200, isStream: false, ends: 'normally' } as const;

const ID = fc.nat(3);
const REQUEST = fc.oneof(
  ID.map(call),
  fc.constantFrom(INITIALIZE, PROGRESS, '', '{}', '{"jsonrpc"', '"é"'),
  fc.tuple(ID, ID).map(([one, other]) => `[${call(one)},${result(other)},${PROGRESS}]`),
  ID.map((id) => result(id)),
  ID.map((id) => call(id).replace('é', 'long'.repeat(5000))),
);
const EVENT = fc.oneof(
  ID.map((id) => event(result(id))),
  fc.constantFrom(
    event(PROGRESS),
    event(call(7)),
    ': a comment\n\n',
    'retry: 10\ndata:\n\n',
    'event: x\ndata: é\n\n',
    'data: {"jsonrpc":"2.0",',
  ),
);
const PLAN: fc.Arbitrary<ExchangePlan> = fc.record({
  method: fc.constant('POST' as const),
  body: REQUEST,
  session: fc.constantFrom(undefined, undefined, 'of 0', 'of 1'),
  status: fc.constantFrom(200, 200, 200, 401, 500),
  isStream: fc.constant(false),
  parts: fc.oneof(
    fc.constant([]),
    ID.map((id) => [result(id)]),
    fc.constant(['{"jsonrpc":"2.0",']),
  ),
  ends: fc.constantFrom('normally', 'normally', 'normally', 'client leaves', 'server breaks off'),
});
const STREAM: fc.Arbitrary<ExchangePlan> = fc.record({
  method: fc.constantFrom('POST', 'GET'),
  body: ID.map(call),
  session: fc.constantFrom(undefined, 'of 0', 'of 1'),
  status: fc.constant(200),
  isStream: fc.constant(true),
  parts: fc.array(EVENT, { maxLength: 4 }),
  ends: fc.constantFrom('normally', 'client leaves', 'server breaks off'),
});
const PLANS = fc
  .array(fc.oneof(PLAN, STREAM), { minLength: 1, maxLength: 5 })
  .map((plans) => plans.map((plan) => (plan.method === 'GET' ? { ...plan, body: '' } : plan)));
const ENCODING = fc.constantFrom(...Object.keys(ENCODERS));
const TRANSFER: fc.Arbitrary<Transfer> = fc.record({
  request: fc.oneof(fc.constant(undefined), ENCODING),
  response: ENCODING,
  chunk: fc.constantFrom(1, 7, 100, 100_000),
});

/** What must be the same whatever encoding was used: all but headers, times and sizes. */
function comparable(entries: readonly Json[]): unknown {
  const numbers = new Map(entries.map(({ id }, index) => [id, index]));
  const exchanges: Json[] = [];
  const inOrder: Json[] = [];
  for (const { t, seq, id, corr, raw, ...more } of entries) {
    if (more.kind !== 'http.exchange') {
      inOrder.push({ ...more, raw, ...(corr !== undefined && { corr: numbers.get(corr) ?? 'earlier' }) });
      continue;
    }
    const { requestHeaders, responseHeaders, ms, bytes, ...same } = raw as Json;
    exchanges.push({ ...more, ...same, error: String(same.error).replace(/:\d+/, ':PORT') });
  }
  exchanges.sort((one, other) => Number(one.exchange) - Number(other.exchange));
  return { inOrder, exchanges };
}

/** Whether the times never go back. */
function isOrdered(entries: readonly Json[]): boolean {
  const times = entries.map(({ t }) => String(t));
  return times.every((time, index) => index === 0 || time >= (times[index - 1] ?? ''));
}

describe('an encoded dialogue', () => {
  it('has the same trace as the plain one, but for headers, for any encodings and chunks', async () => {
    const [plain, encoded] = [await EncodedTalk.start(), await EncodedTalk.start()];
    await fc.assert(
      fc.asyncProperty(PLANS, fc.array(fc.nat(5), { maxLength: 30 }), TRANSFER, async (plans, schedule, transfer) => {
        const expected = await plain.run(plans, schedule, PLAIN);
        const actual = await encoded.run(plans, schedule, transfer);
        expect(comparable(actual)).toEqual(comparable(expected));
        expect([isOrdered(expected), isOrdered(actual)]).toEqual([true, true]);
      }),
    );
  });

  it.each(Object.keys(ENCODERS))('keeps requests, responses and their times in order: %s', async (encoding) => {
    const talk = await EncodedTalk.start();
    const large = call(1).replace('é', 'long'.repeat(100_000));
    const plans: ExchangePlan[] = [
      { ...POST, body: large, parts: [result(1).replace('[]', `["${'x'.repeat(2_000_000)}"]`)] },
      { ...POST, body: call(2), parts: [result(2)] },
    ];
    const entries = await talk.run(plans, [], { request: encoding, response: encoding, chunk: 100_000 });
    const messages = entries.filter(({ type }) => type === undefined);
    expect(messages.map(({ raw }) => (raw as Json).id)).toEqual([1, 1, 2, 2]);
    expect([messages[1]?.corr, messages[3]?.corr]).toEqual([messages[0]?.id, messages[2]?.id]);
    expect(isOrdered(entries)).toBe(true);
  });

  it.each(Object.keys(ENCODERS))(
    'has no gap if the client closes a stream or nothing is encoded: %s',
    async (encoding) => {
      const talk = await EncodedTalk.start();
      const plans: ExchangePlan[] = [
        { ...POST, body: call(1), isStream: true, parts: [event(PROGRESS)], ends: 'client leaves' },
        { ...POST, body: PROGRESS, status: 202, parts: [] },
      ];
      const entries = await talk.run(plans, [], { request: encoding, response: encoding, chunk: 10 });
      expect(entries.map(({ kind }) => kind)).not.toContain('mcpreel.gap');
      expect(entries.filter(({ type }) => type === undefined).map(({ raw }) => raw)).toEqual(
        [call(1), PROGRESS, PROGRESS].map((text) => JSON.parse(text)),
      );
    },
  );
});
