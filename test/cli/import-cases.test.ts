import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';

interface Case {
  readonly name: string;
  readonly format: string;
  readonly input: string;
  readonly ok: boolean;
}

const folder = new URL('../corpus/import/', import.meta.url);
const cases: readonly Case[] = JSON.parse(readFileSync(new URL('index.json', folder), 'utf8'));

type Line = Record<string, unknown>;

function linesOf(text: string): Line[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Reads the expected lines; a time that the input does not contain matches any number. */
function expected(name: string): Line[] {
  const lines = linesOf(readFileSync(new URL(`expected/${name}.trace.jsonl`, folder), 'utf8'));
  return lines.map((line) => (line.timestamp === '__NOW__' ? { ...line, timestamp: expect.any(Number) } : line));
}

async function importCase(
  place: CommandPlace,
  { input, format }: Case,
): Promise<Awaited<ReturnType<CommandPlace['run']>>> {
  return place.run(['import', fileURLToPath(new URL(input, folder)), '--format', format, '--out-trace', 'out.jsonl']);
}

describe('import', () => {
  it.each(cases.filter(({ ok }) => ok))('writes the expected trace for $name', async (given) => {
    const place = new CommandPlace();
    expect(await importCase(place, given)).toMatchObject({ code: 0 });
    expect(linesOf(place.read('out.jsonl'))).toEqual(expected(given.name));
  });

  it.each(cases.filter(({ ok }) => !ok))('refuses $name with a one-line error and writes nothing', async (given) => {
    const place = new CommandPlace();
    const { code, stdout, stderr } = await importCase(place, given);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Error: [^\n]+\n$/);
    expect(existsSync(place.path('out.jsonl'))).toBe(false);
  });

  it('finds the same steps and calls in one conversation for every format', async () => {
    const meanings = await Promise.all(
      cases
        .filter(({ name }) => name.startsWith('equiv-'))
        .map(async (given) => {
          const place = new CommandPlace();
          await importCase(place, given);
          return linesOf(place.read('out.jsonl'))
            .filter(({ type }) => type === 'step' || type === 'tool_call')
            .map((line) => ({ ...line, episode_id: 'any' }));
        }),
    );
    expect(meanings.length).toBeGreaterThan(3);
    for (const meaning of meanings) expect(meaning).toEqual(meanings[0]);
  });

  it('writes the same bytes for the same input', async () => {
    const [first] = cases;
    const [one, other] = [new CommandPlace(), new CommandPlace()];
    for (const place of [one, other]) await importCase(place, first as Case);
    expect(one.read('out.jsonl')).toBe(other.read('out.jsonl'));
  });
});
