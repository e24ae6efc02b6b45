import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LEFT_OUT, sayingLeftOut, shellLine } from './shell-line.ts';

/** Quicker to build than the units of fast-check for all of Unicode. */
const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));

it('says once that a command leaves a value out, and only then', () => {
  const saying = sayingLeftOut(`Run: ${shellLine(['x', 'a\tb'], 'linux')}`);
  expect(saying).toBe(`Run: x ${LEFT_OUT} (${LEFT_OUT} stands for a value that cannot be pasted into every shell.)`);
  expect(sayingLeftOut(saying)).toBe(saying);
  expect(sayingLeftOut('Copied.', saying)).toMatch(/^Copied\. \(VALUE-LEFT-OUT stands for /);
  expect(sayingLeftOut('Run: x')).toBe('Run: x');
});

describe('shellLine', () => {
  it.each([
    [['node', 'C:\\srv\\index.js', '--port=1', 'a@b.c'], 'node C:\\srv\\index.js --port=1 a@b.c'],
    [
      ['C:\\Program Files (x86)\\n.exe', 'C:\\Users\\J\u00f6rg\\x', 'a b', '\u540d \u524d'],
      '"C:\\Program Files (x86)\\n.exe" C:\\Users\\J\u00f6rg\\x "a b" "\u540d \u524d"',
    ],
    [['x', '%PATH%', '$x', 'a&b', '"', '@x', '', 'a(b)', '\u115f'], `x${` ${LEFT_OUT}`.repeat(8)}`],
    [['x', 'a %b', 'a $b', 'a &b', 'a "b', 'a `b', 'a \\', 'a \u01c3', 'a \u201db'], `x${` ${LEFT_OUT}`.repeat(8)}`],
  ])('writes %j for cmd and PowerShell', (words, line) => {
    expect(shellLine(words, 'win32')).toBe(line);
  });

  it('writes nothing for cmd and PowerShell that either of them expands', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.oneof(fc.constantFrom(...'aé\\ ()"%$`'), anyCharacter) })), (words) => {
        const outsideQuotes = shellLine(words, 'win32').replaceAll(/"[^"%$`\u2018-\u201f]*"/g, '');
        expect(outsideQuotes).toMatch(/^[\p{L}0-9._:/\\=@ -]*$/u);
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
