import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { answer, call, seedExample, sessionText } from '../support/session-texts.ts';
import { skipOnWindows } from '../support/unless.ts';

const docs = readFileSync(new URL('../../docs/check.md', import.meta.url), 'utf8');
const [, section = ''] = docs.split('## Damaged files\n');
const ROWS =
  section
    .split('\n## ')[0]
    ?.split('\n')
    .filter((line) => /\| \d \|$/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim())) ?? [];

const META = '{"v":1,"type":"meta","startedAt":"2026-03-04T10:00:00.000Z","label":"x","command":["x"]}\n';
const line = (members: string): string => `{"t":"2026-03-04T10:00:01.000Z",${members}}\n`;
const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{}}}';
const RESULT = '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}';
const IN = line(`"dir":"in","raw":${CALL}`);
const OUT = line(`"dir":"out","raw":${RESULT}`);
const END = '{"t":"2026-03-04T10:00:02.000Z","type":"end","exitCode":0,"durationMs":2000}\n';
const around = (odd: string): string => META + IN + odd + OUT + END;
const whole = sessionText([call(1, 'add'), answer(1)]);
const transcript = (...entries: string[]): string => `{"transport":"streamable-http","entries":[${entries.join(',')}]}`;
const SNOOP = '{"session_id":"s","ts":"2026-03-04T10:00:00Z","direction":"DIR","raw":RAW}\n';
const snoop = (dir: string, raw: string): string => SNOOP.replace('DIR', dir).replace('RAW', raw);
const rec = (dir: string, msg: string): string => `{"ts":1772618400.5,"dir":"${dir}","msg":${msg}}\n`;
const CASSETTE =
  '{"type":"header","cassetteVersion":2,"startedAt":"2026-03-04T10:00:00Z","transport":"stdio","command":["x"]}\n' +
  `{"type":"frame","t":1,"dir":"c2s","frame":${CALL}}\n{"type":"frame","t":2,"dir":"s2c","frame":${RESULT}}\n`;
const turn = (members: string): string =>
  `{"type":"user","sessionId":"s","timestamp":"2026-03-04T10:00:00Z",${members}}\n`;
const USE = '{"type":"tool_use","id":"t1","name":"mcp__calc__add","input":{}}';
const CLAUDE =
  turn(`"message":{"content":[${USE}]}`) +
  turn('"message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"3"}]}');
const har = (answered: string): string =>
  JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'x', version: '1' },
      entries: [RESULT, answered].map((text, n) => ({
        startedDateTime: '2026-03-04T10:00:00Z',
        time: 1,
        request: {
          method: 'POST',
          url: 'http://127.0.0.1:1/mcp',
          headers: [],
          postData: { text: CALL.replace('"id":1', `"id":${n}`) },
        },
        response: { status: 200, headers: [], content: { text: text.replace('"id":1', `"id":${n}`) } },
      })),
    },
  });

