import { describe, expect, it } from 'vitest';
import type { Outcome } from '../support/mcpreel-process.ts';
import { Place, type RunOptions } from '../support/place.ts';
import { jsonLines } from '../support/recordings.ts';
import { type SessionMessage, sessionText } from '../support/session-texts.ts';
import { startMock } from './stage.ts';

/** A request and its response, from the JSON of its params and result. */
function requested(method: string, params: string, result: string, id = 7): SessionMessage[] {
  return [
    { payload: `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}` },
    answer(`{"id":${id},"result":${result}, "jsonrpc":"2.0"}`),
  ];
}

function answer(payload: string): SessionMessage {
  return { payload, from: '<' };
}

function call(args: string, result: string, id?: number): SessionMessage[] {
  return requested('tools/call', `{"name":"add","arguments":${args}}`, result, id);
}

/** Requests of a client, one per line, with ids from 1. */
function asking(...requests: readonly string[]): string {
  return requests.map((request, index) => `{"jsonrpc":"2.0","id":${index + 1},${request}}\n`).join('');
}

function calling(args: string): string {
  return `"method":"tools/call","params":{"name":"add","arguments":${args}}`;
}

interface MockRun extends RunOptions {
  readonly messages: readonly SessionMessage[];
  readonly flags?: readonly string[];
}

/** Serves these messages to a client on stdio. */
function mock({ messages, flags = [], ...options }: MockRun): Promise<Outcome> {
  const place = new Place();
  place.write('session.json', sessionText(paired(messages)));
  return place.run(['mock', 'session.json', ...flags], options);
}

/** Links responses to their requests, as in a session file that mcpreel wrote. */
function paired(messages: readonly SessionMessage[]): SessionMessage[] {
  return messages.map((message, index) => {
    const isAnswer = !message.payload.includes('"method"');
    const asks = messages.slice(0, index).findLastIndex(({ payload, from }) => {
      const [id] = /"id":("[^"]*"|\d+)/.exec(message.payload) ?? [];
      return payload.includes('"method"') && from !== message.from && id !== undefined && payload.includes(id);
    });
    if (!isAnswer || asks < 0) return message;
    return { ...message, more: `"correlated_id":"msg-${String(asks + 1).padStart(3, '0')}"` };
  });
}

/** A session whose second message comes an hour after its first. */
function slowly(messages: readonly SessionMessage[]): string {
  return sessionText(paired(messages)).replace('T10:00:02', 'T11:00:02');
}

