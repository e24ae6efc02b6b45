// Disks that can be made full, read-only or so slow that they stand still.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { undoLater } from './undo.mjs';

/** What a journal needs, and a little more. */
const JOURNALLED_BYTES = 2 << 20;

/** A disk in memory that can be full or read-only. */
export class SmallDisk {
  folder;
  /** Takes it away, which may be done more than once. */
  close;

  /** Options are those of tmpfs. */
  constructor(folder, options) {
    this.folder = folder;
    mkdirSync(folder);
    mount('-t', 'tmpfs', '-o', options, 'tmpfs', folder);
    this.close = undoLater(() => unmount(folder));
  }

  /** Leaves no room for another page. */
  fill() {
    const filler = openSync(join(this.folder, 'filler'), 'w');
    try {
      for (;;) writeSync(filler, Buffer.alloc(4096));
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error;
    } finally {
      closeSync(filler);
    }
  }

  free() {
    rmSync(join(this.folder, 'filler'));
  }

  /** The system refuses this while a file is being written. */
  makeReadOnly() {
    mount('-o', 'remount,ro', this.folder);
  }

  makeWritable() {
    mount('-o', 'remount,rw', this.folder);
  }
}

/** A disk with a journal, in a file beside its folder. */
export class JournalledDisk {
  folder;
  close;
  #thaw = () => {};

  constructor(folder, bytes = JOURNALLED_BYTES) {
    const image = `${folder}.img`;
    this.folder = folder;
    writeFileSync(image, Buffer.alloc(bytes));
    mkdirSync(folder);
    system('mkfs.ext4', '-q', image);
    mount('-o', 'loop', image, folder);
    this.close = undoLater(() => {
      this.thaw();
      unmount(folder);
    });
  }

  /** From now on it refuses every write, also to files that are open, as after a fault. */
  breakDown() {
    mount('-o', 'remount,abort', this.folder);
  }

  /** From now on every write waits. */
  freeze() {
    system('fsfreeze', '--freeze', this.folder);
    this.#thaw = () => system('fsfreeze', '--unfreeze', this.folder);
  }

  thaw() {
    const thaw = this.#thaw;
    this.#thaw = () => {};
    thaw();
  }
}

/** Why there can be no small disks here; `undefined` where there can be. */
export function whyNoSmallDisk() {
  return whyNot((folder) => mount('-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', folder), 'mounting is not permitted here');
}

/** Why there can be no journalled disks here; `undefined` where there can be. */
export function whyNoJournalledDisk() {
  return whyNot((folder) => {
    const image = `${folder}.img`;
    try {
      writeFileSync(image, Buffer.alloc(JOURNALLED_BYTES));
      system('mkfs.ext4', '-q', image);
      mount('-o', 'loop', image, folder);
    } finally {
      // What is mounted stays until it is unmounted.
      rmSync(image, { force: true });
    }
  }, 'there is no mkfs.ext4, or mounting a file is not permitted here');
}

function whyNot(mountAt, reason) {
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

function mount(...args) {
  system('mount', ...args);
}

function unmount(folder) {
  // Lazily, so that a process that still has a file there cannot keep it.
  system('umount', '--lazy', folder);
}

function system(program, ...args) {
  execFileSync(program, args, { stdio: 'pipe' });
}
