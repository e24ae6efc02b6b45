import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { checkFolder } from './doctor-folder.ts';

it.each([
  ['linux', /: mv /, /: export /],
  ['win32', /^Rename it, or name another folder with MCPREEL_HOME\.$/, /: set "MCPREEL_HOME=/],
])('says what to do about the state folder in words that work on %s', async (platform, moving, naming) => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpreel-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'file'), '');
  const [taken] = await checkFolder(join(folder, 'file'), platform);
  expect(taken).toMatchObject({ mend: expect.stringMatching(moving) });
  const checks = await checkFolder('somewhere', platform);
  expect(checks).toContainEqual(expect.objectContaining({ mend: expect.stringMatching(naming) }));
});
