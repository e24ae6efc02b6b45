import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a folder's node_modules matches its lock file. npm writes its own record when an install is complete. */
export function holdsWhatIsLocked(folder) {
  const record = join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const present = packagesIn(record);
  return Object.entries(packagesIn(join(folder, 'package-lock.json'))).every(([path, locked]) => {
    if (path === '') return true;
    // The lock file also lists binaries for other platforms, which are not installed.
    if (!present[path]) return Boolean(locked.optional || locked.devOptional);
    return present[path].version === locked.version && present[path].integrity === locked.integrity;
  });
}

/**
 * Counts the packages of a folder's lock file while npm installs them. npm creates all folders first, so a package
 * counts once its package.json exists. Platform-specific binaries are left out, because npm decides which of them to
 * install.
 */
export function countInstalled(folder) {
  const paths = Object.entries(packagesIn(join(folder, 'package-lock.json')))
    .filter(([path, locked]) => path !== '' && !locked.optional)
    .map(([path]) => path);
  const installed = paths.filter((path) => existsSync(join(folder, path, 'package.json'))).length;
  return { installed, total: paths.length };
}

/** The number of packages that npm installed in a node_modules folder, and the size of their files in bytes. */
export function installedSize(modules) {
  const record = join(modules, '.package-lock.json');
  const packages = existsSync(record) ? Object.keys(packagesIn(record)).length : undefined;
  const files = existsSync(modules) ? readdirSync(modules, { recursive: true, withFileTypes: true }) : [];
  const bytes = files
    .filter((file) => file.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  return { packages, bytes };
}

function packagesIn(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages;
}
