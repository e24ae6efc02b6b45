import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { startProxy } from '../support/http-proxy.ts';
import { rawHttpServer } from '../support/raw-http-server.ts';
import { type Json, jsonLines } from '../support/recordings.ts';
import { SESSION_ID } from '../support/trace-texts.ts';

/** A trace line of an HTTP listener. */
type Line = Readonly<{ dir: 'in' | 'out'; id: string; exchange: number; conv?: number; corr?: string; raw: Json }>;

const call = (id: string, exchange: number, tool: string, conv?: number): Line => ({
  dir: 'in',
  id,
  exchange,
  ...(conv !== undefined && { conv }),
  raw: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: {} } },
});
const answer = (of: Line, result: string, exchange = of.exchange): Line => ({
  ...of,
  dir: 'out',
  id: `${of.id}-answer`,
  corr: of.id,
  exchange,
  raw: { jsonrpc: '2.0', id: 1, result: { said: result } },
});

function placeWith(...lines: readonly Line[]): CommandPlace {
  const meta = { v: 1, type: 'meta', startedAt: '2026-03-04T10:00:00.000Z', label: 'remote', id: SESSION_ID };
  const http = { transport: 'streamable-http', url: 'https://example.com/mcp', command: ['https://example.com/mcp'] };
  const written = lines.map(({ exchange, raw, ...line }, seq) => ({
    t: `2026-03-04T10:00:01.${String(100 + seq)}Z`,
    seq,
    ...line,
    http: { exchange },
    raw,
  }));
  const place = new CommandPlace();
  place.write(
    'trace.jsonl',
    [{ ...meta, ...http, metadata: {} }, ...written].map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  return place;
}

/** The calls of a normalized trace, by tool and result: `add {"said":"a"}`. */
function callsIn(text: string): string[] {
  return jsonLines(text)
    .filter(({ type }) => type === 'tool_call')
    .map(({ tool_name, result }) => `${String(tool_name)} ${JSON.stringify(result)}`);
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve: () => resolve() };
}

const a = call('a', 1, 'ofA', 1);
const b = call('b', 2, 'ofB', 2);
const c = call('c', 3, 'ofC');
/** Three interleaved clients whose first call has the id 1. */
const threeClients = [a, b, c, answer(b, 'b'), answer(a, 'a'), answer(c, 'c')];

const SEVERAL = 'Error: The session has several conversations: 0, 1 and 2. Choose one with --conversation N.\n';

describe('a session with several conversations', () => {
  it.each([
    ['import', ['import', 'trace.jsonl', '--out-trace', 'out.jsonl']],
    ['trace import-mcp', ['trace', 'import-mcp', '--input', 'trace.jsonl', '--out-trace', 'out.jsonl']],
    ['export -f assay', ['export', 'trace.jsonl', '-f', 'assay', '-o', 'out.jsonl']],
  ])('%s refuses several conversations, lists them and writes nothing', async (_, args) => {
    const place = placeWith(...threeClients);
    const { code, stdout, stderr } = await place.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.replace('trace.jsonl: detected format trace\n', '')).toBe(SEVERAL);
    expect(place.files()).toEqual(['trace.jsonl']);
  });

  it('import refuses several conversations before it writes to stdout', async () => {
    const place = placeWith(...threeClients);
    const outcome = await place.run(['import', '-', '--format', 'trace'], { input: place.read('trace.jsonl') });
    expect(outcome).toMatchObject({ code: 2, stdout: '', stderr: SEVERAL });
  });

  it.each([
    [0, 'ofC {"said":"c"}'],
    [1, 'ofA {"said":"a"}'],
    [2, 'ofB {"said":"b"}'],
  ])('imports only the calls of conversation %i if that one is selected', async (conversation, meaning) => {
    const place = placeWith(...threeClients);
    const chosen = ['--conversation', String(conversation)];
    const { code, stdout } = await place.run(['import', 'trace.jsonl', '--out-trace', 'out.jsonl', ...chosen]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Imported 2 messages from trace.jsonl: 4 trace events, 0 orphans, 0 pending calls, in out.jsonl\n',
    });
    expect(callsIn(place.read('out.jsonl'))).toEqual([meaning]);
    const same = ['trace', 'import-mcp', '--input', 'trace.jsonl', '--out-trace', 'same.jsonl', ...chosen];
    expect(await place.run([...same, '--episode-id', 'trace'])).toMatchObject({ code: 0 });
    expect(place.read('same.jsonl')).toBe(place.read('out.jsonl'));
    const exported = await place.run(['export', 'trace.jsonl', '-f', 'assay', ...chosen]);
    expect(callsIn(exported.stdout)).toEqual([meaning]);
  });

  it('lists the conversations if the selected one does not exist', async () => {
    const place = placeWith(...threeClients);
    const outcome = await place.run(['import', 'trace.jsonl', '--format', 'trace', '--conversation', '7']);
    expect(outcome).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Error: trace.jsonl: The session has no conversation 7. Its conversations: 0, 1 and 2.\n',
    });
    expect(place.files()).toEqual(['trace.jsonl']);
  });

  it('imports a recording as a whole, or one conversation of it', async () => {
    const place = placeWith(...threeClients);
    const args = ['import', 'trace.jsonl', '--to', 'session', '-o', 'session.json'];
    const conversations = (): unknown[] =>
      (JSON.parse(place.read('session.json')) as { messages: Json[] }).messages.map(
        ({ conversation = 0 }) => conversation,
      );
    expect(await place.run(args)).toMatchObject({ code: 0 });
    expect(conversations()).toEqual([1, 2, 0, 2, 1, 0]);
    expect(await place.run([...args, '--conversation', '2'])).toMatchObject({ code: 0 });
    expect(conversations()).toEqual([2, 2]);
  });
});

