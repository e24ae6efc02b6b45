import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { partNumberOf } from '../formats/trace/rotation-gaps.ts';
import { readMeta } from './trace-edges.ts';

/** The path of a part of a trace: the first keeps its name, the nth has `.part-<n>` before its extension. */
export function partPath(firstPath: string, number: number): string {
  if (number === 1) return firstPath;
  const extension = extname(firstPath);
  return `${firstPath.slice(0, firstPath.length - extension.length)}.part-${number}${extension}`;
}

/** The first part's name, if this is that of a later one. Where a name was taken, it has one more number. */
export function firstPartOf(name: string): string | undefined {
  const match = /^(.+)\.part-\d{1,9}(?:-\d{1,9})?(\.[^.]+)?$/.exec(name);
  return match === null ? undefined : `${match[1]}${match[2] ?? ''}`;
}

/**
 * The existing parts of the trace that this file is a part of, in their order. Most files are the only one: nothing else
 * is looked at unless the file says of itself that it is a part, or is not there any more.
 */
export async function partsOf(path: string): Promise<string[]> {
  const own = partAt(path);
  if (own !== undefined) return pathsOf([own, ...(await siblingsOf(own))], own.id);
  const later = existsSync(path) ? [] : await partsInFolder(path, basename(path));
  // Should there be the remains of several, the latest are meant.
  const [latest] = later.sort((a, b) => b.startedAt.localeCompare(a.startedAt));
  return latest === undefined ? [path] : pathsOf(later, latest.id);
}

interface NumberedPart {
  readonly path: string;
  readonly id: string;
  readonly number: number;
  readonly startedAt: string;
}

/** A rotating trace says in each of its files which session it is, and which part of it. */
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
  // A later part that was renamed does not tell where the others are.
  const firstName = number === 1 ? name : firstPartOf(name);
  const parts = firstName === undefined ? [] : await partsInFolder(path, firstName);
  return parts.filter((part) => part.number !== number);
}

/** The parts beside this file that have their name from a first part of this name. */
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
