import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { partText } from '../support/trace-texts.ts';
import { skipOnWindows } from '../support/unless.ts';
import { traceOf } from './trace-of.ts';

const TRACE = traceOf({ tools: [], args: {} });

it('import does not write over the file that it reads', async () => {
  const place = new CommandPlace();
  place.write('a.jsonl', TRACE);
  expect((await place.run(['import', 'a.jsonl', '--out-trace', 'a.jsonl'])).code).toBe(2);
  expect(place.read('a.jsonl')).toBe(TRACE);
  expect((await place.run(['import', 'a.jsonl'])).code).toBe(0);
  expect((await place.run(['import', 'a.jsonl'])).code).toBe(0);
});

describe('a recording that is not read completely', () => {
  const exchange = (url: string, mimeType: string, text: string): object => ({
    startedDateTime: '2026-01-02T03:04:05.000Z',
    time: 1,
    request: { method: 'GET', url, httpVersion: 'HTTP/1.1', headers: [] },
    response: { status: 200, statusText: 'OK', headers: [], content: { size: 3, mimeType, text } },
  });
  const entries = [
    exchange('https://x/precious.html', 'text/html', 'precious page'),
    exchange('https://x/mcp', 'application/json', '{"jsonrpc":"2.0","id":1,"result":{}}'),
  ];
  const lines = TRACE.split('\n');
  const inputs: [what: string, text: string | Uint8Array][] = [
    ['an HTTP archive of a browser', JSON.stringify({ log: { version: '1.2', creator: { name: 'x' }, entries } })],
    ['a trace with a line that is not JSON', lines.toSpliced(2, 0, 'precious line').join('\n')],
    ['a trace with a line that is not UTF-8', Buffer.from(lines.toSpliced(2, 0, '{"a":"\xff"}').join('\n'), 'latin1')],
    ['JSON-RPC with a log line', '{"jsonrpc":"2.0","id":1,"method":"ping"}\nprecious line\n'],
    [
      'a session file that is cut off',
      '{"id":"abcd1234-0000-4000-8000-000000000000","started_at":"2026-03-04T10:00:00+00:00","transport":"stdio",' +
        '"messages":[{"sequence":0,"timestamp":"2026-03-04T10:00:01+00:00","direction":"client_to_server",' +
        '"payload":{"jsonrpc":"2.0","id":1,"method":"ping"}},{"payload":{"jsonrpc":"2.0","id":1,"result":{"precious":"',
    ],
  ];
  const commands = [
    ['export', '-f', 'json'],
    ['export', '-f', 'trace'],
    ['import', '--to', 'trace'],
    ['import', '--to', 'session'],
  ];
  it.each(inputs.flatMap(([what, text]) => commands.map((command) => [what, command, text] as const)))(
    '%s survives %j with the same file for the result',
    async (_, command, text) => {
      const place = new CommandPlace();
      place.write('in', text);
      const before = place.read('in');
      const { code } = await place.run([...command, 'in', '-o', 'in']);
      expect(code).not.toBe(0);
      expect(place.read('in')).toBe(before);
      expect(place.files()).toEqual(['in']);
    },
  );
});

it.each([['export', '-f', 'trace'], ['export'], ['redact']])(
  'a recording of several files is not written over one of them: %j',
  async (...command) => {
    const place = new CommandPlace();
    place.write('t.jsonl', partText(1, [0, 2]));
    place.write('t.part-2.jsonl', partText(2, [2, 4]));
    const { code } = await place.run([...command, 't.jsonl', '-o', 't.jsonl']);
    expect([code, place.read('t.jsonl')]).toEqual([2, partText(1, [0, 2])]);
  },
);

it('recover does not write over the trace that it reads', async () => {
  const place = new CommandPlace();
  const trace = 'home/sessions/2026-01-02T03-04-05-000Z-x-abcd1234.jsonl';
  place.write(trace, TRACE);
  expect((await place.run(['sessions', 'recover', 'abcd1234', '-o', place.path(trace)])).code).toBe(2);
  expect(place.read(trace)).toBe(TRACE);
});

it.each([
  [['export', '-f', 'csv', '-o', 'out']],
  [['export', '-f', 'json', '-o', 'out']],
  [['redact', '-o', 'out']],
  [['check', '--junit', 'out']],
  [['check', '--sarif', 'out']],
  [['diff', 'trace.jsonl', '--html', 'out']],
  [['replay', '--output', 'out', '--dry-run']],
  [['import', '--out-trace', 'out']],
  [['import', '--to', 'trace', '-o', 'out']],
])(
  'what was written to a named pipe reaches %j, whose writer does not wait',
  skipOnWindows('Windows has no named pipes in folders'),
  async ([name = '', ...rest]) => {
    const place = new CommandPlace();
    place.write('trace.jsonl', TRACE);
    execFileSync('mkfifo', [place.path('pipe')]);
    const writer = spawn('sh', ['-c', 'echo; exec cat trace.jsonl > pipe'], { cwd: place.folder });
    const written = once(writer, 'exit');
    // Now it waits for a reader.
    await once(writer.stdout, 'data');
    const running = place.run([name, 'pipe', ...rest]);
    // A command that lost what was written would wait for another writer.
    const [status] = await written;
    const release = status === 0 ? undefined : releasing(place.path('pipe'), running);
    expect([status, (await running).stderr]).toEqual([0, expect.not.stringContaining('is empty')]);
    await release;
  },
);

/** Opens a pipe as its writer until the command that waits for one has ended. */
async function releasing(pipe: string, running: Promise<unknown>): Promise<void> {
  let ended = false;
  void running.then(() => {
    ended = true;
  });
  const open = (): boolean => {
    try {
      closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK));
    } catch {
      // No one reads yet.
    }
    return ended;
  };
  await vi.waitUntil(open, { timeout: 20_000, interval: 10 });
}
