import { describe, expect, it } from 'vitest';
import { splitWindowsCommandLine } from './windows-command-line.ts';

describe('a command line on Windows', () => {
  it.each([
    ['C:\\tools\\server.exe --root C:\\data', ['C:\\tools\\server.exe', '--root', 'C:\\data']],
    ['"C:\\Program Files\\nodejs\\node.exe" server.js', ['C:\\Program Files\\nodejs\\node.exe', 'server.js']],
    ["node 'not quoted'", ['node', "'not", "quoted'"]],
    ['a "b c" d', ['a', 'b c', 'd']],
    ['a\\"b', ['a"b']],
    ['"a\\\\" b', ['a\\', 'b']],
    ['a\\\\\\"b', ['a\\"b']],
    ['"say ""hi"""', ['say "hi"']],
    ['x "" y', ['x', '', 'y']],
    ['  ', []],
    ['\\\\server\\share\\x.cmd', ['\\\\server\\share\\x.cmd']],
  ])('splits %j into %j', (line, words) => {
    expect(splitWindowsCommandLine(line)).toEqual(words);
  });

  it('rejects an unclosed quote', () => {
    expect(() => splitWindowsCommandLine('node "x')).toThrow('The command line has an unclosed');
  });
});