describe('mock', () => {
  it('answers with the recorded text, and changes only the id', async () => {
    const result = '{"b":1.0, "a":12345678901234567890,"b":"\\u00e9"}';
    const { stdout, code } = await mock({ messages: call('{"a":1}', result), input: asking(calling('{"a":1}')) });
    expect(stdout).toBe(`{"id":1,"result":${result}, "jsonrpc":"2.0"}\n`);
    expect(code).toBe(0);
  });

  it('matches requests regardless of member order and metadata, and compares numbers exactly', async () => {
    const messages = call('{"a":1.0,"b":12345678901234567890}', '"found"');
    const params = (b: string): string => `{"_meta":{"progressToken":5},"arguments":{"b":${b},"a":1},"name":"add"}`;
    const { stdout } = await mock({
      messages,
      input: asking(
        `"method":"tools/call","params":${params('12345678901234567890')}`,
        `"method":"tools/call","params":${params('12345678901234567891')}`,
      ),
    });
    expect(jsonLines(stdout)).toMatchObject([
      { id: 1, result: 'found' },
      { id: 2, error: { code: -32000 } },
    ]);
  });

  it('returns the responses to identical calls in order, and then repeats the last one', async () => {
    const messages = [...call('{}', '"one"', 1), ...call('{}', '"two"', 2)];
    const { stdout } = await mock({ messages, input: asking(calling('{}'), calling('{}'), calling('{}')) });
    expect(jsonLines(stdout).map(({ result }) => result)).toEqual(['one', 'two', 'two']);
  });

  it('refuses a call made more often than recorded with --exhausted error, but repeats lists', async () => {
    const messages = [...call('{}', '"one"'), ...requested('tools/list', '{}', '{"tools":[]}', 9)];
    const list = '"method":"tools/list"';
    const { stdout, stderr } = await mock({
      messages,
      flags: ['--exhausted', 'error'],
      input: asking(calling('{}'), calling('{}'), list, list),
    });
    expect(jsonLines(stdout)).toMatchObject([
      { id: 1, result: 'one' },
      {
        id: 2,
        error: { code: -32000, message: 'mcpreel: tools/call add was recorded once, but requested more often' },
      },
      { id: 3, result: { tools: [] } },
      { id: 4, result: { tools: [] } },
    ]);
    expect(stderr).toContain('mcpreel: No response: tools/call add was recorded once, but requested more often\n');
  });

  it('explains a miss with the nearest recorded request', async () => {
    const messages = [...call('{"a":1,"b":2}', '3'), ...call('{"a":9,"b":9}', '18')];
    const { stdout, stderr, code } = await mock({ messages, input: asking(calling('{"a":1,"b":3}')) });
    const message = 'no match for tools/call add; closest is #000: $.params.arguments.b recorded 2, got 3';
    expect(jsonLines(stdout)).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32000, message: `mcpreel: ${message}`, data: { method: 'tools/call', why: 'unknown' } },
      },
    ]);
    expect(stderr).toContain(`mcpreel:   ${message}\n`);
    expect(code).toBe(0);
  });

  it('answers a method that was never recorded with "method not found"', async () => {
    const { stdout } = await mock({ messages: call('{}', '3'), input: asking('"method":"prompts/get"') });
    expect(jsonLines(stdout)).toMatchObject([
      {
        error: { code: -32601, message: 'mcpreel: no match for prompts/get' },
      },
    ]);
  });

  it('exits with 3 on a miss with --fail-on-miss, and lists unused requests', async () => {
    const messages = [...call('{"a":1}', '1'), ...call('{"a":2}', '2')];
    const { stderr, code } = await mock({
      messages,
      flags: ['--fail-on-miss'],
      input: asking(calling('{"a":1}'), '"method":"x"'),
    });
    expect(stderr).toContain(
      'mcpreel: Answered 1 request from session.json; 1 of 2 recorded requests unused, 1 without a match\n' +
        'mcpreel:   unused: #002 tools/call add\n' +
        'mcpreel:   no match for x\n',
    );
    expect(code).toBe(3);
  });

  it('exits with 0 if --fail-on-miss finds no miss', async () => {
    const { code } = await mock({
      messages: call('{}', '1'),
      flags: ['--fail-on-miss'],
      input: asking(calling('{}'), '"method":"ping"'),
    });
    expect(code).toBe(0);
  });

  it('matches a request with other arguments with --match loose, and reports it', async () => {
    const messages = call('{"a":1}', '1');
    const { stdout, stderr } = await mock({ messages, flags: ['--match', 'loose'], input: asking(calling('{"a":2}')) });
    expect(jsonLines(stdout)).toMatchObject([{ result: 1 }]);
    expect(stderr).toContain(
      'mcpreel: Matched tools/call add with #000 (name), although $.params.arguments.a differs\n',
    );
  });

  it('compares metadata with --match strict', async () => {
    const params = (version: string): string =>
      `{"name":"add","_meta":{"progressToken":1,"io.modelcontextprotocol/clientInfo":{"name":"c","version":"${version}"}}}`;
    const messages = requested('tools/call', params('1'), '"found"');
    const input = asking(
      `"method":"tools/call","params":${params('1').replace(':1,', ':2,')}`,
      `"method":"tools/call","params":${params('2')}`,
    );
    const { stdout } = await mock({ messages, flags: ['--match', 'strict'], input });
    expect(jsonLines(stdout)).toMatchObject([{ result: 'found' }, { error: { code: -32000 } }]);
  });

  it('matches a request whose recorded secret was redacted', async () => {
    const messages = call('{"key":"Bearer [REDACTED:bearer-token:0a1b2c3d]","n":1}', '"in"');
    const { stdout } = await mock({
      messages,
      input: asking(calling('{"key":"Bearer abc","n":1}'), calling('{"key":"Basic abc","n":1}')),
    });
    expect(jsonLines(stdout)).toMatchObject([{ result: 'in' }, { error: { code: -32000 } }]);
  });

  it('answers a batch with a batch', async () => {
    const messages = [...call('{"a":1}', '1'), ...call('{"a":2}', '2')];
    const input = `[{"jsonrpc":"2.0","id":"x",${calling('{"a":2}')}},{"jsonrpc":"2.0","id":"y",${calling('{"a":1}')}}]\n`;
    const { stdout } = await mock({ messages, input });
    expect(stdout).toBe('[{"id":"x","result":2, "jsonrpc":"2.0"},{"id":"y","result":1, "jsonrpc":"2.0"}]\n');
  });

  it('reports that the recording ends before a response', async () => {
    const [request] = call('{}', '1');
    const { stdout } = await mock({ messages: request ? [request] : [], input: asking(calling('{}')) });
    expect(jsonLines(stdout)).toMatchObject([
      { error: { message: 'mcpreel: the recording ends before the response to tools/call add' } },
    ]);
  });

  it('reports progress with the token of the current request, and only if it has one', async () => {
    const progress = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":4,"progress":1}}';
    const [request, response] = requested('tools/call', '{"name":"add","_meta":{"progressToken":4}}', '1');
    const messages = [request, { payload: progress, from: '<' as const }, response].filter((m) => m !== undefined);
    const { stdout } = await mock({
      messages,
      input: asking(
        '"method":"tools/call","params":{"name":"add","_meta":{"progressToken":"mine"}}',
        '"method":"tools/call","params":{"name":"add"}',
      ),
    });
    expect(stdout).toBe(
      `${progress.replace(':4,', ':"mine",')}\n{"id":1,"result":1, "jsonrpc":"2.0"}\n{"id":2,"result":1, "jsonrpc":"2.0"}\n`,
    );
  });

  it('waits as long as the recording did, or a fraction of it', async () => {
    // The recording has one second between a request and its response.
    const began = performance.now();
    await mock({ messages: call('{}', '1'), flags: ['--timing', '4'], input: asking(calling('{}')) });
    expect(performance.now() - began).toBeGreaterThan(250);
    const again = performance.now();
    await mock({ messages: call('{}', '1'), flags: ['--timing', 'recorded'], input: asking(calling('{}')) });
    expect(performance.now() - again).toBeGreaterThan(1000);
  });

  it('exits on Ctrl-C while a response is pending', async () => {
    const place = new Place();
    place.write('session.json', slowly(call('{}', '1')));
    const running = place.start(['mock', 'session.json', '--timing', 'recorded']);
    running.write(asking(calling('{}'), '"method":"ping"'));
    await running.sent('"id":2');
    running.signal('SIGINT');
    const { code, stdout } = await running.ended;
    expect({ code, ids: jsonLines(stdout).map(({ id }) => id) }).toEqual({ code: 0, ids: [2] });
  });

  it('exits on Ctrl-C while a client waits for a response over HTTP', async () => {
    const place = new Place();
    place.write('session.json', slowly(call('{}', '1')));
    const { url, stop } = await startMock(place, 'streamable-http', ['--timing', 'recorded']);
    const ask = (body: string): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        body,
      });
    const waiting = ask(asking(calling('{}')))
      .then((response) => response.text())
      .catch(() => '');
    await ask(asking('"method":"ping"'));
    expect(await stop()).toMatchObject({ code: 0 });
    expect(await waiting).not.toContain('"result":1');
  });
});

