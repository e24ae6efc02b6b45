import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import crossSpawn from 'cross-spawn';
import { describe, expect, it, onTestFinished } from 'vitest';
import { editOutside, starterFor } from './outside-editor.ts';

/** An editor that replaces the text with the arguments it was given before the path of the file. */
function editor(): { readonly folder: string; readonly command: string } {
  const folder = mkdtempSync(join(tmpdir(), 'mcpreel-editor-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = join(folder, 'an editor.cjs');
  writeFileSync(
    script,
    "const args = process.argv.slice(2); require('fs').writeFileSync(args.pop(), JSON.stringify(args));",
  );
  return { folder, command: `"${process.execPath}" "${script}"` };
}

describe('An outside editor', () => {
  it('is split by the rules of a shell on POSIX', async () => {
    const { folder, command } = editor();
    const env = { VISUAL: `${command} --wait 'two words' C:\\\\x` };
    const text = await editOutside('{}', { env, temporaryFolder: folder, platform: 'linux' });
    expect(JSON.parse(text)).toEqual(['--wait', 'two words', 'C:\\x']);
  });

  it('is split by the rules of Windows there, so that backslashes and single quotes stay', async () => {
    const { folder, command } = editor();
    const env = { EDITOR: `${command} --wait C:\\Users\\me 'x'` };
    const text = await editOutside('{}', { env, temporaryFolder: folder, platform: 'win32' });
    expect(JSON.parse(text)).toEqual(['--wait', 'C:\\Users\\me', "'x'"]);
  });

  it('is started by cross-spawn on Windows, which can start a batch file such as code.cmd', async () => {
    expect(await starterFor('win32')).toBe(crossSpawn);
    expect(await starterFor('linux')).not.toBe(crossSpawn);
  });

  it.each(['linux', 'win32'])('that does not exist is reported with what to set, on %s', async (platform) => {
    const { folder } = editor();
    const around = { env: { EDITOR: 'no-such-editor' }, temporaryFolder: folder, platform };
    await expect(editOutside('{}', around)).rejects.toMatchObject({
      message: 'Cannot start no-such-editor.',
      hint: 'Set VISUAL or EDITOR to your editor.',
    });
  });
});
