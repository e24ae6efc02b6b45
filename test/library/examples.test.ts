import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { checker, exported, matchers } from './published-types.ts';
import { UserProject } from './user-project.ts';

/** The address in the examples of a server with a URL. */
const EXAMPLE_URL = 'http://127.0.0.1:3000/mcp';

/** The examples in the documentation of each export, as a user's editor shows them. */
const examples = [...exported, ...matchers].map(([name, symbol]) => {
  const tags = symbol.getJsDocTags(checker).filter((tag) => tag.name === 'example');
  return [name, tags.map(({ text }) => codeIn(ts.displayPartsToString(text)))] as const;
});

function codeIn(example: string): string {
  const [, code] = /^```ts\n(.*)```$/s.exec(example.trim()) ?? [];
  return code ?? '';
}

const files = examples.flatMap(([name, codes]) =>
  codes.map((code, index) => {
    const isTest = code.includes("from 'vitest'");
    return { name: `${name}-${index}`, isTest, code };
  }),
);

/** A project with a recording of the server, and the examples as files. */
async function projectWithExamples(): Promise<UserProject> {
  const project = new UserProject();
  const page = readFileSync(new URL('../../docs/library.md', import.meta.url), 'utf8');
  const [, record = ''] = /```js\n([^`]*recordSession\(\{.*?)```/s.exec(page) ?? [];
  project.write('record.js', record);
  expect(await project.node(['record.js'])).toMatchObject({ code: 0 });
  for (const { name, isTest, code } of files) project.write(`${name}${isTest ? '.test.ts' : '.mts'}`, code);
  return project;
}

describe('the examples in the documentation of the exports', () => {
  it.each(examples)('%s has an example that uses it', (name, codes) => {
    expect(codes).not.toEqual([]);
    for (const code of codes) expect(code).toMatch(new RegExp(`\\b${name}\\b`));
  });

  it('type-check, run without an error, and pass if they are tests', { timeout: 240_000 }, async () => {
    const project = await projectWithExamples();
    const programs = files.filter(({ isTest }) => !isTest);
    expect(await project.tsc(files.map(({ name, isTest }) => `${name}${isTest ? '.test.ts' : '.mts'}`))).toEqual({
      code: 0,
      output: '',
    });

    for (const { name, code } of programs) project.write(`${name}.mjs`, executable(code));
    // The examples run in one process, because starting one for each would take most of the time.
    project.write(
      'all.mjs',
      `import { startMock } from 'mcpreel';
      const mock = await startMock('session.json');
      globalThis.exampleUrl = mock.url;
      for (const name of ${JSON.stringify(programs.map(({ name }) => name))}) {
        await import('./' + name + '.mjs').catch((error) => {
          console.error('FAILED', name, error);
          process.exitCode = 1;
        });
      }
      await mock.stop();`,
    );
    const { code, output } = await project.node(['all.mjs']);
    expect({ code, failed: output.match(/^FAILED .*(?:\n.*){0,5}/gm) }, output).toEqual({ code: 0, failed: null });

    const tests = await project.vitest();
    expect(tests.output).toContain(` ${files.length - programs.length} passed`);
    expect(tests.code).toBe(0);
  });
});

/** The example as JavaScript, with the address of a server that runs. */
function executable(code: string): string {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true },
  });
  return outputText.replaceAll(`'${EXAMPLE_URL}'`, 'globalThis.exampleUrl');
}
