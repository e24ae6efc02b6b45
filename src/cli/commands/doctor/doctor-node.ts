import { checksOf, type DoctorCheck } from './doctor-check.ts';

/** The oldest Node.js version that mcpreel supports, as in package.json. */
export const OLDEST_NODE = '20.19.0';

const { ok, wrong } = checksOf('node');

/** Checks whether this Node.js is new enough. */
export function checkNode(version: string, path: string): DoctorCheck {
  return isOlder(version, OLDEST_NODE)
    ? wrong(`Node ${version} (${path}) is older than ${OLDEST_NODE}`, 'Install a newer one: https://nodejs.org/')
    : ok(`Node ${version} (${path})`);
}

function isOlder(version: string, other: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number.parseFloat);
  const [otherMajor = 0, otherMinor = 0, otherPatch = 0] = other.split('.').map(Number);
  return (major - otherMajor || minor - otherMinor || patch - otherPatch) < 0;
}
