import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { answering, writeTalk } from '../replay/told-session.ts';
import { AGE_KEY_FILE, AGE_RECIPIENT } from '../support/age-sample.ts';
import { CommandPlace } from '../support/command-place.ts';
import { GITHUB_TOKEN } from '../support/sample-secrets.ts';
import { sessionText } from '../support/session-texts.ts';

const recording = sessionText([
  {
    payload: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"q":"</script>"}}}',
  },
  { from: '<', payload: `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"${GITHUB_TOKEN}"}]}}` },
  { payload: '{"jsonrpc":"2.0","id":2,"method":"ping"}' },
]);

interface Read {
  readonly contents: { readonly recordings: readonly { name: string; origin: object }[]; readonly place: string };
  /** The recordings as traces. */
  readonly traces: readonly string[];
}

/** Reads what a page contains. */
function readPage(html: string): Read {
  const contents = JSON.parse(/<script type="application\/json" id="contents">(.*?)<\/script>/s.exec(html)?.[1] ?? '');
  const packed = [...html.matchAll(/<script type="text\/plain" id="recording-\d+">([\w+/=\n]*)<\/script>/g)];
  const traces = packed.map(([, lines = '']) => {
    const bytes = lines.split('\n').map((line) => Buffer.from(line, 'base64'));
    return gunzipSync(Buffer.concat(bytes)).toString();
  });
  return { contents, traces };
}

describe('export -f html', () => {
  it('writes a page that contains the redacted recording and runs only its own script', async () => {
    const place = new CommandPlace();
    place.write('s.json', recording);
    const { code, stdout, stderr } = await place.run(['export', 's.json', '-f', 'html', '-o', 'out.html']);
    expect([code, stdout]).toEqual([0, 'Exported 3 messages to out.html\n']);
    expect(stderr).toMatch(/^Redacted 1 secret: .*\n$/);
    expect(place.mode('out.html')).toBe(0o600);
    const html = place.read('out.html');
    const { contents, traces } = readPage(html);
    expect(contents.recordings).toEqual([
      { name: expect.any(String), origin: { format: 'json', infersDirections: false, numbersTimes: false } },
    ]);
    expect(traces).toHaveLength(1);
    expect(traces[0]).not.toContain(GITHUB_TOKEN);
    expect(traces[0]).toContain('"q":"</script>"');
    const script = /<script>(.*?)<\/script>/s.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(script).digest('base64');
    const policy = /http-equiv="Content-Security-Policy"\s+content="(.*?)"/s.exec(html)?.[1];
    expect(policy).toContain(`default-src 'none'; script-src 'sha256-${hash}'; style-src 'sha256-`);
    expect(policy).toContain("connect-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(html.match(/<\/script/gi)).toHaveLength(3);
  });

  it('writes to standard output, applies the filter, and supports encryption and --no-redact', async () => {
    const place = new CommandPlace();
    place.write('s.json', recording);
    place.write('key.txt', AGE_KEY_FILE);
    const printed = await place.run(['export', 's.json', '-f', 'html', '--no-redact', '--filter', 'tool:search']);
    const [trace = ''] = readPage(printed.stdout).traces;
    expect(trace).toContain(GITHUB_TOKEN);
    expect(trace).not.toContain('ping');
    const sealed = await place.run(['export', 's.json', '-f', 'html', '-o', 'x.age', '--encrypt-to', AGE_RECIPIENT]);
    expect(sealed.code).toBe(0);
    expect(place.read('x.age')).not.toContain('<html');
  });

  it('leaves no file behind if it cannot read to the end', async () => {
    const place = new CommandPlace();
    place.write('s.jsonl', '{"v":1,"type":"meta","startedAt":"2026-01-02T03:04:05.000Z","command":["x"]}\nno json\n');
    const { code } = await place.run(['export', 's.jsonl', '-f', 'html', '-o', 'out.html', '--strict']);
    expect(code).toBe(1);
    expect(place.files()).toEqual(['s.jsonl']);
  });
});

describe('diff --html', () => {
  it('writes a page with both sessions and the settings, and keeps its output and exit code', async () => {
    const place = new CommandPlace();
    const a = writeTalk(place, [['count', GITHUB_TOKEN]], 'folder/a.jsonl');
    const b = writeTalk(place, [['count', '4']], 'b.jsonl');
    place.write('ignore.txt', '# nothing\n$..etag\n');
    const flags = ['--compare', 'shape', '--ignore', '$..x', '--ignore-file', 'ignore.txt', '--exit-code'];
    const { code, stdout, stderr } = await place.run(['diff', a, b, '--html', 'd.html', ...flags]);
    expect(code).toBe(0);
    expect(stdout).toContain('No differences');
    expect(stderr).toMatch(/^Redacted 1 secret/);
    const { contents, traces } = readPage(place.read('d.html'));
    expect(contents.recordings.map(({ name }) => name)).toEqual(['a.jsonl', 'b.jsonl']);
    expect(Object.fromEntries(new URLSearchParams(contents.place))).toEqual({
      view: 'diff',
      compare: 'shape',
      ignore: '$..x\n$..etag',
    });
    expect(traces).toHaveLength(2);
    expect(traces.join()).not.toContain(GITHUB_TOKEN);
  });
});

describe('replay --html', () => {
  it('writes a page that compares the recording with the replay', async () => {
    const place = new CommandPlace();
    const file = writeTalk(place, [['get_count', '{"count":3}']]);
    const server = answering({ get_count: '{"count":4}' });
    const { code, stderr } = await place.run(['replay', file, '--ignore', '$..x', '--html', 'r.html', '--', ...server]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    const { contents, traces } = readPage(place.read('r.html'));
    expect(contents.recordings.map(({ name }) => name)).toEqual([file, 'replay']);
    expect(contents.place).toBe('view=diff&ignore=%24..x');
    expect(traces[0]).toContain(String.raw`{\"count\":3}`);
    expect(traces[1]).toContain(String.raw`{\"count\":4}`);
  });
});
