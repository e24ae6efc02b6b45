import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readWrapping, recorderFor, wordsBefore } from './wrapping.ts';

const node = '/usr/bin/node';

describe('The recorder', () => {
  it('runs the current program with absolute paths', () => {
    expect(recorderFor({ programFolder: '/opt/mcpreel/dist', node, version: '1.2.3', platform: 'linux' })).toEqual({
      command: node,
      args: [join('/opt/mcpreel/dist/mcpreel.cjs')],
    });
  });

  it.each([
    '/home/me/.npm/_npx/7a1b/node_modules/mcpreel/dist',
    'C:\\Users\\me\\AppData\\Local\\npm-cache\\_npx\\7a1b\\node_modules\\mcpreel\\dist',
    '/home/me/.cache/pnpm/dlx/x/y/node_modules/mcpreel/dist',
    '/tmp/bunx-1000-mcpreel@latest/node_modules/mcpreel/dist',
  ])('runs the current version through npx if the program is in a temporary folder: %s', (programFolder) => {
    expect(recorderFor({ programFolder, node, version: '1.2.3', platform: 'linux' })).toEqual({
      command: 'npx',
      args: ['-y', 'mcpreel@1.2.3'],
    });
    // On Windows npx is a script, which only a shell can start.
    expect(recorderFor({ programFolder, node, version: '1.2.3', platform: 'win32' })).toEqual({
      command: 'cmd',
      args: ['/c', 'npx', '-y', 'mcpreel@1.2.3'],
    });
  });

  it('labels the recorder with the name of the server, even if the name looks like a flag', () => {
    const recorder = { command: 'npx', args: ['-y', 'mcpreel@1.2.3'] };
    expect(wordsBefore(recorder, 'files', ['--max-bytes', '1M'])).toEqual([
      ...['npx', '-y', 'mcpreel@1.2.3', '--label', 'files', '--max-bytes', '1M', '--'],
    ]);
    expect(wordsBefore(recorder, '-x', [])).toEqual(['npx', '-y', 'mcpreel@1.2.3', '--label=-x', '--']);
    expect(wordsBefore(recorder, '', [])).toEqual(['npx', '-y', 'mcpreel@1.2.3', '--']);
  });
});

describe('A command line', () => {
  it.each([
    ['/usr/bin/node /opt/mcpreel/dist/mcpreel.cjs --label x -- npx -y files', 5],
    ['npx -y mcpreel@1.2.3 --label=-x -- files', 5],
    ['cmd /c npx -y mcpreel@1.2.3 --label x -- npx -y files', 8],
    ['C:\\node.exe C:\\mcpreel\\dist\\mcpreel.cjs --label x -- files', 5],
  ])('recognizes a command line that mcpreel install wrote: %s', (line, serverAt) => {
    expect(readWrapping(line.split(' '))).toEqual({ serverAt, isOurs: true });
  });

  it.each([
    ['mcpreel -- npx -y files', 2],
    ['/usr/local/bin/mcpreel --label x -- files', 4],
    ['npx mcpreel -- files', 3],
    ['npx -y mcpreel@latest --label x -- files', 6],
    ['node ./mcpreel.cjs --label x -- files', 5],
    ['cmd /c npx -y mcpreel -- files', 6],
    ['mcpreel record --target-command files', undefined],
    ['npx -y mcpreel files', undefined],
    ['mcpreel --', undefined],
  ])('recognizes a command line that runs mcpreel but was written by hand: %s', (line, serverAt) => {
    expect(readWrapping(line.split(' '))).toEqual({ serverAt, isOurs: false });
  });

  it('recognizes a command line that runs mcpreel in a shell', () => {
    expect(readWrapping(['sh', '-c', 'exec mcpreel -- files'])).toEqual({ serverAt: undefined, isOurs: false });
  });

  it.each([
    'npx -y files',
    'files -- mcpreel',
    'npx -y files -- mcpreel',
    'node /home/mcpreel/server.js',
    'mcpreelish',
  ])('ignores a command line that does not run mcpreel: %s', (line) => {
    expect(readWrapping(line.split(' '))).toBeUndefined();
  });
});
