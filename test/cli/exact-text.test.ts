import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { echoServer } from '../support/servers.ts';
import { EXACT_TEXT } from '../support/session-texts.ts';

const timesIn = (whole: string, text: string): number => whole.split(text).length - 1;

/** Records a message that the server echoes exactly as the client sent it. */
async function record(place: CommandPlace): Promise<string> {
  const args = ['--trace-file', 'trace.jsonl', '--session-file', 'session.json', '--', ...echoServer];
  const { stdout } = await place.runBuilt(args, { input: `${EXACT_TEXT}\n` });
  return stdout;
}

describe('a message with text that parsers do not preserve', () => {
  it('a message keeps its exact text at the receiver, in the trace and in the session file', async () => {
    const place = new CommandPlace();
    expect(await record(place)).toBe(`${EXACT_TEXT}\n`);
    expect(timesIn(place.read('trace.jsonl'), `"raw":${EXACT_TEXT}}`)).toBe(2);
    expect(timesIn(place.read('session.json'), `"payload": ${EXACT_TEXT}`)).toBe(2);
    expect(timesIn(place.read('session.json'), '"jsonrpc_id": 12345678901234567890,')).toBe(2);
  });

  it.each(['trace.jsonl', 'session.json'])(
    'a message keeps its exact text in every export of %s, and in exports of those',
    async (file) => {
      const place = new CommandPlace();
      await record(place);
      const formats = ['json', 'trace', 'jsonrpc'];
      for (const format of formats) {
        const first = await place.run(['export', file, '-f', format, '-o', format]);
        expect(first).toMatchObject({ code: 0, stdout: `Exported 2 messages to ${format}\n` });
        expect(timesIn(place.read(format), EXACT_TEXT)).toBe(2);
        const next = await Promise.all(formats.map((other) => place.run(['export', format, '-f', other])));
        expect(next.map(({ stdout }) => timesIn(stdout, EXACT_TEXT))).toEqual([2, 2, 2]);
      }
      expect(place.read('jsonrpc')).toBe(`${EXACT_TEXT}\n${EXACT_TEXT}\n`);
    },
  );

  it('a message keeps its exact text in inspect --json, and its lexemes in inspect -v', async () => {
    const place = new CommandPlace();
    await record(place);
    const { stdout: lines } = await place.run(['inspect', '--json', 'trace.jsonl']);
    expect(timesIn(lines, `"payload":${EXACT_TEXT}}`)).toBe(2);
    const { stdout: text } = await place.run(['inspect', '-v', 'session.json']);
    const shown = text.slice(text.indexOf('{'), text.indexOf('\n  #001'));
    expect(shown.replaceAll(/\s/g, '')).toBe(EXACT_TEXT);
    expect(text).toContain('  #000 > x id=12345678901234567890\n');
  });
});

describe('whitespace between the tokens of a message', () => {
  it('keeps whitespace as it was sent, in the trace and in the session file', async () => {
    const place = new CommandPlace();
    const spaced = '{ "jsonrpc" :\t"2.0",  "method":"a" , "params": [ ] }';
    const args = ['--trace-file', 'trace.jsonl', '--session-file', 'session.json', '--', ...echoServer];
    await place.runBuilt(args, { input: `  ${spaced} \r\n` });
    expect(timesIn(place.read('trace.jsonl'), `"raw":${spaced}}`)).toBe(2);
    expect(timesIn(place.read('session.json'), `"payload": ${spaced}`)).toBe(2);
  });
});
