import { mkdtempSync, rmSync, statfsSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { unless } from '../../test/support/unless.ts';
import { journalPlace } from './journal-place.ts';

const TMPFS = 0x01021994;

function typeOf(path: string): number | undefined {
  try {
    return statfsSync(path).type;
  } catch {
    return undefined;
  }
}

const whyNoMemory = typeOf('/dev/shm') === TMPFS ? undefined : 'needs /dev/shm in memory';
const whyNoDisk = typeOf(tmpdir()) === TMPFS ? 'needs a temporary folder on a disk' : undefined;

function folderIn(base: string): string {
  const folder = mkdtempSync(join(base, 'mcpreel-place-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it('finds its own folder in memory that only the user can enter', unless(whyNoMemory), () => {
  const runtime = folderIn('/dev/shm');
  const place = journalPlace({ XDG_RUNTIME_DIR: runtime }, '/nowhere');
  expect(place).toEqual({ folder: expect.stringContaining(join(runtime, 'mcpreel-')), maxBytes: 64 << 20 });
  expect(statSync('folder' in place ? place.folder : '').mode & 0o777).toBe(0o700);
  expect(journalPlace({ XDG_RUNTIME_DIR: runtime }, '/nowhere')).toEqual(place);
});

it('reports why each folder is not used', unless(whyNoDisk), () => {
  const disk = folderIn(tmpdir());
  expect(journalPlace({ XDG_RUNTIME_DIR: disk }, '/nowhere')).toEqual({
    reasons: [`${disk} is not in memory (tmpfs)`, '/nowhere does not exist'],
  });
  expect(journalPlace({ XDG_RUNTIME_DIR: 'relative' }, '/nowhere')).toEqual({ reasons: ['/nowhere does not exist'] });
});

it('does not use a link in place of its folder', unless(whyNoMemory), () => {
  const runtime = folderIn('/dev/shm');
  const elsewhere = folderIn(tmpdir());
  const own = journalPlace({ XDG_RUNTIME_DIR: runtime }, '/nowhere');
  const folder = 'folder' in own ? own.folder : '';
  rmSync(folder, { recursive: true });
  symlinkSync(elsewhere, folder);
  expect(journalPlace({ XDG_RUNTIME_DIR: runtime }, '/nowhere')).toMatchObject({
    reasons: [expect.any(String), expect.any(String)],
  });
});