describe('clients that share conversation 0', () => {
  const first = call('first', 1, 'first');
  const second = call('second', 2, 'second');

  it.each(['trace', 'json'])(
    'distinguishes the calls of two clients by their recorded exchanges: %s',
    async (format) => {
      const place = placeWith(first, second, answer(second, 'two'), answer(first, 'one', 7));
      await place.run(['export', 'trace.jsonl', '-f', format, '-o', 'recording']);
      const outcome = await place.run(['import', 'recording', '--out-trace', 'out.jsonl']);
      expect(outcome).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('6 trace events, 0 orphans, 0 pending calls'),
      });
      expect(callsIn(place.read('out.jsonl'))).toEqual(['second {"said":"two"}', 'first {"said":"one"}']);
    },
  );

  it('records distinguishable calls even if the second is answered first', async () => {
    const firstCame = deferred();
    const secondIsAnswered = deferred();
    const { url } = await rawHttpServer(async ({ body }, response) => {
      const { params } = JSON.parse(body) as { params: { name: string } };
      if (params.name === 'first') {
        firstCame.resolve();
        await secondIsAnswered.promise;
      }
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { said: params.name } }));
      if (params.name === 'second') secondIsAnswered.resolve();
    });
    const place = new CommandPlace();
    const proxy = await startProxy(place, ['--target-url', url.href]);
    const post = async (name: string): Promise<string> => {
      const headers = { 'Content-Type': 'application/json', 'MCP-Protocol-Version': '2026-07-28' };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } });
      return (await fetch(proxy.url, { method: 'POST', headers, body })).text();
    };
    const slow = post('first');
    await firstCame.promise;
    await Promise.all([slow, post('second')]);
    await proxy.stop();
    const outcome = await place.run(['import', 'trace.jsonl', '--out-trace', 'out.jsonl']);
    expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('0 orphans, 0 pending calls') });
    expect(callsIn(place.read('out.jsonl')).sort()).toEqual(['first {"said":"first"}', 'second {"said":"second"}']);
  });

  it('refuses an id that is used twice in one exchange', async () => {
    const place = placeWith(first, { ...second, exchange: 1 });
    const outcome = await place.run(['import', 'trace.jsonl', '--format', 'trace', '--out-trace', 'out.jsonl']);
    expect(outcome).toMatchObject({
      code: 1,
      stderr: 'Error: trace.jsonl: duplicate tools/call request id "1" at source line 3, first at source line 2\n',
    });
  });

  it('refuses equal ids in a transcript that has no exchanges to distinguish them', async () => {
    const place = placeWith(first, answer(first, 'one'), second, answer(second, 'two'));
    await place.run(['export', 'trace.jsonl', '-f', 'jsonrpc', '-o', 'bare.jsonl']);
    const outcome = await place.run(['import', 'bare.jsonl', '--format', 'jsonrpc', '--out-trace', 'out.jsonl']);
    expect(outcome).toMatchObject({
      code: 1,
      stderr: 'Error: bare.jsonl: duplicate tools/call request id "1" at source line 3, first at source line 1\n',
    });
  });
});
