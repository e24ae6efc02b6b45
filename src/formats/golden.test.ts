import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { convert, readAll } from '../../test/contract/files.ts';
import { readers, writers } from './registry.ts';
import { trace } from './trace/trace.ts';

// Samples of each format. Files written once must stay readable forever, so these samples never change. A change in what
// is written gets a new folder next to these.
const OLDER = ['1', '2'];
const NEWEST = '3';

function folderOf(version: string): string {
  return fileURLToPath(new URL(`../../test/corpus/golden/${version}/`, import.meta.url));
}

function golden(name: string, version: string = NEWEST): string {
  return readFileSync(`${folderOf(version)}${name}`, 'utf8');
}

/** The version of the writing program is not part of the format. */
function withoutVersion(text: string): string {
  return text.replaceAll(`"version":"${__MCPREEL_VERSION__}"`, '"version":"0.1.0"');
}

describe.each(['stdio', 'http'])('a recording of %s', (name) => {
  it.each(writers.map((writer) => [writer.id, writer] as const))(
    'writes a recording exactly as in its golden file: %s',
    async (id, writer) => {
      const written = await convert(trace, golden(`${name}.trace`), writer);
      await expect(withoutVersion(written)).toMatchFileSnapshot(`${folderOf(NEWEST)}${name}.${id}`);
    },
  );

  it.each(
    readers
      .filter(({ id }) => writers.some((writer) => writer.id === id))
      .flatMap((reader) => [...OLDER, NEWEST].map((version) => [reader.id, version, reader] as const)),
  )('reads a recording from a file in %s of version %s', async (id, version, reader) => {
    const { messages, problems } = await readAll(reader, golden(`${name}.${id}`, version));
    expect(problems).toEqual([]);
    const { messages: recorded } = await readAll(trace, golden(`${name}.trace`, version));
    const texts = recorded.map(({ text }) => text);
    expect(messages.length).toBeGreaterThan(5);
    // An Inspector file has the time inside the message.
    for (const { text } of messages) expect(texts).toContain(text.replace(/,"timestamp_ms":\d+\}$/, '}'));
  });
});

describe('a recording that was made through a journal', () => {
  it('is written again as it is', async () => {
    expect(await convert(trace, golden('journal.trace'), trace)).toBe(golden('journal.trace'));
  });

  it.each(writers.filter(({ id }) => id !== 'trace').map((writer) => [writer.id, writer] as const))(
    'is exported without its offsets as %s',
    async (_, writer) => {
      const written = await convert(trace, golden('journal.trace'), writer);
      expect(written).not.toContain('upto');
    },
  );

  it('has the messages of any other recording', async () => {
    const { messages, problems } = await readAll(trace, golden('journal.trace'));
    expect(problems).toEqual([]);
    expect(messages.map(({ upTo }) => upTo)).toEqual([
      '["in",41]',
      '["out",37]',
      '["in",126]',
      '["in",126]',
      '["act",1]',
    ]);
    expect(messages.map(({ keepsakes }) => keepsakes)).toEqual(messages.map(() => undefined));
  });
});
