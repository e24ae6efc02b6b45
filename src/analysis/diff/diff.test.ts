import { describe, expect, it } from 'vitest';
import { message, response, session } from '../../../test/contract/factories.ts';
import type { Entry } from '../../model/entry.ts';
import { diffSessions, type SessionDiff } from './diff.ts';
import { IgnoreRules } from './ignore-rules.ts';
import type { DiffOptions } from './surveyed-session.ts';

type Params = Readonly<Record<string, unknown>>;

function asks(
  id: number,
  method: string,
  params: Params = {},
  more: Partial<Entry & { conversation: number }> = {},
): Entry {
  const text = JSON.stringify({ jsonrpc: '2.0', id, method, params });
  return message({ proxyId: `q${id} ${more.conversation ?? 0}`, text, ...more } as object);
}

function answers(id: number, result: unknown, more: { conversation?: number } = {}): Entry {
  return response({ proxyId: `a${id}`, text: JSON.stringify({ jsonrpc: '2.0', id, result }), ...more });
}

function says(method: string, params: Params): Entry {
  return message({ proxyId: method, text: JSON.stringify({ jsonrpc: '2.0', method, params }) });
}

/** A tool call with its response. */
function calls(id: number, name: string, args: Params = {}, result: unknown = {}): Entry[] {
  return [asks(id, 'tools/call', { name, arguments: args }), answers(id, result)];
}

function lists(id: number, tools: readonly object[], cursors: { cursor?: string; nextCursor?: string } = {}): Entry[] {
  const { nextCursor, ...params } = cursors;
  return [asks(id, 'tools/list', params), answers(id, { tools, nextCursor })];
}

function compare(
  a: readonly Entry[],
  b: readonly Entry[],
  { profile = 'semantic', ignore = [] }: { profile?: DiffOptions['profile']; ignore?: readonly string[] } = {},
): Promise<SessionDiff> {
  return diffSessions({ a: session(a), b: session(b) }, { profile, ignore: new IgnoreRules(ignore) });
}

/** The differences, one per line. */
function reported({ contract, sequence, values }: SessionDiff): string[] {
  return [
    ...contract.map(({ subject, name, detail, breaking, path = '' }) => {
      return `${subject} ${name} ${path} ${detail}${breaking ? '!' : ''}`.replace('  ', ' ');
    }),
    ...sequence.map(({ change, call }) => `${change} ${call.name ?? call.method}`),
    ...values.map(({ call, path, a, b }) => `${call.name ?? call.method} ${path} ${a}→${b}`),
  ];
}

