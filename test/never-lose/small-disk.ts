import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Place } from '../support/place.ts';

/** What a journal needs, and a little more. */
const DISK_BYTES = 2 << 20;

/** A disk in memory that can be full or read-only. It is gone after the test. */
export class SmallDisk {
  readonly folder: string;

  /** Options are those of tmpfs. */
  constructor(place: Place, name: string, options: string) {
    this.folder = place.path(name);
    mkdirSync(this.folder);
    mount('-t', 'tmpfs', '-o', options, 'tmpfs', this.folder);
    onTestFinished(() => unmount(this.folder));
  }

  /** Leaves no room for another page. */
  fill(): void {
    const filler = openSync(join(this.folder, 'filler'), 'w');
    try {
      for (;;) writeSync(filler, Buffer.alloc(4096));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(filler);
    }
  }

  free(): void {
    rmSync(join(this.folder, 'filler'));
  }

  /** The system refuses this while a file is being written. */
  makeReadOnly(): void {
    mount('-o', 'remount,ro', this.folder);
  }

  makeWritable(): void {
    mount('-o', 'remount,rw', this.folder);
  }
}

/** A disk with a journal, which becomes read-only by itself when it finds a fault. It is gone after the test. */
export class JournalledDisk {
  readonly folder: string;

  constructor(place: Place, name: string) {
    const image = place.write(`${name}.img`, Buffer.alloc(DISK_BYTES));
    this.folder = place.path(name);
    mkdirSync(this.folder);
    system('mkfs.ext4', '-q', place.path(image));
    mount('-o', 'loop', place.path(image), this.folder);
    onTestFinished(() => unmount(this.folder));
  }

  /** From now on it refuses every write, also to files that are open. */
  breakDown(): void {
    mount('-o', 'remount,abort', this.folder);
  }
}

/** Why there can be no small disks here; `undefined` where there can be. */
export const whyNoSmallDisk: string | undefined = whyNot(
  (folder) => mount('-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', folder),
  'mounting is not permitted here',
);

/** Why there can be no journalled disks here; `undefined` where there can be. */
export const whyNoJournalledDisk: string | undefined = whyNot((folder) => {
  const image = `${folder}.img`;
  try {
    writeFileSync(image, Buffer.alloc(DISK_BYTES));
    system('mkfs.ext4', '-q', image);
    mount('-o', 'loop', image, folder);
  } finally {
    // What is mounted stays until it is unmounted.
    rmSync(image, { force: true });
  }
}, 'there is no mkfs.ext4, or mounting a file is not permitted here');

function whyNot(mountAt: (folder: string) => void, reason: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'mcpreel-test-disk-'));
  try {
    mountAt(folder);
    unmount(folder);
    return undefined;
  } catch {
    return reason;
  } finally {
    rmdirSync(folder);
  }
}

function mount(...args: readonly string[]): void {
  system('mount', ...args);
}

function unmount(folder: string): void {
  // Lazily, so that a process that still has a file there cannot keep it.
  system('umount', '--lazy', folder);
}

function system(program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { stdio: 'pipe' });
}
