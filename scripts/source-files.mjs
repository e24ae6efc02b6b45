// Lists the source files of a folder, for the checks of structure and wording.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/** The paths, relative to `base`, of a folder's own files with one of these extensions. */
export function sourcesIn(folder, extensions = ['ts', 'tsx'], base = root) {
  if (!existsSync(join(base, folder))) return [];
  return readdirSync(join(base, folder), { recursive: true })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => extensions.some((extension) => path.endsWith(`.${extension}`)))
    .filter((path) => !/\/(node_modules|corpus|peers)\//.test(path))
    .sort();
}
