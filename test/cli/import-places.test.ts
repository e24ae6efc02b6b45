import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { answer, call, sessionText } from '../support/session-texts.ts';

const META = '{"v":1,"type":"meta","startedAt":"2026-03-04T10:00:00.000Z","label":"x","command":["x"]}';
const STDERR =
  '{"t":"2026-03-04T10:00:00.500Z","type":"event","dir":"event","kind":"stdio.stderr","raw":{"text":"hi"}}';
const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{}}}';
const RESULT = '{"jsonrpc":"2.0","id":1,"result":{"sum":3}}';
const ORPHAN = '{"jsonrpc":"2.0","id":9,"result":{}}';

function line(second: number, dir: 'in' | 'out', raw: string): string {
  return `{"t":"2026-03-04T10:00:0${second}.000Z","dir":"${dir}","raw":${raw}}`;
}

/** The calls in a normalized trace. */
function toolCalls(trace: string): { timestamp: number; result: unknown; error: unknown }[] {
  const events = trace
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as { type: string });
  return events.filter(({ type }) => type === 'tool_call') as never;
}

describe('the position of an orphan in the output of import', () => {
  it.each([
    [
      'a trace after a header, blank lines and events',
      [META, '', STDERR, line(1, 'in', CALL), STDERR, line(2, 'out', RESULT), '  ', line(3, 'out', ORPHAN)].join('\n'),
      'line 8',
    ],
    [
      'a trace as mcpreel writes it',
      [META, STDERR, `{"t":"2026-03-04T10:00:01.000Z","dir":"out","seq":1,"id":"a","raw":${ORPHAN}}`].join('\n'),
      'line 3',
    ],
    [
      'a trace with a line that cannot be read',
      [META, '{"dir":"up"}', line(1, 'in', CALL), line(3, 'out', ORPHAN)].join('\n'),
      'line 4',
    ],
    ['JSON-RPC lines after blank lines', ['', CALL, '', '', ORPHAN].join('\r\n'), 'line 5'],
    ['an array of messages', `[\n\n  ${CALL},\n\n  ${ORPHAN}\n]`, 'element 2'],
    [
      'a transcript',
      JSON.stringify(
        {
          transport: 'streamable-http',
          entries: [
            { sse: { event: 'ping', data: '' } },
            { request: JSON.parse(CALL) },
            { response: JSON.parse(ORPHAN) },
          ],
        },
        null,
        2,
      ),
      'entry 3',
    ],
    ['a session file', sessionText([call(1, 'add'), answer(9)]), 'message #001'],
  ])('names the position of an orphan in %s', async (_, content, place) => {
    const folder = new CommandPlace();
    const { code, stderr } = await folder.run(['import', folder.write('x', content)]);
    expect(code).toBe(0);
    expect(stderr).toContain(`x: ${place}: a response with the id "9" matches no request\n`);
  });
});

describe('the order of an import', () => {
  it('imports a trace in the order of its lines, even if a response has an earlier time', async () => {
    const place = new CommandPlace();
    const file = place.write('t.jsonl', [META, line(5, 'in', CALL), line(2, 'out', RESULT)].join('\n'));
    const { stdout } = await place.run(['import', file]);
    expect(stdout).toContain('0 orphans, 0 pending calls');
    const at = Date.UTC(2026, 2, 4, 10, 0, 5);
    expect(toolCalls(place.read('t.trace.jsonl'))).toEqual([
      expect.objectContaining({ result: { sum: 3 }, error: null, timestamp: at }),
    ]);
    const events = place
      .read('t.trace.jsonl')
      .trimEnd()
      .split('\n')
      .map((text) => (JSON.parse(text) as { timestamp: number }).timestamp);
    expect(events).toEqual([Date.UTC(2026, 2, 4, 10, 0, 2), at, at, at]);
  });

  it('imports a session file in the order of its messages', async () => {
    const place = new CommandPlace();
    const early = '"timestamp": "2026-03-04T09:00:00+00:00"';
    const file = place.write('s.json', sessionText([call(1, 'add'), { ...answer(1), more: early }]));
    expect((await place.run(['import', file])).stdout).toContain('0 orphans, 0 pending calls');
  });

  it('imports a transcript in the order of its times', async () => {
    const place = new CommandPlace();
    const stamped = (text: string, ms: number): string => text.replace('{', `{"timestamp_ms":${ms},`);
    const file = place.write('t.jsonl', [stamped(RESULT, 2000), stamped(CALL, 1000)].join('\n'));
    expect((await place.run(['import', file])).stdout).toContain('0 orphans, 0 pending calls');
    const late = place.write('u.jsonl', [stamped(CALL, 2000), stamped(RESULT, 1000)].join('\n'));
    expect((await place.run(['import', late])).stdout).toContain('1 orphan, 1 pending call');
  });
});

describe('an id that is used twice', () => {
  const as = (id: string): string => CALL.replace('"id":1', `"id":${id}`);

  it.each([
    ['1', '"1"', '1', '; in an import, the ids 1 and "1" are the same'],
    ['"1"', '1', '1', '; in an import, the ids "1" and 1 are the same'],
    ['"a"', '"a"', 'a', ''],
  ])('fails on an id that is used twice, with both lines: %s and %s', async (first, second, id, why) => {
    const place = new CommandPlace();
    const file = place.write('t.jsonl', ['', as(first), RESULT, '', as(second)].join('\n'));
    const { code, stdout, stderr } = await place.run(['import', file, '--format', 'jsonrpc']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `Error: t.jsonl: duplicate tools/call request id "${id}" at source line 5, first at source line 2${why}\n`,
    );
    expect(place.files()).toEqual(['t.jsonl']);
  });

  it('fails on an id that is used twice in a trace, and counts every line', async () => {
    const place = new CommandPlace();
    const file = place.write(
      't.jsonl',
      [META, STDERR, line(1, 'in', as('1')), STDERR, line(2, 'in', as('"1"'))].join('\n'),
    );
    expect((await place.run(['import', file])).stderr).toContain('at source line 5, first at source line 3; ');
  });

  it('accepts an id that is used twice by other requests, which pair by their exact text', async () => {
    const place = new CommandPlace();
    const ping = (id: string): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
    const file = place.write('t.jsonl', [ping('1'), RESULT, ping('"1"'), RESULT].join('\n'));
    expect(await place.run(['import', file])).toMatchObject({ code: 0 });
  });
});

describe('a 401 challenge in a nested response', () => {
  it('reports a 401 challenge in a nested response in the authorization summary', async () => {
    const place = new CommandPlace();
    const headers = { 'WWW-Authenticate': 'Bearer resource_metadata="https://x/y", scope="a"' };
    const entries = [
      { response: null, transport_context: { response: { status: 401, headers } } },
      { request: JSON.parse(CALL) },
    ];
    const file = place.write('t.json', JSON.stringify({ transport: 'streamable-http', entries }));
    expect((await place.run(['import', file])).code).toBe(0);
    expect(place.read('t.trace.jsonl')).toContain(
      '"authorization_discovery":{"visible":true,"source_kind":"www_authenticate","resource_metadata_visible":true,"authorization_servers_visible":false,"scope_challenge_visible":true}',
    );
  });
});
