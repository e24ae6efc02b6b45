import { readFileSync, readlinkSync } from 'node:fs';

/** What tells a process from others that had, have or will have the same id. */
export interface OwnerIdentity {
  readonly pid: number;
  readonly start?: string | undefined;
  readonly boot?: string | undefined;
  readonly namespace?: string | undefined;
}

/** Whether the process that owns something still runs. `foreign`: it belongs to a namespace that cannot be seen from here. */
export type OwnerState = 'running' | 'gone' | 'foreign';

/** Identifies a process of this system. Only the id is known where there is no /proc. */
export function processIdentity(pid: number): OwnerIdentity {
  return { pid, start: startOfProcess(pid), boot: bootId(), namespace: pidNamespace() };
}

/** `signal` checks that a process exists and throws if it does not, like `process.kill`. */
export function stateOf(owner: OwnerIdentity, signal: (pid: number, signal: 0) => unknown): OwnerState {
  if (owner.boot !== bootId()) return 'gone';
  if (owner.namespace !== pidNamespace()) return 'foreign';
  try {
    signal(owner.pid, 0);
  } catch (error) {
    // EPERM means that the process exists but may not be sent signals.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return 'gone';
  }
  const status = statusOf(owner.pid);
  // A process that was killed stays listed until its parent has asked for its status.
  return status?.start === owner.start && status?.isZombie !== true ? 'running' : 'gone';
}

/** Returns a process's start time as reported by Linux. `undefined` on other platforms. */
export function startOfProcess(pid: number): string | undefined {
  return statusOf(pid)?.start;
}

function statusOf(pid: number): { readonly start: string | undefined; readonly isZombie: boolean } | undefined {
  const text = textOf(`/proc/${pid}/stat`);
  // The second field is the program name in parentheses and may contain any character. Field 3 is the state, field 22 the
  // start time.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields && { start: fields[19], isZombie: fields[0] === 'Z' || fields[0] === 'X' };
}

function bootId(): string | undefined {
  return textOf('/proc/sys/kernel/random/boot_id')?.trim();
}

function pidNamespace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
