import { describe, expect, it } from 'vitest';
// biome-ignore lint/correctness/useImportExtensions: its declarations are beside it, not in it
import { checkWording } from '../../scripts/wording.mjs';
import { Place } from '../support/place.ts';

/** Checks a folder with this file. Returns the hits, and whether the check fails. */
function wordingOf(file: string, text: string): { fails: boolean; hits: string[] } {
  const place = new Place();
  place.write(file, text);
  const verdicts = checkWording(place.folder);
  return {
    fails: verdicts.some(({ isTooMany, forbidden }) => isTooMany || forbidden.length > 0),
    hits: verdicts.flatMap(({ hits }) => hits.map((hit) => `${hit.file}:${hit.line}: ${hit.found}`)),
  };
}

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the samples are code
describe('the wording check', () => {
  it.each([
    ['a string', 'src/a.ts', "\nreport('The message goes on after 30 s');\n", 2, 'goes on'],
    ['a template', 'src/a.ts', 'report(`\n${n} messages: nobody released ${those}`);\n', 2, 'nobody'],
    ['the text after a substitution', 'src/a.ts', 'report(`the client ${name} is told`);\n', 1, 'is told'],
    ['strings that are joined', 'src/a.ts', "report('The message goes ' +\n  'on after 30 s');\n", 1, 'goes on'],
    [
      'a string in a template',
      'src/a.ts',
      "report(`It ${isOk ? 'is sent' : 'goes no further'}`);\n",
      1,
      'goes no further',
    ],
    ['the value of a property', 'web/a.ts', "const WORDS = { dropped: 'went no further' };\n", 1, 'went no further'],
    ['JSX text', 'web/a.tsx', 'const a = (\n  <p>Somebody decides.</p>\n);\n', 2, 'Somebody'],
    ['JSX text with an element inside', 'web/a.tsx', 'const a = <p>The message goes <b>on</b>.</p>;\n', 1, 'goes on'],
    [
      'JSX text with a line break inside',
      'web/a.tsx',
      'const a = (\n  <p>\n    It goes\n    on.\n  </p>\n);\n',
      3,
      'goes on',
    ],
    ['a label', 'web/a.tsx', 'const a = <button aria-label="Let it go">✕</button>;\n', 1, 'Let it go'],
    ['help', 'src/cli/commands/a.ts', "command.description('print what nobody sent');\n", 1, 'nobody'],
    ['a script', 'scripts/a.mjs', "print('Go on with --resume.');\n", 1, 'Go on'],
    ['README', 'README.md', '# a\n\nIt tells who asked.\n', 3, 'tells who'],
    ['a page of docs', 'docs/a.md', '# a\n\nIt tells who\nasked.\n', 3, 'tells who'],
    ['a changeset', '.changeset/a.md', 'It is kept for ever.\n', 1, 'for ever'],
    ['the name of a test', 'test/a.test.ts', "it('says so', () => {});\n", 1, 'says so'],
    [
      'the name of a group of tests',
      'src/a.test.ts',
      'describe.each([1])(`what is no %s`, () => {});\n',
      1,
      'what is no',
    ],
    ['a comment', 'src/a.ts', '// A copy of its own.\n', 1, 'of its own'],
  ])('finds a phrase in %s, with its line', (_, file, text, line, found) => {
    expect(wordingOf(file, text)).toEqual({ fails: true, hits: [`${file}:${line}: ${found}`] });
  });

  it.each([
    ['the samples of a test', 'test/a.test.ts', "it('forwards it', () => send('nobody goes on'));\n"],
    ['the name of a module', 'src/a.ts', "import { a } from './what is said.ts';\n"],
    ['a type', 'src/a.ts', "type Reason = 'held, and nobody is left';\n"],
    ['a value that is compared', 'src/a.ts', "if (reason === 'nobody was left') return;\n"],
    ['the class of an element', 'web/a.tsx', 'const a = <p class="go on">Text</p>;\n'],
    ['words of two texts', 'web/a.tsx', 'const a = [<p>It goes</p>, <p>on Linux</p>];\n'],
    ['the words before and after a substitution', 'src/a.ts', 'report(`it goes ${where} on Linux`);\n'],
    ['code in a page of docs', 'docs/a.md', '```\nnobody goes on\n```\n'],
  ])('ignores %s', (_, file, text) => {
    expect(wordingOf(file, text)).toEqual({ fails: false, hits: [] });
  });

  it.each([
    ['README', 'README.md', 'One client is told.\n'],
    ['the help', 'src/cli/commands/a.ts', "command.description('print what nobody sent');\n"],
  ])('allows no hit in %s, however long it is', (_, file, text) => {
    const plain = file.endsWith('.md') ? 'A plain line.\n' : "report('A plain line.');\n";
    expect(wordingOf(file, plain.repeat(2000)).fails).toBe(false);
    expect(wordingOf(file, plain.repeat(2000) + text).fails).toBe(true);
  });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the samples are code
