import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '../files/new-file.ts';
import { cannotWrite } from '../files/reason.ts';
import { replaceFile } from '../files/replace-file.ts';
import type { WrapRecord } from './entry-edit.ts';

/** The changes that mcpreel made to one config file. */
export interface FileRecord {
  readonly version: 1;
  /** The id of the client that the file belongs to. */
  readonly client: string;
  readonly path: string;
  readonly realPath: string;
  readonly backup: string;
  readonly entries: readonly WrapRecord[];
}

/**
 * Stores the records of wrapped entries in the state folder. There is one file per config file, and only its owner can
 * access it.
 */
export class InstallLedger {
  readonly #folder: string;

  constructor(stateFolder: string) {
    this.#folder = join(stateFolder, 'install');
  }

  /** Reads the record of a config file. Returns `undefined` if there is no valid record. */
  async read(realPath: string): Promise<FileRecord | undefined> {
    return this.#read(this.#pathOf(realPath));
  }

  async all(): Promise<FileRecord[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const records = await Promise.all(
      names.filter((name) => name.endsWith('.json')).map((name) => this.#read(join(this.#folder, name))),
    );
    return records.filter((record) => record !== undefined);
  }

  /** Writes a record, or deletes it if there is nothing left to undo. */
  async write(record: FileRecord): Promise<void> {
    const path = this.#pathOf(record.realPath);
    try {
      if (record.entries.length === 0) return await rm(path, { force: true });
    } catch (error) {
      throw cannotWrite(path, error);
    }
    createFolder(this.#folder);
    await replaceFile(path, [`${JSON.stringify(record, null, 2)}\n`]);
  }

  #pathOf(realPath: string): string {
    return join(this.#folder, `${createHash('sha256').update(realPath).digest('hex').slice(0, 16)}.json`);
  }

  async #read(path: string): Promise<FileRecord | undefined> {
    try {
      const record: unknown = JSON.parse(await readFile(path, 'utf8'));
      return isFileRecord(record) ? record : undefined;
    } catch {
      // Without a record, `unwrapByMeaning` undoes the entries.
      return undefined;
    }
  }
}

function isFileRecord(value: unknown): value is FileRecord {
  const { version, client, path, realPath, backup, entries } = (value ?? {}) as Partial<FileRecord>;
  const texts = [client, path, realPath, backup];
  return version === 1 && texts.every((text) => typeof text === 'string') && isList(entries, isWrapRecord);
}

function isWrapRecord(value: unknown): value is WrapRecord {
  const { path, program, args } = (value ?? {}) as Partial<WrapRecord>;
  const texts = [program?.original, program?.written, args?.written, args?.how];
  return isList(path, (key) => typeof key === 'string') && texts.every((text) => typeof text === 'string');
}

function isList(value: unknown, holds: (element: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(holds);
}