/** The content of each kind of file; what is not a file is made by a function. */
const FILES: Readonly<Record<string, string | Uint8Array | ((place: CommandPlace) => unknown)>> = {
  'does not exist': () => undefined,
  'is a folder': (place) => mkdirSync(place.path('x')),
  'is a device that never ends': (place) => symlinkSync('/dev/zero', place.path('x')),
  'is empty': '',
  'is blank': ' \n\n',
  'is binary': Uint8Array.from({ length: 5000 }, (_, n) => (n * 7919) % 256),
  'is only NUL bytes': new Uint8Array(5000),
  'is compressed with gzip': gzipSync(whole),
  'is UTF-16': Buffer.from(`\uFEFF${around('')}`, 'utf16le'),
  'is an HTML page': '<!doctype html><title>502</title>',
  'is an application log': '{"level":"info","method":"GET","msg":"x"}\n{"level":"info","method":"PUT","msg":"y"}\n',
  'is an application log with times and types':
    '{"t":"2026-03-04T10:00:00Z","type":"request","raw":"GET / HTTP/1.1"}\n{"type":"event","name":"click","t":1}\n',
  'is other JSON': '{"name":"x","dependencies":{}}',
  'is not valid JSON': '{"messages" [',
  'has a byte order mark and CRLF line ends': `\uFEFF${around('').replaceAll('\n', '\r\n')}`,
  'is a named pipe': (place) => {
    execFileSync('mkfifo', [place.path('x')]);
    void writeFile(place.path('x'), around(''));
  },
  'is a trace with a line of an unknown type': around(line('"type":"turn","role":"user"')),
  'is a trace with a second meta line': META + IN + OUT + META + END,
  'is a trace with a second meta line between a request and its response': around(META),
  'is a trace without a meta line': IN + OUT + END,
  'is a trace whose last line is torn': META + IN + OUT + END.slice(0, 40),
  'is a trace of a newer version': around('').replace('"v":1', '"v":2'),
  'is a trace with a line without a time': around('{"dir":"in","raw":{"jsonrpc":"2.0","method":"notifications/x"}}\n'),
  'is a trace whose meta line lacks a field': around('').replace('"label":"x",', ''),
  'is a trace whose meta line lacks its type': around('').replace('"type":"meta",', ''),
  'is a trace whose first line is not JSON': `> server@1.0.0 start\n${around('')}`,
  'is two traces with the same ids': around('') + around(''),
  'is a trace whose end line lacks a field': around('').replace('"exitCode":0,', ''),
  'is a trace with an unknown `dir`': around(line('"dir":"sideways","raw":{}')),
  'is a trace with a message without `raw`': around(line('"dir":"in"')),
  'is a trace with a line that is not JSON': around('Killed\n'),
  'is a trace with a line that is not UTF-8': Buffer.from(around(line('"dir":"out","raw":{"a":"\u00ff"}')), 'latin1'),
  'is a trace with NUL bytes in the middle': around('\0\0\0\0\n'),
  'is a trace with lines of another format': around(`${CALL.replace('1', '2')}\n`),
  'is a trace of which no line can be read': META + line('"dir":"up","raw":{}') + END,
  'is a session file that is cut off': whole.slice(0, whole.indexOf('"msg-002"')),
  'is a session file that is cut off before its first message': whole.slice(0, whole.indexOf('"messages"') + 20),
  'is a session file with a message without a payload': whole.replace(
    '"messages": [',
    '"messages": [{"direction":"client_to_server"},',
  ),
  'is a session file with a message without a timestamp': whole.replace(/"timestamp": "[^"]*",/, ''),
  'is a session file with a field of the wrong type': whole.replace('"proxy_id": "msg-001"', '"proxy_id": 1'),
  'is a session file without a start': whole.replace(/"started_at": "[^"]*",/, ''),
  'is a session file with an extra comma': whole.replace(/\n *\](?![\s\S]*\n *\])/, ',]'),
  'is JSON-RPC with a line that is not JSON': `${CALL}\nKilled\n${RESULT}\n`,
  'is an inspector transcript with an element that is not a message': `[${CALL},{"level":"info","method":"GET"},${RESULT}]`,
  'is JSON-RPC with a line that is not a message': `${CALL}\n{"level":"info"}\n${RESULT}\n`,
  'is JSON-RPC whose last line is torn': `${CALL}\n${RESULT}\n${CALL.slice(0, 30)}`,
  'is a transcript with an entry of two kinds': transcript(
    `{"request":${CALL}}`,
    `{"request":${CALL},"response":${RESULT}}`,
    `{"response":${RESULT}}`,
  ),
  'is a transcript with a time that is not a number': transcript(
    `{"timestamp_ms":"5","request":${CALL}}`,
    `{"response":${RESULT}}`,
  ),
  'is a transcript of another transport': transcript(`{"request":${CALL}}`).replace('streamable-http', 'websocket'),
  'is a transcript that is cut off': transcript(`{"request":${CALL}}`, `{"response":${RESULT}}`, '{"sse":').slice(
    0,
    -6,
  ),
  'is a transcript with a message event that is torn': transcript(
    `{"request":${CALL}}`,
    `{"response":${RESULT}}`,
    `{"sse":{"event":"message","data":${JSON.stringify(CALL.slice(0, 30))}}}`,
  ),
  'is a capture of another tool with an unknown direction':
    snoop('c2s', CALL) + snoop('up', RESULT) + snoop('s2c', RESULT),
  'is a capture by mcpsnoop with an entry without a message':
    snoop('c2s', CALL) + snoop('s2c', RESULT) + snoop('s2c', 'null'),
  'is a capture by mcp-rec with an entry without a message':
    rec('client->server', CALL) + rec('server->client', RESULT) + rec('server->client', 'null'),
  'is a capture by mcp-cassette with an entry without a message': `${CASSETTE}{"type":"frame","t":6,"dir":"s2c"}\n`,
  'is a capture by mcp-cassette with a chunk without a message': `${CASSETTE}{"type":"chunks","t":6,"dir":"s2c","chunks":[{"t":7}]}\n`,
  'is a capture by mcp-recorder with an entry without a message': `{"version":"1","interactions":[{"request":${CALL},"response":${RESULT}},{"latency_ms":5}]}`,
  'is a capture by mcp-cassette with an entry without a type': `${CASSETTE}{"t":6,"dir":"s2c","frame":${RESULT}}\n`,
  'is a capture by mcp-cassette with a message of an unknown type': `${CASSETTE}{"type":"x","t":6,"dir":"s2c","frame":${RESULT}}\n`,
  'is a HAR with text after its end': `${har(RESULT)}junk`,
  'is a HAR with a torn message in a body': har(RESULT.slice(0, 30)),
  'is a HAR with a torn message in an event stream': har(`data: ${RESULT}\n\ndata: ${RESULT.slice(0, 30)}\n\n`),
  'is a HAR with an entry without a response': har(RESULT).replace('"response":', '"answer":'),
  'is a HAR with a body whose text is not a string': har('5').replace('"text":"5"', '"text":5'),
  'is a HAR with a call without an HTTP response': har('').replace(/"status":200(?!.*"status")/, '"status":0'),
  'is a Claude Code log with a turn without a message': `${CLAUDE}${turn('"uuid":"u"')}`,
  'is a Claude Code log with a call without an id': `${CLAUDE}${turn(`"message":{"content":[${USE.replace('"id":"t1",', '')}]}`)}`,
  'is a Claude Code log with a turn without content': `${CLAUDE}${turn('"message":{"role":"user","content":7}')}`,
  'is a Claude Code log with a block without a type': `${CLAUDE}${turn(`"message":{"content":[${USE.replace('"type":"tool_use",', '')}]}`)}`,
  'is a Claude Code log with a call without a name': `${CLAUDE}${turn('"message":{"content":[{"type":"tool_use","id":"t2","input":{}}]}')}`,
  'is a Claude Code log without MCP calls':
    '{"type":"user","sessionId":"s","timestamp":"2026-03-04T10:00:00Z","message":{"role":"user","content":"hi"}}\n',
  'has no messages': META + END,
  'has a recorded gap': around(
    line('"type":"event","dir":"event","kind":"mcpreel.gap","raw":{"missed":2,"why":"disk full"}'),
  ),
  'has a call that was never answered': META + IN + END,
  'ends because the server crashed': META + IN + OUT + END.replace('"exitCode":0', '"exitCode":1'),
  'uses an id twice': around(OUT + IN),
};

