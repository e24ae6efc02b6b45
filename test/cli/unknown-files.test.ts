import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { seedExample } from '../support/session-texts.ts';

const LOG = '{"level":"info","method":"GET","path":"/health","msg":"ok","time":1}\n';
const MESSAGE = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';

describe('a file that is not a recording', () => {
  it.each<[what: string, content: string | Uint8Array, says: string]>([
    ['an application log with methods', LOG.repeat(3), 'looks like an application log (lines with "level", "method"'],
    ['an application log of one line', LOG, 'looks like an application log'],
    [
      'a log of requests',
      '{"id":7,"method":"POST","url":"/x","status":200}\n'.repeat(2),
      'looks like an application log',
    ],
    [
      'a log with results',
      '{"ts":1,"result":"ok","msg":"done"}\n{"ts":2,"error":"no"}\n',
      'looks like an application log',
    ],
    [
      'a log that is not JSON',
      '2026-03-04 10:00:00,123 INFO app: started\n2026-03-04 10:00:01 ERROR x\n',
      'looks like an application log',
    ],
    ['an HTML page', '<!DOCTYPE html>\n<html><body>502 Bad Gateway</body></html>\n', 'looks like an HTML page'],
    ['an HTML page without a doctype', '\n <HTML>', 'looks like an HTML page'],
    ['XML', '<?xml version="1.0"?><a/>', 'looks like XML'],
    ['a compressed recording', gzipSync(seedExample), 'it is compressed with gzip. Unpack it first.'],
    ['a zip archive', Buffer.from('PK\u0003\u0004xxxx'), 'it is a zip archive. Unpack it first.'],
    [
      'UTF-16 with a byte order mark',
      Buffer.from(`\uFEFF${seedExample}`, 'utf16le'),
      'it is UTF-16. Convert it to UTF-8 first.',
    ],
    ['UTF-16 without one', Buffer.from(MESSAGE, 'utf16le'), 'it is UTF-16'],
    ['NUL bytes', new Uint8Array(100), 'it is not text'],
    ['broken JSON', '{"a": 1,\n "b" 2}', 'is not valid JSON (line 2, column 6)'],
    ['JSON that ends too early', '{"a": [1, 2', 'is not valid JSON (line 1, column 12)'],
    ['another JSON object', '{"name":"mcpreel","version":"1"}', 'it is a JSON object with the keys "name", "version"'],
    ['two messages on one line', `${MESSAGE.trim()}${MESSAGE}`, 'No JSON-RPC message in x: invalid JSON on line 1'],
    ['a diary', 'Dear diary', 'its first line is not JSON'],
  ])('refuses a file that is not a recording, and names its kind: %s', async (_, content, says) => {
    const place = new CommandPlace();
    const file = place.write('x', content);
    for (const command of ['inspect', 'check', 'import']) {
      const { code, stdout, stderr } = await place.run([command, file]);
      expect([command, code, stdout]).toEqual([command, 1, '']);
      expect(stderr).toMatch(/^Error: [^\n]+\n$/);
      expect(stderr).toContain(says);
    }
  });

  it('an application log is read as messages if the user names JSON-RPC as its format', async () => {
    const place = new CommandPlace();
    const file = place.write('x', '{"method":"GET","path":"/"}\n');
    expect(await place.run(['inspect', file, '--format', 'jsonrpc'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('#000 > GET\n'),
    });
  });
});

describe('a log that is one JSON document', () => {
  it.each([
    ['an array', (lines: string) => `[${lines}]`],
    ['an object with events', (lines: string) => `{"events":[${lines}]}`],
  ])('refuses an application log as an inspector transcript if it is %s', async (_, documentOf) => {
    const place = new CommandPlace();
    const file = place.write('x.json', documentOf([LOG, LOG].join(',')));
    for (const format of [[], ['--format', 'inspector']]) {
      for (const command of ['inspect', 'check', 'import']) {
        expect(await place.run([command, file, ...format])).toMatchObject({ code: 1, stdout: '' });
      }
    }
  });

  it('reports the elements of an inspector transcript that are not messages', async () => {
    const place = new CommandPlace();
    const file = place.write('x.json', `[${MESSAGE},{"level":"info","method":"GET","timestamp":1}]`);
    const { code, stdout, stderr } = await place.run(['inspect', file, '--format', 'inspector']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'x.json: element 2: not a message: no "jsonrpc":"2.0"\n' });
    expect(stdout).toContain('Messages: 1\n');
    expect(await place.run(['check', file, '--format', 'inspector'])).toMatchObject({ code: 1 });
  });
});

describe('JSON-RPC lines among other lines', () => {
  it.each([
    ['after them', MESSAGE + LOG],
    ['before them', LOG + MESSAGE],
  ])('reads JSON-RPC messages with other lines %s, reports those lines and fails check', async (_, content) => {
    const place = new CommandPlace();
    const file = place.write('x.log', content);
    const { code, stdout, stderr } = await place.run(['inspect', file]);
    expect(code).toBe(0);
    expect(stdout).toContain('Messages: 1\n\n  #000 > ping id=1\n');
    expect(stderr).toMatch(/^x\.log: line [12]: not a message: no "jsonrpc":"2\.0"\n$/);
    expect(await place.run(['check', file])).toMatchObject({ code: 1 });
    expect(await place.run(['inspect', file, '--strict'])).toMatchObject({ code: 1 });
  });

  it('does not treat an object with another JSON-RPC version as a message', async () => {
    const place = new CommandPlace();
    const file = place.write('x', `${MESSAGE}{"jsonrpc":"1.0","id":2,"method":"ping"}\n`);
    expect((await place.run(['inspect', file])).stderr).toBe('x: line 2: not a message: no "jsonrpc":"2.0"\n');
  });
});

describe('detection', () => {
  const turn = (id: string): string =>
    `{"type":"assistant","sessionId":"s","timestamp":"2026-03-04T10:00:00Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"${id}","name":"mcp__calc__add","input":{}}]}}\n`;

  it.each([
    ['5 kB of records before its first turn', 40],
    ['300 kB of records before its first turn', 2400],
  ])('finds a Claude Code log with %s', async (_, records) => {
    const preamble = `{"type":"permission-mode","mode":"default","text":"${'x'.repeat(80)}"}\n`;
    const place = new CommandPlace();
    const { code, stdout } = await place.run(['inspect', place.write('x.jsonl', preamble.repeat(records) + turn('a'))]);
    expect(code).toBe(0);
    expect(stdout).toContain('#000 > tools/call');
  });

  it('finds a JSON-RPC file whose long first line names its version last', async () => {
    const place = new CommandPlace();
    const long = `{"result":{"text":"${'x'.repeat(3_000_000)}"},"id":1,"jsonrpc":"2.0"}\n`;
    const { code, stdout } = await place.run(['inspect', place.write('x.jsonl', long + MESSAGE)]);
    expect({ code, stdout: stdout.split('\n')[2] }).toEqual({ code: 0, stdout: 'Messages: 2' });
  });

  it.each(['\uFEFF', '\r\n\r\n', '\uFEFF \n'])('skips %j before a recording', async (start) => {
    const place = new CommandPlace();
    for (const content of [seedExample, MESSAGE.replace('\n', '\r\n')]) {
      expect(await place.run(['inspect', place.write('x', start + content)])).toMatchObject({ code: 0, stderr: '' });
    }
  });

  it('reads no more than 1 MB of a file that is not a recording', async () => {
    const place = new CommandPlace();
    const file = place.write('x', '{"a":1}\n'.repeat(200_000) + MESSAGE);
    expect(await place.run(['inspect', file])).toMatchObject({ code: 1 });
  });
});
