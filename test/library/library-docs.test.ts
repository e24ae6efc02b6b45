import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as library from '../../src/index.ts';
import { inLongRuns } from '../support/long-run.ts';
import { UserProject } from './user-project.ts';

const page = readFileSync(new URL('../../docs/library.md', import.meta.url), 'utf8');

/** The code blocks of one language in the page. */
function blocks(language: string): string[] {
  return [...page.matchAll(/^```([\w-]*)\n(.*?)^```$/gms)]
    .filter(([, tag]) => tag === language)
    .map(([, , code = '']) => code);
}

describe('docs/library.md', () => {
  it('contains only examples that run, in the order given', { timeout: 240_000 }, async () => {
    const project = new UserProject();
    const [imports, ...scripts] = blocks('js');
    expect(scripts).toHaveLength(4);
    const printed: string[] = [];
    for (const [index, script] of [imports ?? '', ...scripts].entries()) {
      project.write(`example-${index}.js`, script);
      const { code, output } = await project.node([`example-${index}.js`]);
      expect({ code, output }).toEqual({ code: 0, output });
      printed.push(output);
    }
    const [none, record, read, replay, mock] = printed;
    expect(none).toBe('');
    expect(record).toBe(`server is in ${project.path('session.json')}\n`);
    expect(read).toMatch(/^client_to_server \{"method":"initialize"/);
    expect(replay).toBe('2 of 2 as recorded\n');
    expect(mock?.match(/count/g)).toHaveLength(3);
    expect(mock).toMatch(/^6 \[\] \[\]$/m);
  });

  it('contains only tests that pass and type-check', { timeout: 240_000 }, async () => {
    const project = new UserProject();
    const [imports = '', record = ''] = blocks('js');
    project.write('record.js', record);
    expect(await project.node(['record.js'])).toMatchObject({ code: 0 });
    const tests = blocks('ts');
    expect(tests).toHaveLength(2);
    for (const [index, test] of tests.entries()) project.write(`example-${index}.test.ts`, test);
    project.write('imports.ts', imports);
    // The first round records, the second compares; in short runs `vitest-project.test.ts` covers comparing.
    for (const round of inLongRuns(['first', 'second'], ['first'])) {
      const { code, output } = await project.vitest();
      expect({ round, code, output }).toEqual({ round, code: 0, output });
      expect(output).toContain('2 passed');
    }
    expect(project.files()).toContain('recordings/stock.json');
    const scripts = blocks('js').slice(1);
    for (const [index, script] of scripts.entries()) project.write(`script-${index}.mts`, script);
    const named = project.files().filter((name) => /\.m?ts$/.test(name));
    expect(named).toHaveLength(7);
    expect(await project.tsc(named)).toEqual({ code: 0, output: '' });
  });

  it('names every export of the library', () => {
    const functions = Object.keys(library).filter((name) => name !== 'ReelError');
    expect(functions.toSorted()).toEqual(['entriesOf', 'readSession', 'recordSession', 'replaySession', 'startMock']);
    for (const name of functions) expect(blocks('js')[0]).toContain(name);
  });
});
