import { readFile, realpath, stat } from 'node:fs/promises';
import { reasonOf } from '../files/reason.ts';
import { decodeUtf8 } from '../json/lines.ts';
import { inOneLine, ReelError } from '../model/errors.ts';
import type { InstallClient, InstallPlace } from './client.ts';
import { readConfig } from './config-syntax.ts';
import type { ServerEntry } from './server-entry.ts';

/** A client's config file as it was read. */
export interface ConfigFile {
  readonly client: InstallClient;
  /** The path that the client uses. */
  readonly path: string;
  /** The file's path with all symlinks resolved. */
  readonly realPath: string;
  readonly text: string;
  readonly entries: readonly ServerEntry[];
}

/** A file that cannot be changed, and the reason. */
export interface FileProblem {
  readonly path: string;
  readonly what: string;
}

export interface FoundFiles {
  readonly files: readonly ConfigFile[];
  readonly problems: readonly FileProblem[];
}

/** A path that may contain a client's configuration. */
export interface ConfigCandidate {
  readonly client: InstallClient;
  readonly path: string;
}

export function candidatesOf(clients: readonly InstallClient[], place: InstallPlace): ConfigCandidate[] {
  return clients.flatMap((client) => client.files(place).map((path) => ({ client, path })));
}

/** Reads every candidate that exists. A file that two paths lead to counts once. */
export async function findConfigs(candidates: readonly ConfigCandidate[]): Promise<FoundFiles> {
  const files = new Map<string, ConfigFile>();
  const problems = new Map<string, FileProblem>();
  for (const { client, path } of candidates) {
    try {
      const realPath = await realpath(path);
      if (files.has(realPath) || problems.has(realPath)) continue;
      try {
        const text = decode(await readWhole(realPath));
        files.set(realPath, { client, path, realPath, text, entries: readConfig(client, text).entries });
      } catch (error) {
        problems.set(realPath, { path, what: problemOf(error) });
      }
    } catch (error) {
      if (!isMissing(error)) problems.set(path, { path, what: problemOf(error) });
    }
  }
  return { files: [...files.values()], problems: [...problems.values()] };
}

/** Describes an error as the end of a sentence. */
export function problemOf(error: unknown): string {
  // Deeply nested input overflows a parser's stack. Report it like any other unreadable file.
  if (error instanceof RangeError) return 'it is nested too deeply';
  return error instanceof ReelError ? inOneLine(error) : reasonOf(error);
}

async function readWhole(path: string): Promise<Uint8Array> {
  const status = await stat(path);
  // Reading a pipe would block until another process writes to it.
  if (!status.isFile() && !status.isDirectory()) throw new ReelError('file-unreadable', 'it is not a file');
  return readFile(path);
}

function decode(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new ReelError('file-unreadable', 'it is not UTF-8');
  return text;
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
