import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { pings, seedExample, sessionText } from '../support/session-texts.ts';

/** Nine messages; the eighth has an invalid direction. */
const withBadMessage = sessionText(
  pings(9).map((message, index) => (index === 7 ? { ...message, more: '"direction": "up"' } : message)),
);
const COMPLAINT = 'direction "up" is not client_to_server or server_to_client';

/** An error is one line without a stack trace. */
const ONE_ERROR = /^Error: [^\n]+\n$/;

describe('an invalid message', () => {
  it('an invalid message is reported in one line with the file as given, and the others are printed', async () => {
    const place = new CommandPlace();
    place.write('folder/session.json', withBadMessage);
    const { code, stdout, stderr } = await place.run(['inspect', './folder/session.json']);
    expect(stderr).toBe(`./folder/session.json: message 7: ${COMPLAINT}\n`);
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(3)).toEqual([
      'Messages: 8',
      '',
      ...Array.from({ length: 7 }, (_, n) => `  #00${n} > ping id=${n + 1}`),
      '  #007 > ping id=9',
      '',
    ]);
  });

  it('an invalid message is counted in the summary', async () => {
    const { stdout } = await new CommandPlace().run(['inspect', '--json', '-'], { input: withBadMessage });
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      summary: { messages: 8, problems: 1 },
    });
  });

  it('an invalid message from stdin is reported with "standard input" as its file', async () => {
    const { stderr } = await new CommandPlace().run(['inspect', '-'], { input: withBadMessage });
    expect(stderr).toBe(`standard input: message 7: ${COMPLAINT}\n`);
  });

  it('an invalid message does not prevent the export of the others', async () => {
    const place = new CommandPlace();
    const file = place.write('session.json', withBadMessage);
    const { code, stdout, stderr } = await place.run(['export', file, '-o', 'out.json']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Exported 8 messages to out.json\n' });
    expect(stderr).toBe(`session.json: message 7: ${COMPLAINT}\n`);
    expect((JSON.parse(place.read('out.json')) as { messages: unknown[] }).messages).toHaveLength(8);
  });

  it('reports at most 20 invalid messages and counts the rest', async () => {
    const bad = pings(50).map((message) => ({ ...message, more: '"direction": "up"' }));
    const { stderr } = await new CommandPlace().run(['inspect', '-'], { input: sessionText(bad) });
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(21);
    expect(lines[19]).toBe(`standard input: message 19: ${COMPLAINT}`);
    expect(lines[20]).toBe('… and 30 more like these.');
  });

  it.each([['inspect'], ['inspect', '-v'], ['inspect', '--json'], ['export'], ['export', '-f', 'jsonrpc']])(
    'fails %s with --strict before anything is printed',
    async (...command) => {
      const place = new CommandPlace();
      const file = place.write('session.json', withBadMessage);
      const { code, stdout, stderr } = await place.run([...command, file, '--strict']);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toBe(`Error: session.json: message 7: ${COMPLAINT}\n`);
    },
  );

  it('writes no output with --strict', async () => {
    const place = new CommandPlace();
    place.write('session.json', withBadMessage);
    const { code, stdout } = await place.run(['export', 'session.json', '--strict', '-o', 'out.json']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(place.files()).toEqual(['session.json']);
  });

  it('leaves an existing output file unchanged with --strict', async () => {
    const place = new CommandPlace();
    place.write('session.json', withBadMessage);
    place.write('out.json', 'precious');
    const { code } = await place.run(['export', 'session.json', '--strict', '-o', 'out.json']);
    expect(code).toBe(1);
    expect(place.read('out.json')).toBe('precious');
    expect(place.files()).toEqual(['out.json', 'session.json']);
  });

  it('accepts a session without invalid messages with --strict', async () => {
    const { code, stderr } = await new CommandPlace().run(['inspect', '-', '--strict'], { input: seedExample });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('a file that is not a recording', () => {
  it('reports a file that does not exist', async () => {
    const { code, stdout, stderr } = await new CommandPlace().run(['inspect', 'x.json']);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Error: Session file not found: x.json\n',
    });
  });

  const garbage = Uint8Array.from({ length: 5000 }, (_, n) => (n * 7919) % 256);
  it.each<[what: string, content: string | Uint8Array]>([
    ['is empty', ''],
    ['is blank', '\n\n  \n'],
    ['is binary', garbage],
    ['is zeros', new Uint8Array(5000)],
    ['is text', 'Dear diary,\ntoday I was recorded.\n'],
    ['is some other JSON object', '{"name": "mcpreel", "version": "0.1.0"}'],
    ['is a JSON list', '[1, 2, 3]'],
    ['is a JSON number', '5'],
    ['is other JSON Lines', '{"level":"info"}\n{"level":"warn"}\n'],
    ['ends within the header of a session file', seedExample.slice(0, 120)],
    ['ends within the first key', '{"i'],
    ['is nothing but open brackets', '['.repeat(100_000)],
    ['is nothing but open braces', '{"a":'.repeat(100_000)],
  ])('a file that %s is reported in one line', async (_, content) => {
    const place = new CommandPlace();
    const { code, stdout, stderr } = await place.run(['inspect', place.write('x.json', content)]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(ONE_ERROR);
    expect(stderr).toContain('x.json');
  });

  it.each(['folder', 'über'])('a folder is reported in one line: %s', async (name) => {
    const place = new CommandPlace();
    mkdirSync(place.path(name));
    const { code, stdout, stderr } = await place.run(['export', name, '-o', 'out.json']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(`Error: Not a file: ${name}. Name one that is in it.\n`);
    expect(place.files()).toEqual([]);
  });

  it('reports in one line that standard input cannot be written to a temporary file', async () => {
    const env = { TMPDIR: '/nowhere' };
    const { code, stdout, stderr } = await new CommandPlace().runBuilt(['inspect', '-'], { input: seedExample, env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      'Error: Cannot write to /nowhere: no such file or folder. Name another folder for temporary files with TMPDIR.\n',
    );
  });

  it('reports empty standard input in one line', async () => {
    const { code, stdout, stderr } = await new CommandPlace().run(['inspect', '-']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(ONE_ERROR);
  });

  it.each(['json', 'trace', 'jsonrpc'])('fails with one line if the file is read as %s anyway', async (format) => {
    const place = new CommandPlace();
    place.write('x', 'Dear diary');
    const { code, stdout, stderr } = await place.run(['inspect', 'x', '--format', format]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(ONE_ERROR);
  });

  it('prints a stack trace if MCPREEL_DEBUG is set', async () => {
    const { stderr } = await new CommandPlace().run(['inspect', 'x.json'], { env: { MCPREEL_DEBUG: '1' } });
    expect(stderr).toMatch(/^Error: Session file not found: x\.json\n[\s\S]*\n {4}at /);
  });
});

describe('a truncated recording', () => {
  it('reads a truncated session file up to the last complete message', async () => {
    const place = new CommandPlace();
    const file = place.write('session.json', seedExample.slice(0, seedExample.indexOf('"msg-002"') + 30));
    const { code, stdout, stderr } = await place.run(['inspect', file]);
    expect(code).toBe(0);
    expect(stdout).toContain('\nMessages: 1\n\n  #000 > initialize id=1\n');
    expect(stderr).toMatch(/^session\.json: session: cut off[^\n]*\n$/);
  });

  it('reads a session file truncated at several places, with one warning', async () => {
    const place = new CommandPlace();
    const messages = seedExample.indexOf('"messages"') + '"messages": ['.length;
    for (const end of [messages, messages + 200, seedExample.length - 150, seedExample.length - 3]) {
      const { code, stderr } = await place.run(['inspect', place.write('session.json', seedExample.slice(0, end))]);
      expect({ end, code, stderr }).toEqual({
        end,
        code: 0,
        stderr: expect.stringMatching(/^session\.json: [^\n]*\n$/),
      });
    }
  });

  it('reads a truncated trace up to its incomplete last line', async () => {
    const place = new CommandPlace();
    const whole = await place.run(['export', '-f', 'trace', '-'], { input: seedExample });
    const torn = whole.stdout.slice(0, whole.stdout.indexOf('"dir":"out"') + 60);
    const { code, stdout, stderr } = await place.run(['inspect', place.write('trace.jsonl', torn)]);
    expect(code).toBe(0);
    expect(stdout).toContain('\nMessages: 1\n\n  #000 > initialize id=1\n');
    expect(stderr).toBe('trace.jsonl: line 3: cut off in the middle\n');
  });

  it('a truncated recording fails with --strict', async () => {
    const { code, stdout, stderr } = await new CommandPlace().run(['inspect', '-', '--strict'], {
      input: seedExample.slice(0, 900),
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(ONE_ERROR);
  });
});
