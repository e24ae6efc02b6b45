import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Direction, MessageEntry } from '../../model/entry.ts';
import { ImportSemantics } from './import-semantics.ts';
import type { NormalisedEvent } from './normalised-event.ts';

type Sent = [direction: '>' | '<', payload: object | string];

function messages(sent: readonly Sent[]): MessageEntry[] {
  return sent.map(([side, payload], n) => {
    const direction: Direction = side === '>' ? 'client_to_server' : 'server_to_client';
    const text = typeof payload === 'string' ? payload : JSON.stringify({ jsonrpc: '2.0', ...payload });
    return { kind: 'message', sequence: n, proxyId: `m${n}`, atMs: 1000 + n, direction, text, sourceLine: n + 1 };
  });
}

function understand(
  sent: readonly Sent[],
  infersDirections = false,
): { events: NormalisedEvent[]; semantics: ImportSemantics } {
  const semantics = new ImportSemantics();
  if (infersDirections) semantics.inferDirections();
  const events = messages(sent).flatMap((message) => semantics.take(message));
  return { events: [...events, ...semantics.finish()], semantics };
}

/** A short form of events: `step 0 add`, `call 0 {"sum":3}`, `call 0 ! timeout`. */
function outline(events: readonly NormalisedEvent[]): string[] {
  return events.map((event) =>
    event.kind === 'step'
      ? `step ${event.index} ${event.name}`
      : `call ${event.stepIndex} ${event.args} ${event.result} ${event.error}`,
  );
}

