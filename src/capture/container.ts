import { existsSync } from 'node:fs';

const MARKS = ['/.dockerenv', '/run/.containerenv', '/var/run/secrets/kubernetes.io'];

/** Whether this process runs in a container, whose memory may be gone at any moment. */
export function isInContainer(): boolean {
  return MARKS.some((path) => existsSync(path));
}
