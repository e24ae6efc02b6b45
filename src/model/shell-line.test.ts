import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellLine } from './shell-line.ts';
import { splitWindowsCommandLine } from './windows-command-line.ts';

describe('shellLine', () => {
  it.each([
    [['node', 'C:\\srv\\index.js'], 'node C:\\srv\\index.js'],
    [['node', 'C:\\My Servers\\index.js'], 'node "C:\\My Servers\\index.js"'],
    [['x', 'C:\\My Servers\\'], 'x "C:\\My Servers\\\\"'],
    [['npx', '-y', '@scope/server@1.2', ''], 'npx -y "@scope/server@1.2" ""'],
    [['x', "it's", 'a;b', 'a,b', 'a&b', '(a)'], 'x "it\'s" "a;b" "a,b" "a&b" "(a)"'],
    [['x', 'say "hi"'], 'x "say \\"hi\\""'],
  ])('quotes %j for cmd and PowerShell', (words, line) => {
    expect(shellLine(words, 'win32')).toBe(line);
  });

  it('quotes for a POSIX shell elsewhere', () => {
    expect(shellLine(['node', 'my server.js', 'C:\\x'], 'linux')).toBe("node 'my server.js' 'C:\\x'");
  });

  it('writes lines for Windows that split into the same words', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', '"', '\\', ' ', "'", '@', '\t', '~') })), (words) => {
        expect(splitWindowsCommandLine(shellLine(words, 'win32'))).toEqual(words);
      }),
    );
  });
});
