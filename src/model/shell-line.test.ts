import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LEFT_OUT, shellLine } from './shell-line.ts';

describe('shellLine', () => {
  it.each([
    [['node', 'C:\\srv\\index.js', '--port=1', 'a@b.c'], 'node C:\\srv\\index.js --port=1 a@b.c'],
    [['x', 'a b', '%PATH%', '$x', 'a&b', '"', '@x', ''], `x${` ${LEFT_OUT}`.repeat(7)}`],
  ])('writes %j for cmd and PowerShell', (words, line) => {
    expect(shellLine(words, 'win32')).toBe(line);
  });

  it('writes nothing for cmd and PowerShell that either of them expands', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (words) => {
        expect(shellLine(words, 'win32')).toMatch(/^[A-Za-z0-9._:/\\=@ -]*$/);
      }),
    );
  });

  it.each([
    [['node', 'my server.js', 'C:\\x'], "node 'my server.js' 'C:\\x'"],
    [['x', "it's", '', 'a\\\\b', 'a\\'], "x 'it'\\''s' '' 'a'\\\\\\\\'b' 'a'\\\\"],
    [['A=b', 'A=b', '=ls'], "'A=b' A=b '=ls'"],
    [['if', 'if'], "'if' if"],
    [['x', 'a\tb', '\u202e', 'a\nb', '\u001b'], `x${` ${LEFT_OUT}`.repeat(4)}`],
  ])('writes %j for a POSIX shell and fish', (words, line) => {
    expect(shellLine(words, 'linux')).toBe(line);
  });
});
