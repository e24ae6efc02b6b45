import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { parseTrace } from '../support/recordings.ts';
import { echoServer } from '../support/servers.ts';
import { pings, seedExample, sessionText } from '../support/session-texts.ts';

const SEED_LISTING = `
Messages: 2

  #000 > initialize id=1
  #001 < (response) id=1 corr=msg-001
`;

/** A place with one recorded session, and its id. */
async function recorded(): Promise<{ place: CommandPlace; id: string }> {
  const place = new CommandPlace();
  await place.runBuilt(['--', ...echoServer], { input: '{"jsonrpc":"2.0","method":"hello"}\n' });
  return { place, id: String(parseTrace(place.trace()).meta.id) };
}

describe('the session argument of inspect', () => {
  it.each([
    ['as an argument', ['inspect', 'session.json']],
    ['by --session-file', ['inspect', '--session-file', 'session.json']],
    ['in the longer spelling', ['proxy', 'inspect', '--session-file', 'session.json']],
    ['in a format that is insisted on', ['inspect', 'session.json', '--format', 'json']],
  ])('reads a session given %s', async (_, args) => {
    const place = new CommandPlace();
    place.write('session.json', seedExample);
    const { code, stdout, stderr } = await place.run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(SEED_LISTING);
  });

  it('reads a session from stdin', async () => {
    const { code, stdout } = await new CommandPlace().run(['inspect', '-'], { input: seedExample });
    expect(code).toBe(0);
    expect(stdout).toContain(SEED_LISTING);
  });

  it('leaves no temporary files after reading stdin', async () => {
    const place = new CommandPlace();
    await place.runBuilt(['inspect', '-'], { input: seedExample, env: { TMPDIR: place.folder } });
    expect(place.files()).toEqual([]);
  });

  it('finds a recorded session by its id or a prefix of it, in either case', async () => {
    const { place, id } = await recorded();
    for (const reference of [id, id.slice(0, 8), id.slice(0, 13), id.slice(0, 4).toUpperCase()]) {
      const { code, stdout } = await place.run(['inspect', reference]);
      expect(code).toBe(0);
      expect(stdout).toContain(`Session: ${id}\n`);
      expect(stdout).toContain('\nMessages: 2\n\n  #000 > hello\n  #001 < hello\n');
    }
  });

  it('does not find a session by an id that only shares a prefix with the recorded one', async () => {
    const { place, id } = await recorded();
    const other = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
    const { code, stdout, stderr } = await place.run(['inspect', other]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(`Error: No file or session id "${other}". List sessions: mcpreel sessions\n`);
  });

  it('refuses an ambiguous id prefix', async () => {
    const place = new CommandPlace();
    for (const end of ['1', '2']) {
      const id = `abcd000${end}-0000-4000-8000-000000000000`;
      const meta = `{"v":1,"type":"meta","startedAt":"2026-03-04T10:00:00.000Z","label":"a","command":["a"],"id":"${id}"}\n`;
      place.write(`home/sessions/2026-03-04T10-00-00-000Z-a-abcd000${end}.jsonl`, meta);
    }
    const ambiguous = await place.run(['inspect', 'abcd']);
    expect(ambiguous).toMatchObject({ code: 1, stdout: '' });
    expect(ambiguous.stderr).toMatch(/^Error: 2 session ids start with abcd\..*\n$/);
    const exact = await place.run(['inspect', 'abcd0002']);
    expect(exact.stdout).toContain('Session: abcd0002-0000-4000-8000-000000000000\n');
  });
});

describe('the input formats of inspect', () => {
  it('reads a trace', async () => {
    const place = new CommandPlace();
    const trace = `{"v":1,"type":"meta","startedAt":"2026-05-12T23:00:00.000Z","label":"fs","command":["npx","-y","fs"]}
{"t":"2026-05-12T23:00:00.123Z","dir":"in","id":"a","raw":{"jsonrpc":"2.0","id":1,"method":"ping"}}
{"t":"2026-05-12T23:00:00.124Z","dir":"out","id":"b","raw":{"jsonrpc":"2.0","id":1,"result":{}}}
{"t":"2026-05-12T23:00:30.000Z","type":"end","exitCode":0,"durationMs":30000}
`;
    const { code, stdout, stderr } = await place.run(['inspect', place.write('trace.jsonl', trace)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.replace(/^Session: .*\n/, '')).toBe(
      'Transport: stdio\nServer command: npx -y fs\nMessages: 2\n\n  #000 > ping id=1\n  #001 < (response) id=1 corr=a\n',
    );
  });

  it('reads bare JSON-RPC messages and infers who sent each', async () => {
    const place = new CommandPlace();
    const lines = '{"jsonrpc":"2.0","id":"a","method":"tools/list"}\n{"jsonrpc":"2.0","id":"a","result":{}}\n';
    const { code, stdout, stderr } = await place.run(['inspect', place.write('messages.jsonl', lines)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Session: .*\nTransport: stdio\nMessages: 2\n\n {2}#000 > tools\/list id=a\n/);
    expect(stdout).toMatch(/\n {2}#001 < \(response\) id=a corr=[\da-f-]{36}\n$/);
  });
});

describe('inspect with control characters in the traffic', () => {
  const hostile = '\\u001b[2J\\u009bm\\nSession: forged\\r\\t\\u202egnp\\u2066\\u200b';
  const message = {
    payload: `{"jsonrpc":"2.0","id":"${hostile}","method":"${hostile}"}`,
    more: `"correlated_id":"${hostile}"`,
  };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not appear.
  const raw = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/;

  it('escapes the name, id and correlation of a message, which stay on one line', async () => {
    const place = new CommandPlace();
    const { stdout } = await place.run(['inspect', place.write('session.json', sessionText([message]))]);
    expect(stdout).not.toMatch(raw);
    const shown = '\\u001b[2J\\u009bm\\nSession: forged\\r\\t\\u202egnp\\u2066\\u200b';
    expect(stdout.split('\n').slice(5)).toEqual([`  #000 > ${shown} id=${shown} corr=${shown}`, '']);
  });

  it('escapes control characters in the header of a session', async () => {
    const place = new CommandPlace();
    const header = sessionText([])
      .replace('python my_server.py', hostile)
      .replace(/550e8400[^"]*/, hostile);
    const { stdout } = await place.run(['inspect', place.write('session.json', header)]);
    expect(stdout).not.toMatch(raw);
    expect(stdout.split('\n')).toHaveLength(5);
  });

  it('escapes control characters in a problem with a message, which stays on one line', async () => {
    const place = new CommandPlace();
    const odd = sessionText([message, message]).replace('"client_to_server"', '["\u009b2J",\n\n"\u202e"]');
    const { code, stderr } = await place.run(['inspect', place.write('session.json', odd)]);
    expect(code).toBe(0);
    expect(stderr).not.toMatch(raw);
    expect(stderr.split('\n')).toEqual([expect.stringMatching(/^session\.json: message 0: direction \[/), '']);
  });

  it('escapes control characters in a payload if stdout is a terminal', async () => {
    const place = new CommandPlace();
    const payload = '{"jsonrpc":"2.0","method":"a","params":{"text":"\u202egnp\u009b\u2066"}}';
    const file = place.write('session.json', sessionText([{ payload }]));
    const terminal = { NODE_OPTIONS: '--import=data:text/javascript,process.stdout.isTTY=true' };
    const seen = await place.runBuilt(['inspect', '-v', file], { env: terminal });
    expect(seen.stdout).not.toMatch(raw);
    expect(seen.stdout).toContain('"text": "\\u202egnp\\u009b\\u2066"\n');
    const piped = await place.run(['inspect', '-v', file]);
    expect(piped.stdout).toContain('"text": "\u202egnp\u009b\u2066"\n');
  });
});

describe('a reader that closes the pipe early', () => {
  it.each(['inspect', 'inspect -v', 'inspect --json', 'export', 'export -f trace'])(
    'a closed pipe ends %s without an error',
    async (command) => {
      const place = new CommandPlace();
      place.write('session.json', sessionText(pings(10_000)));
      const running = place.start([...command.split(' '), 'session.json']);
      await running.sent('\n');
      running.stopReading();
      const { code, stdout, stderr } = await running.ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(/id\W+10000\b/.test(stdout), 'it was all read').toBe(false);
    },
  );
});
