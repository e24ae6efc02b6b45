import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { seedExample } from '../support/session-texts.ts';

const META =
  '{"v":1,"type":"meta","startedAt":"2026-03-04T10:00:00.000Z","label":"x","command":["x"],"id":"a","transport":"stdio","metadata":{}}\n';
const MESSAGE = '{"t":"2026-03-04T10:00:01.000Z","dir":"in","seq":0,"id":"m","raw":{"jsonrpc":"2.0","method":"hi"}}\n';
const end = (more: string): string => `{"t":"2026-03-04T10:00:02.000Z","type":"end",${more}"durationMs":2000}\n`;

async function summaryOf(place: CommandPlace, file: string): Promise<Record<string, unknown>> {
  const { stdout } = await place.run(['inspect', '--json', file]);
  return (JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as { summary: Record<string, unknown> }).summary;
}

describe('the exit code of a server', () => {
  it.each([
    ['a session file, which has no place for it', seedExample],
    ['a trace whose end has none', META + MESSAGE + end('')],
    ['a trace that was written from such a file', META + MESSAGE + end('"exitCode":0,"reason":"unknown",')],
    ['a trace without an end', META + MESSAGE],
    ['JSON-RPC lines', '{"jsonrpc":"2.0","method":"hi"}\n'],
  ])('reports no exit code for %s', async (_, content) => {
    const place = new CommandPlace();
    expect(await summaryOf(place, place.write('x', content))).toMatchObject({ exit_code: null });
  });

  it('writes exit code 0 with the reason unknown to a trace that is converted from a session file', async () => {
    const place = new CommandPlace();
    place.write('s.json', seedExample);
    const { stdout } = await place.run(['export', 's.json', '-f', 'trace']);
    const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as object;
    expect(last).toMatchObject({ type: 'end', exitCode: 0, reason: 'unknown', durationMs: 330_000 });
    place.write('t.jsonl', stdout);
    expect(await summaryOf(place, 't.jsonl')).toMatchObject({ exit_code: null });
    expect(JSON.parse((await place.run(['export', 't.jsonl'])).stdout)).toEqual(JSON.parse(seedExample));
    expect((await place.run(['export', 't.jsonl', '-f', 'trace'])).stdout).toBe(stdout);
  });

  it.each([
    '"reason":"client_closed",',
    '"exitCode":null,',
    '"exitCode":"0",',
    '"exitCode":null,"signal":"SIGKILL",',
    '"exitCode":null,"reason":7,',
  ])('invents no exit code when it converts an end with %s', async (more) => {
    const place = new CommandPlace();
    place.write('t.jsonl', META + MESSAGE + end(more));
    for (const [from, format, to] of [
      ['t.jsonl', 'trace', 'u.jsonl'],
      ['u.jsonl', 'json', 's.json'],
      ['s.json', 'trace', 'v.jsonl'],
    ] as const) {
      await place.run(['export', from, '-f', format, '-o', to]);
      expect(await summaryOf(place, to)).toMatchObject({ exit_code: null });
    }
    expect(place.read('v.jsonl')).toBe(place.read('u.jsonl'));
    expect(place.read('u.jsonl')).toContain('"type":"end","exitCode":0,');
  });

  it.each([
    ['"exitCode":3,', 3],
    ['"exitCode":0,', 0],
    ['"exitCode":0,"reason":"producer_shutdown",', 0],
    ['"exitCode":143,"signal":"SIGTERM",', 143],
  ])('keeps the exit code through a session file: %s', async (more, code) => {
    const place = new CommandPlace();
    const trace = META + MESSAGE + end(more);
    place.write('t.jsonl', trace);
    await place.run(['export', 't.jsonl', '-o', 's.json']);
    expect(await summaryOf(place, 's.json')).toMatchObject({ exit_code: code });
    expect((await place.run(['export', 's.json', '-f', 'trace'])).stdout).toBe(trace);
  });
});