async function outcomes(name: string): Promise<(number | null)[]> {
  const codes: (number | null)[] = [];
  for (const command of [['check'], ['inspect'], ['import'], ['inspect', '--strict']]) {
    const place = new CommandPlace();
    const content = FILES[name] ?? '';
    if (typeof content === 'function') content(place);
    else place.write('x', content);
    const { code, stdout, stderr } = await place.run([...command, 'x']);
    codes.push(code);
    // A failure is one line that names the file, and a warning names it too.
    if (code === 1 && command[0] !== 'check') expect(stderr).toMatch(/^Error: .*x/m);
    if (code === 1 && command[0] === 'inspect') expect(stdout).toBe('');
    expect(stderr).not.toContain('    at ');
  }
  return codes;
}

describe('the table of damaged files in docs/check.md', () => {
  it('lists each kind of damaged file that is tested here, and no other', () => {
    expect(ROWS.map(([, name]) => name)).toEqual(Object.keys(FILES));
  });

  it.each(ROWS.map(([, name = '', ...codes]) => [name, codes.slice(0, 4)] as const))(
    'lists the actual exit codes for a file that %s',
    skipOnWindows('Windows has no named pipes in folders'),
    async (name, codes) => {
      expect((await outcomes(name)).map(String)).toEqual(codes);
    },
  );

  it('a session without messages passes with --allow-empty', async () => {
    const place = new CommandPlace();
    expect(await place.run(['check', '-', '--allow-empty'], { input: META + END })).toMatchObject({ code: 0 });
  });

  it('a file that cannot be read fails, and the other files are checked all the same', async () => {
    const place = new CommandPlace();
    place.write('a', META + IN + END);
    place.write('b', '<html>');
    const { code, stdout, stderr } = await place.run(['check', 'b', 'a']);
    expect(code).toBe(1);
    expect(stdout).toContain('hung-call');
    expect(stderr).toContain('Skipped b: ');
  });

  it('the seed example passes', async () => {
    expect(await new CommandPlace().run(['check', '-'], { input: seedExample })).toMatchObject({ code: 0 });
  });
});
