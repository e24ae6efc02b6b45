import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { event, footer, header, message, NOON_MS, response, session } from '../../../test/contract/factories.ts';
import { writeAll } from '../../../test/contract/files.ts';
import { anySession } from '../../../test/contract/random-sessions.ts';
import type { RecordedSession } from '../../model/session.ts';
import { otlp, otlpRequests } from './otlp.ts';

type Spans = Parameters<typeof JsonTraceSerializer.serializeRequest>[0];

/** The numbers in the OpenTelemetry API; on the wire, span kinds are one higher. */
const SERVER = 1;
const CLIENT = 2;
const ERROR = 2;

const SESSION_ID = '550e8400-e29b-41d4-a716-446655440000';
const TRACE_ID = '550e8400e29b41d4a716446655440000';

/** A span as an SDK represents it. */
interface SdkSpan {
  readonly name: string;
  readonly kind?: number;
  readonly spanId: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly status?: { readonly code: number; readonly message?: string };
  readonly parent?: { readonly traceId: string; readonly spanId: string; readonly state?: string };
}

/** The spans as OpenTelemetry's own serializer writes them. */
function serialised(spans: readonly SdkSpan[], resource: Readonly<Record<string, string>>): string {
  const ofResource = { attributes: resource };
  const scope = { name: 'mcpreel', version: __MCPREEL_VERSION__ };
  const sdkSpans = spans.map(
    ({ name, kind = SERVER, spanId, fromMs, toMs, attributes, status = { code: 0 }, parent }) => ({
      spanContext: () => ({
        traceId: parent?.traceId ?? TRACE_ID,
        spanId,
        traceFlags: 1,
        traceState: parent?.state === undefined ? undefined : { serialize: () => parent.state },
      }),
      ...(parent && {
        parentSpanContext: { traceId: parent.traceId, spanId: parent.spanId, traceFlags: 1, isRemote: true },
      }),
      ...{ name, kind, status, attributes, startTime: hrTime(fromMs), endTime: hrTime(toMs) },
      ...{ events: [], links: [], droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 },
      ...{ resource: ofResource, instrumentationScope: scope },
    }),
  );
  const text = new TextDecoder().decode(JsonTraceSerializer.serializeRequest(sdkSpans as unknown as Spans));
  // OTLP/JSON writes integers of 64 bits as decimal strings. This serializer writes numbers, which collectors also accept.
  return text.replaceAll(/"intValue":(-?\d+)/g, '"intValue":"$1"');
}

function hrTime(ms: number): [seconds: number, nanos: number] {
  return [Math.floor(ms / 1000), (ms % 1000) * 1_000_000];
}

const call = (id: number, name: string, more = ''): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}"${more}}}`;