describe('comparing the calls of two sessions', () => {
  it('matches calls by method, name and arguments, regardless of their ids', async () => {
    const a = [...calls(1, 'x', { n: 1 }, { r: 1 }), ...calls(2, 'x', { n: 2 }, { r: 2 })];
    const b = [...calls(7, 'x', { n: 1.0 }, { r: 1 }), ...calls(8, 'x', { n: 2 }, { r: 3 })];
    const diff = await compare(a, b);
    expect(reported(diff)).toEqual(['x $.result.r 2→3']);
    expect(diff.values[0]?.call).toEqual({
      direction: 'client_to_server',
      method: 'tools/call',
      name: 'x',
      params: '{"name":"x","arguments":{"n":2}}',
      messages: { a: [2, 3], b: [2, 3] },
    });
  });

  it('reports removed and added calls', async () => {
    const diff = await compare([...calls(1, 'a'), ...calls(2, 'b')], [...calls(1, 'b'), ...calls(2, 'c')]);
    expect(reported(diff)).toEqual(['removed a', 'added c']);
    expect(diff.sequence.map(({ call }) => call.messages)).toEqual([
      { a: [0, 1], b: [] },
      { a: [], b: [2, 3] },
    ]);
  });

  it('reports a reordered call if the calls ran one after the other', async () => {
    const [a, b, c] = [calls(1, 'a'), calls(2, 'b'), calls(3, 'c')];
    expect(reported(await compare([...a, ...b, ...c], [...b, ...c, ...a]))).toEqual(['reordered a']);
  });

  it('reports no reordering if the calls overlap in one session or in both', async () => {
    const [[askA, reportA], [askB, reportB]] = [calls(1, 'a') as [Entry, Entry], calls(2, 'b') as [Entry, Entry]];
    expect(reported(await compare([askA, askB, reportA, reportB], [askB, askA, reportA, reportB]))).toEqual([]);
    expect(reported(await compare([askA, reportA, askB, reportB], [askB, askA, reportB, reportA]))).toEqual([]);
    expect(reported(await compare([askA, reportA, askB, reportB], [askB, reportB, askA, reportA]))).toHaveLength(1);
  });

  it('matches identical concurrent calls by their responses', async () => {
    const [ask1, ask2, ask3] = [1, 2, 3].map((id) => asks(id, 'tools/call', { name: 'next' })) as [Entry, Entry, Entry];
    const report = (id: number, n: number): Entry => answers(id, { n });
    const before = [ask1, ask2, report(1, 1), report(2, 2)];
    expect(reported(await compare(before, [ask1, ask2, report(1, 2), report(2, 1)]))).toEqual([]);
    expect(reported(await compare(before, [ask1, ask2, report(1, 2), report(2, 3)]))).toEqual(['next $.result.n 1→3']);
    expect(reported(await compare(before, [ask1, report(1, 2), ask2, report(2, 1)]))).toEqual([]);
    const inTurn = [ask1, report(1, 1), ask2, report(2, 2)];
    expect(reported(await compare(inTurn, [ask1, report(1, 2), ask2, report(2, 1)]))).toHaveLength(2);
    const three = [ask1, ask2, ask3, report(1, 1), report(2, 2), report(3, 3)];
    expect(reported(await compare(three, [ask1, ask2, ask3, report(1, 3), report(2, 1), report(3, 2)]))).toEqual([]);
  });

  it('reports no reordering across conversations', async () => {
    const of = (conversation: number, name: string): Entry[] => [
      asks(1, 'tools/call', { name }, { conversation }),
      answers(1, {}, { conversation }),
    ];
    expect(reported(await compare([...of(1, 'a'), ...of(2, 'b')], [...of(1, 'b'), ...of(2, 'a')]))).toEqual([]);
  });

  it('reports a difference if only one call was answered, or was answered with an error', async () => {
    const failed = response({ text: '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}' });
    const [ask, report] = calls(1, 'a') as [Entry, Entry];
    expect((await compare([ask, report], [ask])).values).toMatchObject([{ path: '$', b: undefined }]);
    expect((await compare([ask, report], [ask, failed])).values).toMatchObject([{ path: '$' }]);
    expect(reported(await compare([ask], [ask]))).toEqual([]);
  });

  it('reports no difference if both calls were cancelled and only one was answered', async () => {
    const [ask, report] = calls(1, 'a') as [Entry, Entry];
    const cancel = says('notifications/cancelled', { requestId: 1 });
    expect(reported(await compare([ask, cancel], [ask, cancel, report]))).toEqual([]);
  });

  it('ignores progress tokens, timestamps, and missing instead of empty arguments', async () => {
    const a = [asks(1, 'tools/call', { name: 'x', arguments: {}, _meta: { progressToken: 1 } }), answers(1, {})];
    const b = [asks(1, 'tools/call', { name: 'x', _meta: { progressToken: 2 } }), answers(1, {})];
    expect(reported(await compare(a, b))).toEqual([]);
    expect(reported(await compare(a, b, { profile: 'strict' }))).toEqual([
      'x $.params.arguments {}→undefined',
      'x $.params._meta.progressToken 1→2',
    ]);
    const since = (time: string): Entry[] => calls(1, 'x', { since: time });
    expect(reported(await compare(since('2026-03-04T10:00:00Z'), since('2026-03-05T10:00:00Z')))).toEqual([]);
  });

  it('ignores pings, except in the strict profile', async () => {
    const ping = [asks(9, 'ping'), answers(9, {})];
    expect(reported(await compare(calls(1, 'x'), [...calls(1, 'x'), ...ping]))).toEqual([]);
    expect(reported(await compare(calls(1, 'x'), [...calls(1, 'x'), ...ping], { profile: 'strict' }))).toEqual([
      'added ping',
    ]);
  });

  it('compares the final status of a task, not the number of polls', async () => {
    const begin = [asks(1, 'tools/call', { name: 'x' }), answers(1, { task: { taskId: 't', status: 'working' } })];
    const poll = (id: number, status: string): Entry[] => [
      asks(id, 'tasks/get', { taskId: 't' }),
      answers(id, { taskId: 't', status }),
    ];
    const a = [...begin, ...poll(2, 'working'), ...poll(3, 'completed')];
    expect(
      reported(await compare(a, [...begin, ...poll(2, 'working'), ...poll(3, 'working'), ...poll(4, 'completed')])),
    ).toEqual([]);
    expect(reported(await compare(a, [...begin, ...poll(2, 'failed')]))).toEqual([
      'tasks/get $.result.status "completed"→"failed"',
    ]);
  });

  it('compares the input requests made during a call', async () => {
    const chain = (question: string): Entry[] => [
      asks(1, 'tools/call', { name: 'x', arguments: {} }),
      answers(1, { resultType: 'input_required', inputRequests: { q: { method: question } }, requestState: question }),
      asks(2, 'tools/call', { name: 'x', arguments: {}, inputResponses: { q: {} }, requestState: question }),
      answers(2, { resultType: 'complete' }),
    ];
    expect(reported(await compare(chain('a'), chain('b')))).toEqual(['x $.result.inputRequests.q.method "a"→"b"']);
  });

  it('matches calls by the shape of their arguments in the shape profile', async () => {
    const [a, b] = [calls(1, 'x', { n: 1 }, { r: 1 }), calls(1, 'x', { n: 2 }, { r: 2 })];
    expect(reported(await compare(a, b, { profile: 'shape' }))).toEqual([]);
    expect(reported(await compare(a, b))).toEqual(['removed x', 'added x']);
  });

  it('leaves out ignored paths in requests and responses', async () => {
    const a = [...calls(1, 'x', { seed: 1 }, { took: 1 }), ...calls(2, 'y', {}, { took: 1 })];
    const b = [...calls(1, 'x', { seed: 2 }, { took: 2 }), ...calls(2, 'y', {}, { took: 2 })];
    expect(reported(await compare(a, b, { ignore: ['$.params.arguments.seed', '$.result.took'] }))).toEqual([]);
    expect(reported(await compare(a, b, { ignore: ['$..seed', 'tool:x $.result.took'] }))).toEqual([
      'y $.result.took 1→2',
    ]);
  });
});

