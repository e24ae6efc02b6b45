import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { partNumberOf } from '../formats/trace/rotation-gaps.ts';
import { readMeta } from './trace-edges.ts';

/**
 * Returns the path of a part of a trace. The first part keeps its name; part n has `.part-<n>` before its extension.
 */
export function partPath(firstPath: string, number: number): string {
  if (number === 1) return firstPath;
  const extension = extname(firstPath);
  return `${firstPath.slice(0, firstPath.length - extension.length)}.part-${number}${extension}`;
}

/**
 * Returns the first part's name if `name` is that of a later part. If a name was already in use, the part's name ends
 * with an extra number.
 */
export function firstPartOf(name: string): string | undefined {
  const match = /^(.+)\.part-\d{1,9}(?:-\d{1,9})?(\.[^.]+)?$/.exec(name);
  return match === null ? undefined : `${match[1]}${match[2] ?? ''}`;
}

/**
 * Lists the existing parts of the trace that contains this file, in order. Most traces have a single file. The folder
 * is only read if the file's meta line has a part number, or if the file does not exist.
 */
export async function partsOf(path: string): Promise<string[]> {
  const own = partAt(path);
  if (own !== undefined) return pathsOf([own, ...(await siblingsOf(own))], own.id);
  const later = existsSync(path) ? [] : await partsInFolder(path, basename(path));
  // If parts of several sessions are left, use the latest session.
  const [latest] = later.sort((a, b) => b.startedAt.localeCompare(a.startedAt));
  return latest === undefined ? [path] : pathsOf(later, latest.id);
}

interface NumberedPart {
  readonly path: string;
  readonly id: string;
  readonly number: number;
  readonly startedAt: string;
}

/** Each file of a rotating trace contains the session's id and the part's number. */
function partAt(path: string): NumberedPart | undefined {
  const meta = readMeta(path);
  const id = meta?.string('id');
  const number = meta && partNumberOf(meta);
  return id === undefined || number === undefined
    ? undefined
    : { path, id, number, startedAt: meta?.string('startedAt') ?? '' };
}

async function siblingsOf({ path, number }: NumberedPart): Promise<NumberedPart[]> {
  const name = basename(path);
  // The name of a later part that was renamed does not lead to the other parts.
  const firstName = number === 1 ? name : firstPartOf(name);
  const parts = firstName === undefined ? [] : await partsInFolder(path, firstName);
  return parts.filter((part) => part.number !== number);
}

/** Lists the parts in the file's folder whose names derive from this first part's name. */
async function partsInFolder(path: string, firstName: string): Promise<NumberedPart[]> {
  const names = await readdir(dirname(path)).catch((): string[] => []);
  const parts: NumberedPart[] = [];
  for (const name of names) {
    if (name !== firstName && firstPartOf(name) !== firstName) continue;
    const part = partAt(join(dirname(path), name));
    if (part !== undefined) parts.push(part);
  }
  return parts;
}

function pathsOf(parts: readonly NumberedPart[], id: string): string[] {
  const ofSession = parts.filter((part) => part.id === id);
  return ofSession.sort((a, b) => a.number - b.number).map(({ path }) => path);
}
