import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { skipOnWindows } from '../../test/support/unless.ts';
import { editOutside } from './outside-editor.ts';

let folder = '';
let script = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpreel-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  script = join(folder, 'an editor.cjs');
  writeFileSync(
    script,
    `const fs = require('fs'); const [, , word, path] = process.argv;
     fs.writeFileSync(path, fs.readFileSync(path, 'utf8').replace('old', word)); process.exitCode = word === 'fail' ? 1 : 0`,
  );
});

function edit(line: string, platform: string): Promise<string> {
  const temporaryFolder = mkdtempSync(join(folder, 'temporary-'));
  onTestFinished(() => expect(readdirSync(temporaryFolder)).toEqual([]));
  return editOutside('"old"', { env: { EDITOR: line }, temporaryFolder, platform });
}

it('edits a text in the editor that the user configured', skipOnWindows('the words of a shell'), async () => {
  expect(await edit(`'${process.execPath}' '${script}' "new"`, 'linux')).toBe('"new"\n');
});

it('parses the command line of the editor by Windows rules on Windows', async () => {
  expect(await edit(`"${process.execPath}" "${script}" it's\\new`, 'win32')).toBe('"it\'s\\new"\n');
});

it.each(['linux', 'win32'])('reports an editor that fails or cannot be started: %s', async (platform) => {
  await expect(edit(`"${process.execPath}" "${script}" fail`, 'win32')).rejects.toThrow('Nothing was changed');
  // For a missing program, cmd.exe of wine has another exit code than that of Windows.
  await expect(edit('mcpreel-no-such-editor', platform)).rejects.toThrow(
    /^Cannot start mcpreel-no|Nothing was changed/,
  );
});