describe('errors of mock', () => {
  const refusals: readonly [string, readonly string[], string, number][] = [
    ['a speed that is none', ['--timing', 'fast'], 'Unknown --timing: fast. Use none, recorded, or a speed', 2],
    ['a live server without a use', ['--target-url', 'http://x/'], '--target-url works only with --on-miss forward', 2],
    ['a mode without a use', ['--record-mode', 'new'], '--record-mode works only with --on-miss forward', 2],
    [
      'forwarding to nobody',
      ['--on-miss', 'forward'],
      '--on-miss forward needs a live server. Add --target-command',
      2,
    ],
    ['an unknown level', ['--match', 'fuzzy'], 'Unknown --match: fuzzy. Use one of strict, normal, loose.', 2],
    ['a port on stdio', ['--listen-port', '1'], '--listen-port needs clients that connect over HTTP', 2],
  ];

  it.each(refusals)('refuses %s', async (_, flags, line, status) => {
    const { stderr, stdout, code } = await mock({ messages: call('{}', '1'), flags });
    expect(stderr).toMatch(/^Error: [^\n]*\n$/);
    expect(stderr).toContain(`Error: ${line}`);
    expect({ stdout, code }).toEqual({ stdout: '', code: status });
  });

  it('refuses a recording without client requests', async () => {
    const messages = [{ payload: '{"jsonrpc":"2.0","method":"notifications/x"}' }];
    const { stderr, code } = await mock({ messages });
    expect(stderr).toBe('Error: No client requests in session.json. A mock needs at least one recorded request.\n');
    expect(code).toBe(1);
  });

  it('refuses a recording that does not exist', async () => {
    const { stderr, code } = await new Place().run(['mock', 'nothing.json']);
    expect(stderr).toBe('Error: No file or session id "nothing.json". List sessions: mcpreel sessions\n');
    expect(code).toBe(1);
  });

  it('refuses to read both recording and client from standard input', async () => {
    const { stderr, code } = await new Place().run(['mock', '-']);
    expect(stderr).toBe(
      'Error: The recording and the client cannot both use standard input. Pass a file, or --listen-transport streamable-http.\n',
    );
    expect(code).toBe(2);
  });
});
