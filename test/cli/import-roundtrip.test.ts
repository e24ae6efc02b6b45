import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { meaning, meaningOf } from '../support/meaning.ts';

describe('a session that mcpreel recorded', () => {
  it('a session has the same meaning after export to every transcript format and import', async () => {
    const place = new CommandPlace();
    await place.run(['demo']);
    const [recording = ''] = place.traces();
    const recorded = await meaning(place, recording);
    expect(recorded.map(({ type, name }) => name ?? type)).toEqual([
      'episode_start',
      'tools/list',
      'tools/list.result',
      'get_weather',
      'tool_call',
      'get_forecast',
      'tool_call',
      'get_alerts',
      'tool_call',
      'episode_end',
    ]);
    for (const format of ['json', 'trace', 'jsonrpc', 'streamable-http', 'http-sse', 'inspector']) {
      const { code } = await place.run(['export', recording, '-f', format, '-o', `demo.${format}`]);
      expect(code).toBe(0);
      expect(await meaning(place, `demo.${format}`, '--format', format)).toEqual(recorded);
    }
    await place.run(['export', recording, '-f', 'assay', '-o', 'demo.assay']);
    expect(meaningOf(place.read('demo.assay'))).toEqual(recorded);
  });
});

describe('an export of MCP Inspector', () => {
  const protocol = fileURLToPath(new URL('../corpus/inspector/protocol.json', import.meta.url));

  it('an export of MCP Inspector has the same meaning as an mcpreel recording', async () => {
    const place = new CommandPlace();
    const elements: { origin: string; message: object; response?: object }[] = JSON.parse(
      readFileSync(protocol, 'utf8'),
    );
    // The session as mcpreel's recorder would have written it: one line per message, with its direction.
    const lines = elements.flatMap(({ origin, message, response }) => {
      const [asks, answers] = origin === 'client' ? ['in', 'out'] : ['out', 'in'];
      const line = (dir: string | undefined, raw: object): string =>
        JSON.stringify({ t: '2026-03-04T10:00:00.000Z', dir, raw });
      return response === undefined ? [line(asks, message)] : [line(asks, message), line(answers, response)];
    });
    place.write('ours.jsonl', `${lines.join('\n')}\n`);
    const byCall = (events: Record<string, unknown>[]): unknown[] =>
      events
        .filter(({ type }) => type === 'step' || type === 'tool_call')
        .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    const theirs = await meaning(place, protocol);
    expect(theirs.filter(({ type }) => type === 'tool_call').map(({ tool_name, error }) => [tool_name, error])).toEqual(
      [
        ['ask', null],
        ['slow', 'mcp_error'],
      ],
    );
    expect(byCall(theirs)).toEqual(byCall(await meaning(place, 'ours.jsonl')));
  });
});

describe('export --conversation', () => {
  const message = (conv: number, id: number): string =>
    `{"t":"2026-03-04T10:00:00.000Z","dir":"in","conv":${conv},"raw":{"jsonrpc":"2.0","id":${id},"method":"ping"}}\n`;

  it('selects the one conversation that a transcript can contain', async () => {
    const place = new CommandPlace();
    place.write('two.jsonl', message(1, 1) + message(2, 2));
    expect(await place.run(['export', 'two.jsonl', '-f', 'streamable-http', '-o', 'out.json'])).toMatchObject({
      code: 2,
      stderr: 'Error: The session has several conversations: 1 and 2. Choose one with --conversation N.\n',
    });
    const { code, stdout } = await place.run(['export', 'two.jsonl', '-f', 'streamable-http', '--conversation', '2']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).entries.map(({ request }: { request: { id: number } }) => request.id)).toEqual([2]);
    expect(place.files()).toEqual(['two.jsonl']);
  });
});
