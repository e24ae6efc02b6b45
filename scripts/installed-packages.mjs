import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether node_modules of a folder holds what its lock file says. npm writes its own record when an install is complete. */
export function holdsWhatIsLocked(folder) {
  const record = join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const present = packagesIn(record);
  return Object.entries(packagesIn(join(folder, 'package-lock.json'))).every(([path, locked]) => {
    if (path === '') return true;
    // Binaries for other platforms are locked but not installed.
    if (!present[path]) return Boolean(locked.optional || locked.devOptional);
    return present[path].version === locked.version && present[path].integrity === locked.integrity;
  });
}

function packagesIn(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages;
}
