import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NOBODY } from '../../test/support/other-user.ts';
import { notRoot, skipOnWindows, unless } from '../../test/support/unless.ts';
import { foreignFolderOn, isOwnFile, isOwnFolder, isOwnSocket, isTrustedFolder } from './trusted-folder.ts';

function folderIn(): { folder: string; parent: string } {
  const parent = mkdtempSync(join(tmpdir(), 'mcpreel-trusted-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const folder = join(parent, 'state');
  mkdirSync(folder, { mode: 0o700 });
  return { folder, parent };
}

describe('a trusted folder', skipOnWindows('Windows has no file modes'), () => {
  it('accepts a folder of this user, also through a link, and closes it to others', () => {
    const { folder, parent } = folderIn();
    chmodSync(folder, 0o777);
    symlinkSync('state', join(parent, 'link'));
    expect([isTrustedFolder(folder), isOwnFolder(folder)]).toEqual([true, true]);
    expect(statSync(folder).mode & 0o777).toBe(0o755);
    expect([isTrustedFolder(join(parent, 'link')), isOwnFolder(join(parent, 'link'))]).toEqual([true, false]);
  });

  it('rejects a file and a missing folder', () => {
    const { folder, parent } = folderIn();
    writeFileSync(join(folder, 'file'), '');
    for (const path of [join(folder, 'file'), join(parent, 'missing')]) {
      expect([isTrustedFolder(path), isOwnFolder(path)]).toEqual([false, false]);
    }
  });

  it(
    'rejects a folder of another user and one behind a link of another user, though root could change its mode',
    unless(notRoot),
    () => {
      const { folder, parent } = folderIn();
      const link = join(parent, 'link');
      symlinkSync('state', link);
      lchownSync(link, NOBODY, NOBODY);
      expect(isTrustedFolder(link)).toBe(false);
      chownSync(folder, NOBODY, NOBODY);
      expect([isTrustedFolder(folder), isOwnFolder(folder)]).toEqual([false, false]);
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    },
  );
});

describe('a folder that a group can write to', unless(notRoot), () => {
  it.each([
    ['is safe if the group is this user’s own', userInfo().gid, 0o775, true],
    ['is foreign if other users are in the group', NOBODY, 0o775, false],
    ['is safe if each user can exchange only their own files', NOBODY, 0o1775, true],
    ['is safe if the group cannot write', NOBODY, 0o755, true],
  ])('%s', (_, gid, mode, isSafe) => {
    const { folder, parent } = folderIn();
    chownSync(parent, userInfo().uid, gid);
    chmodSync(parent, mode);
    expect(foreignFolderOn(join(folder, 'sessions'))).toBe(isSafe ? undefined : parent);
    const trace = join(folder, 't.jsonl');
    writeFileSync(trace, '');
    expect(isOwnFile(trace)).toBe(isSafe);
    writeFileSync(join(parent, 't.jsonl'), '');
    // What somebody else may put there once the file is gone would count as own.
    expect(isOwnFile(join(parent, 't.jsonl'))).toBe(isSafe && mode !== 0o1775);
  });
});

it('does not touch the pipe of a session on Windows, where asking for its status connects to it', () => {
  const untouchable = 'pipe\0';
  expect(() => isOwnSocket(untouchable, () => 1)).toThrow('null bytes');
  expect(isOwnSocket(untouchable, () => undefined)).toBe(true);
});
