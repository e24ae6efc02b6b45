import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { notLinux, unless } from '../../test/support/unless.ts';
import { claimJournal, returnJournal } from './journal-claim.ts';
import { processIdentity, stateOf } from './process-identity.ts';

const alive = (): boolean => true;
const dead = (): never => {
  throw Object.assign(new Error('no such process'), { code: 'ESRCH' });
};

/** Not in a folder for temporary files, where other users could put something in its place. */
function journal(): string {
  const folder = mkdtempSync(join(homedir(), '.mcpreel-claim-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'a.journal');
  writeFileSync(path, 'x');
  return path;
}

it('lets only one process have a journal', unless(notLinux), () => {
  const path = journal();
  const claim = claimJournal(path, process.pid, alive);
  expect(claim).toMatchObject({ path: expect.stringContaining('.claim-') });
  // The parent of this process runs, too.
  expect(claimJournal(path, process.ppid, alive)).toBe('taken');
  // The same process may continue.
  expect(claimJournal(path, process.pid, alive)).toEqual(claim);
});

it('takes over the claim of a process that is gone', unless(notLinux), () => {
  const path = journal();
  claimJournal(path, process.pid, alive);
  expect(claimJournal(path, process.ppid, dead)).toMatchObject({ path: expect.stringContaining(`-${process.ppid}-`) });
  expect(readdirSync(join(path, '..'))).toHaveLength(1);
});

it('gives a journal back', unless(notLinux), () => {
  const path = journal();
  const claim = claimJournal(path, process.pid, alive);
  if (typeof claim === 'object') returnJournal(claim.path, path);
  expect(readdirSync(join(path, '..'))).toEqual(['a.journal']);
});

it('finds none where there is none', () => {
  expect(claimJournal('/nowhere/a.journal', process.pid, alive)).toBe('none');
});

it('knows whether the owner of a journal runs, is gone, or is out of sight', unless(notLinux), () => {
  const own = processIdentity(process.pid);
  expect(stateOf(own, alive)).toBe('running');
  expect(stateOf(own, dead)).toBe('gone');
  expect(stateOf({ ...own, start: '1' }, alive)).toBe('gone');
  expect(stateOf({ ...own, boot: 'another' }, alive)).toBe('gone');
  expect(stateOf({ ...own, namespace: 'pid:[1]' }, alive)).toBe('foreign');
});
