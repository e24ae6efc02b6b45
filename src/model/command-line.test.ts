import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { skipOnWindows } from '../../test/support/unless.ts';
import { joinCommandLine, splitCommandLine } from './command-line.ts';
import { ReelError } from './errors.ts';

const anyUnit = fc.nat(0xffff).map((unit) => String.fromCharCode(unit));

describe('splitCommandLine', () => {
  it.each([
    ['python -m my_server', ['python', '-m', 'my_server']],
    ['  a \t b\nc  ', ['a', 'b', 'c']],
    ['', []],
    ['   ', []],
    ["''", ['']],
    ["a '' b", ['a', '', 'b']],
    ['"/opt/my tools/server" --x', ['/opt/my tools/server', '--x']],
    ['\'a b\'c"d e"', ['a bcd e']],
    ['a\\ b \\"c', ['a b', '"c']],
    ['"a\\"b\\\\c\\$d\\n"', ['a"b\\c$d\\n']],
    ["'a\\b'", ['a\\b']],
    ['a\\\nb', ['ab']],
    ['"a\\\nb"', ['ab']],
    ['$HOME *.js | cat; x && y > z', ['$HOME', '*.js', '|', 'cat;', 'x', '&&', 'y', '>', 'z']],
    ['a\u00a0b\u2028c', ['a\u00a0b\u2028c']],
  ])('splits %j', (line, words) => {
    expect(splitCommandLine(line)).toEqual(words);
  });

  it.each([
    ['echo "a', 'The command line has an unclosed'],
    ["echo 'a", "The command line has an unclosed '"],
    ['echo "a\\"', 'The command line has an unclosed'],
    ['echo a\\', 'The command line has a backslash at its end'],
  ])('rejects %j', (line, sent) => {
    expect(() => splitCommandLine(line)).toThrow(sent);
  });

  it('throws only a ReelError, for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ' ', "'", '"', '\\', '\n', '$') }), (line) => {
        try {
          splitCommandLine(line);
        } catch (error) {
          expect(error).toBeInstanceOf(ReelError);
        }
      }),
    );
  });
});

describe('joinCommandLine', () => {
  it('quotes only the words that need it', () => {
    expect(joinCommandLine(['npx', '-y', '@scope/pkg@1.2', '/home/my files', "it's", '', '$X'])).toBe(
      "npx -y @scope/pkg@1.2 '/home/my files' 'it'\\''s' '' '$X'",
    );
  });

  it('returns a line that splits into the same words', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyUnit }), { maxLength: 6 }), (words) => {
        expect(splitCommandLine(joinCommandLine(words))).toEqual(words);
      }),
    );
  });

  it('returns a line that a shell splits into the same words', skipOnWindows('needs a POSIX shell'), () => {
    const words = ['a b', "it's", '"', '\\', '$HOME', '`id`', '*', '', '!', '~', '#', 'é\n;', '&&', '-n'];
    const output = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${joinCommandLine(words)}`], { encoding: 'utf8' });
    expect(output.split('\0').slice(0, -1)).toEqual(words);
  });
});