/** The written spans, without their enclosing objects. */
async function spansOf(recorded: RecordedSession): Promise<Readonly<Record<string, unknown>>[]> {
  const { resourceSpans } = JSON.parse(await writeAll(otlp, recorded)) as {
    resourceSpans: { scopeSpans: { spans: Record<string, unknown>[] }[] }[];
  };
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

const spanIds = async (recorded: RecordedSession): Promise<string[]> =>
  (await spansOf(recorded)).map(({ spanId }) => String(spanId));

describe('OTLP spans', () => {
  it('writes the same as OpenTelemetry’s own serializer, with integers as strings: over stdio', async () => {
    const parent =
      ',"_meta":{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","tracestate":"a=1, b=2"}';
    const recorded = session([
      message({ proxyId: 'a', text: '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}' }),
      response({
        proxyId: 'b',
        atMs: NOON_MS + 40,
        text: '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}',
      }),
      message({ proxyId: 'c', atMs: NOON_MS + 50, text: call(1, 'search', parent) }),
      message({
        proxyId: 's',
        atMs: NOON_MS + 60,
        direction: 'server_to_client',
        text: '{"jsonrpc":"2.0","id":1,"method":"roots/list"}',
      }),
      message({ proxyId: 't', atMs: NOON_MS + 61, text: '{"jsonrpc":"2.0","id":1,"result":{"roots":[]}}' }),
      response({
        proxyId: 'd',
        atMs: NOON_MS + 175,
        text: '{"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":true}}',
      }),
      message({
        proxyId: 'e',
        atMs: NOON_MS + 200,
        text: '{"jsonrpc":"2.0","id":"x","method":"prompts/get","params":{"name":"p"}}',
      }),
      response({
        proxyId: 'f',
        atMs: NOON_MS + 203,
        text: '{"jsonrpc":"2.0","id":"x","error":{"code":-32602,"message":"no such prompt"}}',
      }),
    ]);
    const [first = '', roots = '', tool = '', prompt = ''] = await spanIds(recorded);
    const common = { 'mcp.session.id': SESSION_ID, 'mcp.protocol.version': '2025-11-25' };
    const onPipe = (sequence: number): object => ({ 'network.transport': 'pipe', 'mcpreel.sequence': sequence });
    expect(await writeAll(otlp, recorded)).toBe(
      `${serialised(
        [
          {
            name: 'initialize',
            spanId: first,
            fromMs: NOON_MS,
            toMs: NOON_MS + 40,
            attributes: { 'mcp.method.name': 'initialize', ...common, 'jsonrpc.request.id': '0', ...onPipe(0) },
          },
          {
            name: 'roots/list',
            kind: CLIENT,
            spanId: roots,
            fromMs: NOON_MS + 60,
            toMs: NOON_MS + 61,
            attributes: { 'mcp.method.name': 'roots/list', ...common, 'jsonrpc.request.id': '1', ...onPipe(3) },
          },
          {
            name: 'tools/call search',
            spanId: tool,
            fromMs: NOON_MS + 50,
            toMs: NOON_MS + 175,
            attributes: {
              'mcp.method.name': 'tools/call',
              'gen_ai.operation.name': 'execute_tool',
              'gen_ai.tool.name': 'search',
              ...common,
              'jsonrpc.request.id': '1',
              ...onPipe(2),
              'error.type': 'tool_error',
            },
            status: { code: ERROR },
            parent: { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', state: 'a=1,b=2' },
          },
          {
            name: 'prompts/get p',
            spanId: prompt,
            fromMs: NOON_MS + 200,
            toMs: NOON_MS + 203,
            attributes: {
              'mcp.method.name': 'prompts/get',
              'gen_ai.prompt.name': 'p',
              ...common,
              'jsonrpc.request.id': 'x',
              ...onPipe(6),
              'error.type': '-32602',
              'rpc.response.status_code': '-32602',
            },
            status: { code: ERROR, message: 'no such prompt' },
          },
        ],
        { 'service.name': 'my_server', 'mcpreel.session.id': SESSION_ID },
      )}\n`,
    );
  });

  it('writes the same bytes over HTTP, with the negotiated session id and protocol version', async () => {
    const place = { http: '{"exchange":0}', conversation: 1 };
    const recorded = session(
      [
        message({
          ...place,
          text: '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///x","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}',
        }),
        response({ ...place, atMs: NOON_MS + 5 }),
        event({
          event: 'http.exchange',
          conversation: 1,
          raw: '{"exchange":0,"requestHeaders":[["a"],7],"responseHeaders":[["mcp-session-id","s-1"]]}',
        }),
      ],
      {
        header: header({
          transport: 'streamable-http',
          url: 'https://example.com/mcp',
          command: [],
          label: 'example.com',
        }),
      },
    );
    const [only = ''] = await spanIds(recorded);
    expect(await writeAll(otlp, recorded)).toBe(
      `${serialised(
        [
          {
            name: 'resources/read',
            spanId: only,
            fromMs: NOON_MS,
            toMs: NOON_MS + 5,
            attributes: {
              'mcp.method.name': 'resources/read',
              'mcp.resource.uri': 'file:///x',
              'mcp.session.id': 's-1',
              'mcp.protocol.version': '2026-07-28',
              'jsonrpc.request.id': '1',
              'network.transport': 'tcp',
              'server.address': 'example.com',
              'server.port': 443,
              'mcpreel.sequence': 0,
            },
          },
        ],
        { 'service.name': 'example.com', 'mcpreel.session.id': SESSION_ID },
      )}\n`,
    );
  });

  it('writes the serializer’s empty output for a session without calls', async () => {
    expect(await writeAll(otlp, session([event()]))).toBe(`${serialised([], {})}\n`);
  });

  it('ends the span of an unanswered call with the session, and of a cancelled call with its cancellation', async () => {
    const spans = await spansOf(
      session(
        [
          message({ proxyId: 'a', text: call(1, 'hangs') }),
          message({ proxyId: 'b', text: call(2, 'goes'), atMs: NOON_MS + 1 }),
          message({
            proxyId: 'c',
            atMs: NOON_MS + 900,
            text: '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}',
          }),
        ],
        { footer: footer() },
      ),
    );
    expect(spans).toMatchObject([
      {
        name: 'tools/call hangs',
        endTimeUnixNano: `${NOON_MS + 30_000}000000`,
        status: { code: ERROR, message: 'No response' },
      },
      {
        name: 'tools/call goes',
        endTimeUnixNano: `${NOON_MS + 900}000000`,
        status: { code: ERROR, message: 'Cancelled' },
      },
    ]);
  });

  it('generates span ids that are unique and the same on every export', async () => {
    const many = session(
      Array.from({ length: 2000 }, (_, n) => message({ proxyId: `m-${n}`, text: call(n, 'x') })),
      { header: header({ id: 'by hand' }) },
    );
    const ids = await spanIds(many);
    expect(new Set(ids).size).toBe(2000);
    expect(await spanIds(many)).toEqual(ids);
    const [first] = await spansOf(many);
    expect(first?.traceId).toMatch(/^(?!0{32})[\da-f]{32}$/);
  });

  it.each([
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331',
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
    'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    '00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more',
  ])('writes no parent if the traceparent is invalid: %s', async (traceparent) => {
    const [span] = await spansOf(
      session([message({ text: call(1, 'x', `,"_meta":{"traceparent":"${traceparent}"}`) })]),
    );
    expect(span).toMatchObject({ traceId: TRACE_ID, flags: 0x101 });
    expect(span).not.toHaveProperty('parentSpanId');
  });

  it('writes valid spans for any session', async () => {
    await fc.assert(
      fc.asyncProperty(anySession, async (recorded) => {
        for (const { startTimeUnixNano, endTimeUnixNano, spanId, traceId, name, kind } of await spansOf(recorded)) {
          const [from, to] = [BigInt(String(startTimeUnixNano)), BigInt(String(endTimeUnixNano))];
          expect(from >= 0n && from <= to && to < 1n << 64n).toBe(true);
          expect([spanId, traceId]).toEqual([
            expect.stringMatching(/^[\da-f]{16}$/),
            expect.stringMatching(/^[\da-f]{32}$/),
          ]);
          expect([typeof name, [2, 3].includes(Number(kind))]).toEqual(['string', true]);
        }
      }),
    );
  });

  it('splits spans into requests within the size limits, without losing any', async () => {
    const many = session(Array.from({ length: 25 }, (_, n) => message({ proxyId: `m-${n}`, text: call(n, 'x') })));
    const requests = [];
    for await (const request of otlpRequests(many, { maxSpans: 10 })) requests.push(request);
    expect(requests.map(({ spans }) => spans)).toEqual([10, 10, 5]);
    const whole = JSON.parse(await writeAll(otlp, many));
    const joined = requests.flatMap(({ text }) => JSON.parse(text).resourceSpans[0].scopeSpans[0].spans);
    expect(joined).toEqual(whole.resourceSpans[0].scopeSpans[0].spans);
    const one = [];
    for await (const { spans } of otlpRequests(many, { maxCharacters: 1 })) one.push(spans);
    expect(one).toEqual(Array.from({ length: 25 }, () => 1));
  });
});