const call = (id: unknown, name = 'add', args: unknown = {}): object => ({
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

describe('ImportSemantics', () => {
  it('emits a step when a tool is called and its outcome when the response arrives', () => {
    const { events } = understand([
      ['>', call('a', 'A')],
      ['>', call('b', 'B')],
      ['<', { id: 'b', result: { b: 1 } }],
      ['<', { id: 'a', error: { code: 1, message: 'no' } }],
    ]);
    expect(outline(events)).toEqual([
      'step 0 A',
      'step 1 B',
      'call 1 {} {"b":1} null',
      'call 0 {} {"error":{"code":1,"message":"no"}} mcp_error',
    ]);
  });

  it('treats a number and its string form as the same id without rounding, and null as no id', () => {
    const { events, semantics } = understand([
      ['>', '{"id":9007199254740993,"method":"tools/call","params":{"name":"big"}}'],
      ['<', '{"id":9007199254740992,"result":1}'],
      ['<', '{"id":"9007199254740993","result":2}'],
      ['>', call(null, 'none')],
      ['<', '{"id":null,"result":3}'],
    ]);
    expect(outline(events)).toEqual(['step 0 big', 'call 0 null 2 null', 'step 1 none', 'call 1 {} null null']);
    expect(semantics.orphans).toEqual([
      { id: '9007199254740992', sourceLine: 2 },
      { id: null, sourceLine: 5 },
    ]);
  });

  it('binds the first response; a later one is an orphan and changes nothing', () => {
    const { events, semantics } = understand([
      ['>', call(1)],
      ['<', { id: 1, result: 'first' }],
      ['<', { id: 1, result: 'late' }],
    ]);
    expect(outline(events)).toEqual(['step 0 add', 'call 0 {} "first" null']);
    expect([semantics.orphanCount, semantics.finalOutput]).toEqual([1, '"first"']);
  });

  it('reports unanswered calls at the end, in call order and with their own timestamps', () => {
    const { events, semantics } = understand([
      ['>', call('x', 'X')],
      ['>', call('y', 'Y')],
      ['>', { id: 'z', method: 'ping' }],
    ]);
    expect(outline(events.slice(2))).toEqual([
      'call 0 {} null timeout/no_response',
      'call 1 {} null timeout/no_response',
    ]);
    expect(events.slice(2).map(({ atMs }) => atMs)).toEqual([1000, 1001]);
    expect(semantics.pending).toBe(2);
  });

  it('never binds a response to a request from the same side with the same id', () => {
    const { events } = understand([
      ['>', call(1)],
      ['<', { id: 1, method: 'sampling/createMessage', params: {} }],
      ['>', { id: 1, result: { role: 'assistant' } }],
      ['<', { id: 1, result: { sum: 3 } }],
    ]);
    expect(outline(events)).toEqual(['step 0 add', 'call 0 {} {"sum":3} null']);
  });

  it('infers the directions if the transcript does not state them', () => {
    const everythingFromTheClient: Sent[] = [
      ['>', call(1)],
      ['>', { id: 1, method: 'sampling/createMessage', params: {} }],
      ['>', { id: 1, result: { role: 'assistant' } }],
      ['>', { id: 1, result: { sum: 3 } }],
    ];
    expect(outline(understand(everythingFromTheClient, true).events)).toEqual([
      'step 0 add',
      'call 0 {} {"sum":3} null',
    ]);
  });

  it('recognizes a tool list by its request, not by its response', () => {
    const { events } = understand([
      ['>', { id: 1, method: 'tools/list' }],
      ['<', { id: 1, result: { tools: [{ name: 'a', inputSchema: { type: 'object' } }, {}] } }],
      ['>', call(2)],
      ['<', { id: 2, result: { tools: [] } }],
      ['>', { id: 3, method: 'tools/list' }],
      ['<', { id: 3, error: { code: 1, message: 'no' } }],
    ]);
    expect(outline(events)).toEqual([
      'step 0 tools/list',
      'step 1 tools/list.result',
      'step 2 add',
      'call 2 {} {"tools":[]} null',
      'step 3 tools/list',
    ]);
    expect(events[1]).toMatchObject({
      content:
        '{"tools":[{"name":"a","description":null,"input_schema":{"type":"object"},"tool_identity":null},' +
        '{"name":"unknown","description":null,"input_schema":null,"tool_identity":null}]}',
    });
  });

  it.each([
    [
      [
        ['>', call(1)],
        ['>', call('1')],
      ],
      'duplicate tools/call request id "1" at source line 2',
    ],
    [[['>', call(true)]], 'JSON-RPC id on source line 1 must not be a boolean'],
    [
      [
        ['>', { method: 'x' }],
        ['<', { id: [], result: 1 }],
      ],
      'JSON-RPC id on source line 2 must not be an array',
    ],
  ] as [Sent[], string][])('rejects %j', (sent, sentence) => {
    expect(() => understand(sent)).toThrow(expect.objectContaining({ code: 'transcript-invalid', message: sentence }));
  });

  it('uses unknown_tool and null for a call without a tool name or arguments', () => {
    const { events } = understand([['>', { method: 'tools/call' }]]);
    expect(outline(events)).toEqual(['step 0 unknown_tool', 'call 0 null null null']);
  });

  describe('ImportSemantics for an HTTP recording', () => {
    /** Each message in an exchange, with the id of the request it answers. */
    function recorded(...sent: [Sent, exchange: number, answers?: string][]): MessageEntry[] {
      return messages(sent.map(([one]) => one)).map((message, n) => ({
        ...message,
        http: `{"exchange":${sent[n]?.[1]}}`,
        correlatedId: sent[n]?.[2],
      }));
    }

    function meaning(sent: readonly MessageEntry[]): { outcomes: string[]; orphans: number } {
      const semantics = new ImportSemantics();
      const events = sent.flatMap((message) => semantics.take(message)).concat(semantics.finish());
      return {
        outcomes: outline(events).filter((line) => line.startsWith('call')),
        orphans: semantics.orphanCount,
      };
    }

    it('binds a response to its recorded request if several clients use the same ids', () => {
      const sent = recorded(
        [['>', call(1, 'A')], 1],
        [['>', call(1, 'B')], 2],
        [['<', { id: 1, result: 'b' }], 2, 'm1'],
        [['<', { id: 1, result: 'a' }], 3, 'm0'],
      );
      expect(meaning(sent)).toEqual({ outcomes: ['call 1 {} "b" null', 'call 0 {} "a" null'], orphans: 0 });
    });

    it('binds an error without an id to its recorded request', () => {
      const sent = recorded([['>', call(1)], 1], [['<', { id: null, error: { code: 1, message: 'no' } }], 1, 'm0']);
      expect(meaning(sent).outcomes).toEqual(['call 0 {} {"error":{"code":1,"message":"no"}} mcp_error']);
    });

    it('binds a response without a recorded request by its id, but only within its exchange', () => {
      const sent = recorded(
        [['>', call(1)], 1],
        [['<', { id: '1', result: 'other' }], 2],
        [['<', { id: '1', result: 'own' }], 1],
      );
      expect(meaning(sent)).toEqual({ outcomes: ['call 0 {} "own" null'], orphans: 1 });
    });

    it('binds only the first of two responses with the same recorded request', () => {
      const sent = recorded(
        [['>', call(1)], 1],
        [['<', { id: 1, result: 'first' }], 1, 'm0'],
        [['<', { id: 1, result: 'late' }], 1, 'm0'],
      );
      expect(meaning(sent)).toEqual({ outcomes: ['call 0 {} "first" null'], orphans: 1 });
    });

    it('rejects an id that is used twice in one exchange', () => {
      expect(() => meaning(recorded([['>', call(1)], 1], [['>', call(1)], 1]))).toThrow(
        'duplicate tools/call request id "1" at source line 2',
      );
    });

    it('treats HTTP metadata without an exchange number as no exchange', () => {
      const sent = messages([
        ['>', call(1)],
        ['>', call(1)],
      ]).map((message) => ({ ...message, http: '{}' }));
      expect(() => meaning(sent)).toThrow('duplicate tools/call request id "1" at source line 2');
    });
  });

  it('binds every call to its own response in any interleaving', () => {
    const interleaving = fc
      .uniqueArray(fc.nat(1000), { minLength: 1, maxLength: 20 })
      .chain((ids) => fc.tuple(fc.constant(ids), fc.shuffledSubarray(ids, { minLength: ids.length })));
    fc.assert(
      fc.property(interleaving, ([requested, answered]) => {
        const { events, semantics } = understand([
          ...requested.map((id): Sent => ['>', call(id, `tool-${id}`)]),
          ...answered.map((id): Sent => ['<', { id, result: { of: id } }]),
        ]);
        const outcomes = events.filter((event) => event.kind === 'tool_call');
        expect(outcomes.map(({ toolName, result }) => [toolName, result])).toEqual(
          answered.map((id) => [`tool-${id}`, `{"of":${id}}`]),
        );
        expect([semantics.orphanCount, semantics.pending]).toEqual([0, 0]);
      }),
    );
  });
});