describe('comparing the contracts of two sessions', () => {
  const tool = (name: string, more: object = {}): object => ({ name, inputSchema: { type: 'object' }, ...more });

  it('reports added, removed and changed tools, and none of them as value differences', async () => {
    const needs = (required: string[]): object => ({ type: 'object', properties: { q: {} }, required });
    const a = lists(1, [tool('gone'), tool('kept', { description: 'a', inputSchema: needs([]) })]);
    const b = lists(1, [tool('kept', { description: 'b', inputSchema: needs(['q']) }), tool('new')]);
    expect(reported(await compare(a, b))).toEqual([
      'tool gone removed!',
      'tool kept $.inputSchema.properties.q now required!',
      'tool kept $.description changed',
      'tool new added',
    ]);
  });

  it('judges result schemas in the opposite direction from argument schemas', async () => {
    const gives = (properties: object): object[] => [tool('x', { outputSchema: { type: 'object', properties } })];
    expect(
      reported(await compare(lists(1, gives({ a: {}, b: { enum: [1] } })), lists(1, gives({ b: { enum: [1, 2] } })))),
    ).toEqual(['tool x $.outputSchema.properties.a removed!', 'tool x $.outputSchema.properties.b.enum widened!']);
    expect(reported(await compare(lists(1, gives({})), lists(1, [tool('x')])))).toEqual([
      'tool x $.outputSchema removed!',
    ]);
    expect(reported(await compare(lists(1, [tool('x')]), lists(1, gives({}))))).toEqual([
      'tool x $.outputSchema added',
    ]);
  });

  it('joins paged listings, regardless of the page boundaries', async () => {
    const pages = [...lists(1, [tool('a')], { nextCursor: 'p2' }), ...lists(2, [tool('b')], { cursor: 'p2' })];
    expect(reported(await compare(pages, lists(1, [tool('a'), tool('b')])))).toEqual([]);
    expect(reported(await compare(pages, lists(1, [tool('a')])))).toEqual(['tool b removed!']);
  });

  it('reports nothing for pages that were not requested or for lists that only one session has', async () => {
    const first = lists(1, [tool('a')], { nextCursor: 'p2' });
    expect(reported(await compare(lists(1, [tool('a'), tool('b')]), first))).toEqual([]);
    expect(reported(await compare(lists(1, [tool('a')]), calls(1, 'x')))).toEqual(['removed tools/list', 'added x']);
  });

  it('compares the latest listing of each session', async () => {
    const a = lists(1, [tool('a')]);
    expect(
      reported(await compare([...a, ...lists(2, [tool('b')])], [...a, ...lists(2, [tool('a'), tool('b')])])),
    ).toEqual(['tool a added']);
  });

  it('reports changes to prompts, resources and resource templates', async () => {
    const listing = (method: string, result: object): Entry[] => [asks(1, method), answers(1, result)];
    const prompt = (args: object[]): Entry[] => listing('prompts/list', { prompts: [{ name: 'p', arguments: args }] });
    expect(
      reported(
        await compare(
          prompt([{ name: 'old' }, { name: 'same', required: false }]),
          prompt([{ name: 'same', required: true }, { name: 'more' }, { name: 'needed', required: true }]),
        ),
      ),
    ).toEqual([
      'prompt p $.arguments.old removed!',
      'prompt p $.arguments.same.required changed!',
      'prompt p $.arguments.more added, optional',
      'prompt p $.arguments.needed added, required!',
    ]);
    const resource = (mimeType: string): Entry[] =>
      listing('resources/list', { resources: [{ uri: 'r:1', name: 'r', mimeType }] });
    expect(reported(await compare(resource('text/plain'), resource('text/html')))).toEqual([
      'resource r:1 $.mimeType changed!',
    ]);
    const template = (uriTemplate: string): Entry[] =>
      listing('resources/templates/list', { resourceTemplates: [{ uriTemplate, name: 't' }] });
    expect(reported(await compare(template('r:{a}'), template('r:{b}')))).toEqual([
      'resource template r:{a} removed!',
      'resource template r:{b} added',
    ]);
  });

  it('reports changes to the server metadata', async () => {
    const hello = (result: object): Entry[] => [asks(1, 'initialize', { clientInfo: {} }), answers(1, result)];
    const a = hello({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {}, resources: { subscribe: true } },
      serverInfo: { version: '1' },
    });
    const b = hello({
      protocolVersion: '2025-11-25',
      capabilities: { logging: {}, resources: { subscribe: false } },
      serverInfo: { version: '2' },
    });
    expect(reported(await compare(a, b))).toEqual([
      'server capabilities $.tools removed!',
      'server capabilities $.resources.subscribe changed!',
      'server capabilities $.logging added',
      'server protocolVersion $ changed',
    ]);
    expect(reported(await compare(a, b, { profile: 'strict' }))).toContain(
      'initialize $.result.serverInfo.version "1"→"2"',
    );
    const discovers = (supportedVersions: string[]): Entry[] => [
      asks(1, 'server/discover'),
      answers(1, { supportedVersions }),
    ];
    expect(reported(await compare(discovers(['a', 'b']), discovers(['b'])))).toEqual([
      'server supportedVersions $ changed!',
    ]);
  });

  it('leaves out descriptions in the shape profile, and ignored paths', async () => {
    const [a, b] = [lists(1, [tool('x', { description: 'a' })]), lists(1, [tool('x', { description: 'b' })])];
    expect(reported(await compare(a, b))).toHaveLength(1);
    expect(reported(await compare(a, b, { profile: 'shape' }))).toEqual([]);
    expect(reported(await compare(a, b, { ignore: ['$.result.tools[*].description'] }))).toEqual([]);
    const typed = (type: string): Entry[] => lists(1, [tool('x', { inputSchema: { properties: { q: { type } } } })]);
    expect(reported(await compare(typed('string'), typed('number'), { profile: 'shape' }))).toHaveLength(1);
  });
});
