// Disks that can be made full, read-only or so slow that they stall.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { undoLater } from './undo.mjs';

/** Slightly more than a journal needs. */
const JOURNALLED_BYTES = 2 << 20;

/** A tmpfs disk that can be full or read-only. */
export class SmallDisk {
  folder;
  /** Unmounts the disk; may be called more than once. */
  close;

  /** `options` are those of tmpfs. */
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

  /** The system refuses this while a file is open for writing. */
  makeReadOnly() {
    mount('-o', 'remount,ro', this.folder);
  }

  makeWritable() {
    mount('-o', 'remount,rw', this.folder);
  }
}

/** A disk with a journal, in an image file next to its folder. */
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

  /** Refuses every write from now on, also to open files, as after a fault. */
  breakDown() {
    mount('-o', 'remount,abort', this.folder);
  }

  /** Blocks every write from now on. */
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

/** Why small disks cannot be mounted here; `undefined` where they can. */
export function whyNoSmallDisk() {
  return whyNot((folder) => mount('-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', folder), 'mounting is not permitted here');
}

/** Why journaled disks cannot be mounted here; `undefined` where they can. */
export function whyNoJournalledDisk() {
  return whyNot((folder) => {
    const image = `${folder}.img`;
    try {
      writeFileSync(image, Buffer.alloc(JOURNALLED_BYTES));
      system('mkfs.ext4', '-q', image);
      mount('-o', 'loop', image, folder);
    } finally {
      // A mounted image stays until it is unmounted.
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
  // Lazily, so that a process with an open file there cannot prevent it.
  system('umount', '--lazy', folder);
}

function system(program, ...args) {
  execFileSync(program, args, { stdio: 'pipe' });
}
