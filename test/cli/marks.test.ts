import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { answer, call, sessionText } from '../support/session-texts.ts';

const EDITED = '"modified": true, "original_payload": {"jsonrpc":"2.0","id":2,"method":"tools/call"}';

async function outputs(place: CommandPlace): Promise<Record<string, string[]>> {
  const file = place.write(
    's.json',
    sessionText([
      call(1, 'plain'),
      answer(1),
      { ...call(2, 'edited'), more: EDITED },
      answer(2),
      call(3, 'answered'),
      { ...answer(3), more: EDITED.replace('"method":"tools/call"', '"result":{}') },
      { ...call(4, 'lost'), more: '"dropped": true' },
    ]),
  );
  const of = async (...args: string[]): Promise<string[]> => (await place.run([...args, file])).stdout.split('\n');
  return {
    listing: await of('inspect'),
    calls: await of('inspect', '--calls'),
    json: await of('inspect', '--calls', '--json'),
    markdown: await of('export', '-f', 'markdown'),
    csv: await of('export', '-f', 'csv'),
  };
}

describe('a message that was modified, answered or dropped', () => {
  it('marks changed messages in the listing, in calls, in their JSON, in Markdown and in CSV', async () => {
    const place = new CommandPlace();
    const { listing, calls, json, markdown, csv } = await outputs(place);
    const with_ = (lines: string[] | undefined, text: string): string =>
      lines?.find((line) => line.includes(text)) ?? '';
    expect(with_(listing, '#002')).toContain('[MODIFIED]');
    for (const name of ['edited', 'answered']) {
      expect(with_(calls, name)).toContain('[MODIFIED]');
      expect(JSON.parse(with_(json, `"${name}"`))).toMatchObject({ modified: true, dropped: false, injected: false });
      expect(with_(markdown, `| <code>${name}</code> |`) || with_(markdown, name)).toContain('**edited**');
      expect(with_(csv, name)).toMatch(/,modified\r$/);
    }
    expect(markdown?.join('\n')).toContain('Request, message <code>#002</code> (edited):');
    expect(markdown?.join('\n')).toContain('Response, message <code>#005</code> (edited):');
    expect(with_(calls, 'lost')).toContain('[DROPPED]');
    expect(with_(calls, 'lost')).not.toContain('waiting for input');
    expect(JSON.parse(with_(json, '"lost"'))).toMatchObject({ dropped: true });
    expect(with_(csv, 'lost')).toMatch(/,dropped\r$/);
  });

  it('does not mark unchanged messages', async () => {
    const { listing, calls, json, markdown, csv } = await outputs(new CommandPlace());
    for (const lines of [listing, calls, markdown, csv]) {
      expect(lines?.filter((line) => line.includes('plain')).join('\n')).not.toMatch(/modified/i);
    }
    expect(JSON.parse(json?.[0] ?? '')).toMatchObject({ name: 'plain', modified: false, dropped: false });
  });
});
