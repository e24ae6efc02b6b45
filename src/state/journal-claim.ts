import { readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type OwnerIdentity, processIdentity, stateOf } from './process-identity.ts';
import { isOwnFile } from './trusted-folder.ts';

/** `taken`: another process works on it. `none`: there is no such file. */
export type JournalClaim = { readonly path: string } | 'taken' | 'none' | 'not ours';

const CLAIM = /\.claim-(\d+)-(\d*)-(\d*)$/;

/**
 * Takes the journal of a process that is gone. Only one process can: a claim is a rename, and the name has the process.
 * A claim of a process that is gone as well is taken over.
 */
export function claimJournal(journal: string, pid: number, signal: (pid: number, signal: 0) => unknown): JournalClaim {
  const own = journal + claimSuffix(processIdentity(pid));
  let isTaken = false;
  for (const path of [journal, ...claimsOf(journal)]) {
    if (path === own) return { path };
    if (isClaimed(path, signal)) {
      isTaken = true;
      continue;
    }
    try {
      if (!isOwnFile(path)) {
        if (path !== journal) return 'not ours';
        continue;
      }
      renameSync(path, own);
      return { path: own };
    } catch {
      // Another process was faster.
      isTaken = true;
    }
  }
  return isTaken ? 'taken' : 'none';
}

/** Gives up a claim, so that the journal can be claimed again. */
export function returnJournal(claimed: string, journal: string): void {
  try {
    renameSync(claimed, journal);
  } catch {
    // The claim is taken over once this process is gone.
  }
}

function claimsOf(journal: string): string[] {
  try {
    const names = readdirSync(dirname(journal));
    const ofThis = names.filter((name) => name.startsWith(`${basename(journal)}.`) && CLAIM.test(name));
    return ofThis.map((name) => join(dirname(journal), name));
  } catch {
    return [];
  }
}

function isClaimed(path: string, signal: (pid: number, signal: 0) => unknown): boolean {
  const [, pid, start = '', namespace = ''] = CLAIM.exec(path) ?? [];
  if (pid === undefined) return false;
  const here = processIdentity(Number(pid));
  const isHere = digitsOf(here.namespace) === namespace;
  if (!isHere) return true;
  return stateOf({ ...here, start: start === '' ? undefined : start }, signal) === 'running';
}

function claimSuffix({ pid, start = '', namespace }: OwnerIdentity): string {
  return `.claim-${pid}-${start}-${digitsOf(namespace)}`;
}

function digitsOf(namespace: string | undefined): string {
  return namespace?.replaceAll(/\D/g, '') ?? '';
}
