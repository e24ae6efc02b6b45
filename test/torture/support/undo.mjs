// Cleanup that must run in any case, including Ctrl-C: processes, mounts, folders.
const undos = new Set();

/** Registers a cleanup for the end of this process. The returned function runs it earlier. */
export function undoLater(undo) {
  undos.add(undo);
  return () => {
    if (undos.delete(undo)) undo();
  };
}

/** Runs all pending cleanups, the last first. */
export function undoAll() {
  for (const undo of [...undos].reverse()) {
    undos.delete(undo);
    try {
      undo();
    } catch {
      // A failed cleanup must not prevent the others.
    }
  }
}

process.once('exit', undoAll);
