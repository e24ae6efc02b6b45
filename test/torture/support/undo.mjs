// What must be undone whatever happens, Ctrl-C included: processes, mounts, folders.
const undos = new Set();

/** Has something undone when this process ends, unless the function that it returns does so before. */
export function undoLater(undo) {
  undos.add(undo);
  return () => {
    if (undos.delete(undo)) undo();
  };
}

/** Undoes all that is left, the last first. */
export function undoAll() {
  for (const undo of [...undos].reverse()) {
    undos.delete(undo);
    try {
      undo();
    } catch {
      // What cannot be undone must not keep the rest from it.
    }
  }
}

process.once('exit', undoAll);
