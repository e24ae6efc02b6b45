import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ALL_GROUPS } from '../../src/cli/commands/check/check-groups.ts';
import { recordCareless } from '../support/careless-recording.ts';
import { CommandPlace } from '../support/command-place.ts';

function page(name: string): string {
  return readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
}

/** The arguments after `mcpreel` on each command line of a page, without comments. */
function commands(name: string): string[][] {
  return [...page(name).matchAll(/^mcpreel (.*)$/gm)].map(([, line = '']) => line.replace(/\s+#.*/, '').split(/\s+/));
}

/** A place with a recorded session that all examples can use. */
async function recorded(): Promise<CommandPlace> {
  const place = new CommandPlace();
  await recordCareless(place, 'session.json', [['weather', 'Rome']]);
  for (const name of ['a.json', 'b.json']) place.write(name, place.read('session.json'));
  return place;
}

describe.each(['stats.md', 'check.md'])('docs/%s', (name) => {
  it('contains only command lines that work when run in order', async () => {
    const place = await recorded();
    expect(commands(name).length).toBeGreaterThan(4);
    for (const args of commands(name)) {
      expect({ args, ...(await place.run(args)) }).toMatchObject({ args, code: 0 });
    }
  });
});

describe('docs/check.md', () => {
  it('shows the actual output of check', async () => {
    const place = new CommandPlace();
    await recordCareless(place, 'session.json', [
      ['forecast', 'Oslo'],
      ['weather', 'Oslo'],
    ]);
    const { stdout, stderr } = await place.run(['check', 'session.json']);
    // Schema errors are worded by the validator, so only the field name is compared.
    const inOurWords = (text: string): string => text.replaceAll(/outputSchema: .*/g, 'outputSchema');
    expect(inOurWords(page('check.md'))).toContain(`$ mcpreel check session.json\n${inOurWords(stdout)}${stderr}`);
  });

  it('explains every group', () => {
    const explained = [...page('check.md').matchAll(/^\| `([a-z]+)` \|/gm)].map(([, group]) => group);
    expect(explained).toEqual(expect.arrayContaining([...ALL_GROUPS]));
  });
});
