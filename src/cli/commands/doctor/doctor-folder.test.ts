import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { notLinux, unless } from '../../../../test/support/unless.ts';
import { checkFolder } from './doctor-folder.ts';

it.each([
  ['linux', /: mv /, /: export /],
  ['win32', /^Rename it, or set MCPREEL_HOME to another folder\.$/, /Use an absolute path in MCPREEL_HOME: /],
])('suggests commands for the state folder that work on %s', async (platform, moving, naming) => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpreel-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'file'), '');
  const [taken] = await checkFolder(join(folder, 'file'), platform);
  expect(taken).toMatchObject({ mend: expect.stringMatching(moving) });
  const checks = await checkFolder('somewhere', platform);
  expect(checks).toContainEqual(expect.objectContaining({ mend: expect.stringMatching(naming) }));
});

it('finds that a state folder cannot be created in /proc, even as root', unless(notLinux), async () => {
  const [check] = await checkFolder('/proc/mcpreel/state', 'linux');
  expect(check).toMatchObject({
    mark: 'wrong',
    what: 'cannot create /proc/mcpreel/state: /proc: files cannot be created in it',
  });
});

it('leaves nothing behind in the folder that it tries', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpreel-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [there] = await checkFolder(folder, process.platform);
  const [missing] = await checkFolder(join(folder, 'a', 'b'), process.platform);
  expect([there, missing]).toMatchObject([{ mark: 'ok' }, { mark: 'note' }]);
  expect(readdirSync(folder)).toEqual([]);
});
