import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { checkFolder } from './doctor-folder.ts';

async function mendOf(name: string, platform: string): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'mcpreel-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'file'), '');
  const checks = await checkFolder(name === 'file' ? join(folder, name) : name, platform);
  return checks.find(({ mend }) => mend !== undefined)?.mend;
}

it('has commands of a shell for a state folder that is a file, and none of them on Windows', async () => {
  expect(await mendOf('file', 'linux')).toMatch(/^Move it away, or name another folder: mv /);
  expect(await mendOf('file', 'win32')).toBe('Rename it, or set MCPREEL_HOME to another folder.');
});

it('sets a relative state folder in full with the command that the platform has', async () => {
  expect(await mendOf('reels', 'linux')).toMatch(/^Name it in full: export MCPREEL_HOME=\//);
  expect(await mendOf('reels', 'win32')).toMatch(/^Name it in full: setx MCPREEL_HOME "/);
});
