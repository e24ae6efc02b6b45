import type { EntryTexts } from '../../src/present/session-log/entry-blocks.ts';

/** Reads blobs at once, which browsers permit in a Worker only; `undefined` elsewhere. */
interface WorkerReader {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

const { FileReaderSync } = globalThis as { readonly FileReaderSync?: new () => WorkerReader };

/** Reads a part of a blob at once; `undefined` where that is not possible. */
export function blobReader(blob: Blob): ((start: number, end: number) => Uint8Array) | undefined {
  if (FileReaderSync === undefined) return undefined;
  const reader = new FileReaderSync();
  return (start, end) => new Uint8Array(reader.readAsArrayBuffer(blob.slice(start, end)));
}

/** Keeps bytes outside of the page's memory; `undefined` where they could not be read again at once. */
export function blobSpool(): EntryTexts['spool'] {
  if (FileReaderSync === undefined) return undefined;
  const reader = new FileReaderSync();
  const blobs = new Map<number, Blob>();
  let size = 0;
  return {
    append(bytes) {
      const start = size;
      blobs.set(start, new Blob([bytes as Uint8Array<ArrayBuffer>]));
      size += bytes.length;
      return start;
    },
    // Only what was appended at once is read.
    readNow: (start) => new Uint8Array(reader.readAsArrayBuffer(blobs.get(start) ?? new Blob())),
  };
}
