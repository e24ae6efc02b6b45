import { rm, stat } from 'node:fs/promises';
import { replaceFile } from '../files/replace-file.ts';
import type { InstallClient } from './client.ts';
import { readConfig } from './config-syntax.ts';
import type { WrapRecord } from './entry-edit.ts';
import { stateOf } from './entry-state.ts';
import type { FileRecord, InstallLedger } from './ledger.ts';
import type { UnwrapChange, WrapChange } from './plan-change.ts';
import { rewriteFile } from './rewrite-file.ts';

/**
 * Writes a wrapped config file, its backup and its record, and returns the backup's path. The record is written first:
 * a record of an entry that is not wrapped in the end does no harm.
 */
export async function applyWrap(change: WrapChange, ledger: InstallLedger): Promise<string> {
  const { file, records } = change;
  const { client, path, realPath } = file;
  const previous = await ledger.read(realPath);
  const backup = `${realPath}.mcpreel-backup`;
  const hadBackup = await exists(backup);
  const known = previous?.entries ?? [];
  const wrapped = wrappedPaths(client, file.text, known);
  // There is one backup: the file before the first of its servers was wrapped.
  if (!hadBackup || wrapped.size === 0) await replaceFile(backup, [file.text]);
  const record: FileRecord = {
    version: 1,
    client: client.id,
    path,
    realPath,
    backup,
    entries: [...known.filter((one) => wrapped.has(keyOf(one.path))), ...records],
  };
  try {
    await ledger.write(record);
    await rewriteFile(realPath, file.text, change.after);
  } catch (error) {
    // Ignore errors here and report the first one.
    await ledger.write(previous ?? { ...record, entries: [] }).catch(() => undefined);
    if (!hadBackup) await rm(backup, { force: true }).catch(() => undefined);
    throw error;
  }
  return backup;
}

/**
 * Writes an unwrapped config file and deletes the records of the undone changes. Returns the backup's path if the
 * backup is still needed.
 */
export async function applyUnwrap(
  change: UnwrapChange,
  record: FileRecord | undefined,
  ledger: InstallLedger,
): Promise<string | undefined> {
  const { file, unwrapped } = change;
  await rewriteFile(file.realPath, file.text, change.after);
  if (record === undefined) return undefined;
  const wrapped = wrappedPaths(file.client, change.after, record.entries);
  const entries = record.entries.filter(({ path }) => wrapped.has(keyOf(path)));
  await ledger.write({ ...record, entries });
  const isDone = entries.length === 0 && unwrapped.every(({ exact }) => exact);
  if (isDone) await rm(record.backup, { force: true });
  return !isDone && (await exists(record.backup)) ? record.backup : undefined;
}

/** Returns the paths of the entries that mcpreel has wrapped. */
function wrappedPaths(client: InstallClient, text: string, records: readonly WrapRecord[]): Set<string> {
  const { entries } = readConfig(client, text);
  return new Set(entries.filter((entry) => stateOf(entry, records) === 'wrapped').map(({ path }) => keyOf(path)));
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
