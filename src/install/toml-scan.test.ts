import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { scanToml } from './toml-scan.ts';

/** Every pair that the scanner finds: its keys and the text of its value. */
function pairsIn(text: string): [string, string][] {
  parse(text);
  const decode = (literal: string): string => String(parse(`v = ${literal}`).v);
  return scanToml(text, decode).map(({ path, value }) => [path.join('/'), text.slice(value.start, value.end)]);
}

describe('scanToml', () => {
  it.each([
    ['bare, quoted and dotted keys', 'a = 1\n"b c" = 2\n\'d\'."e.f" . g = 3', 'a=1 b c=2 d/e.f/g=3'],
    ['tables', '[a.b]\nx = 1\n[ "c" ]\ny = 2', 'a/b/x=1 c/y=2'],
    ['comments', '# a = 1\nb = 2 # c = 3\n#', 'b=2'],
    [
      'numbers and dates',
      'a = +1_0.5e3\nb = 2026-11-15 08:00:00Z # c\nc = true',
      'a=+1_0.5e3 b=2026-11-15 08:00:00Z c=true',
    ],
    ['strings that look like more', 'a = "x # \\" ]"\nb = \'\\\'\nc = ""', 'a="x # \\" ]" b=\'\\\' c=""'],
    [
      'long strings',
      'a = """\n"x" \\""" # y"""\nb = \'\'\'\nc = 1\'\'\'',
      'a="""\n"x" \\""" # y""" b=\'\'\'\nc = 1\'\'\'',
    ],
    ['long strings that end in quotes', 'a = """x"""""\nb = \'\'\'\'y\'\'\'\'', 'a="""x""""" b=\'\'\'\'y\'\'\'\''],
    ['lists over lines', 'a = [ # [\n  1, # ]\n  [2, "]"],\n]\nb = 3', 'a=[ # [\n  1, # ]\n  [2, "]"],\n] b=3'],
    ['inline tables', 'a = { b = 1, c.d = "}" }\ne = {}', 'a/b=1 a/c/d="}" a={ b = 1, c.d = "}" } e={}'],
    ['CRLF', '[a]\r\nb = 1\r\nc = [\r\n2]\r\n', 'a/b=1 a/c=[\r\n2]'],
  ])('finds %s', (_, text, expected) => {
    expect(
      pairsIn(text)
        .map(([path, value]) => `${path}=${value}`)
        .join(' '),
    ).toBe(expected);
  });

  it('does not treat an array of tables as a table', () => {
    expect(pairsIn('[[a]]\nb = 1\n[[a]]\nb = 2').map(([path]) => path)).not.toContain('a/b');
    expect(pairsIn('a = [{ b = 1 }]').map(([path]) => path)).not.toContain('a/b');
  });
});
