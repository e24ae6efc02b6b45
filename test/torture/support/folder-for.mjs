import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Makes a folder for one part of a scenario. */
export function folderFor(folder, name) {
  const own = join(folder, name);
  mkdirSync(own);
  return own;
}
