import type { Source } from '../../src/formats/format.ts';
import { ReelError } from '../../src/model/errors.ts';
import { blobReader } from './blob-spool.ts';
import type { FileToOpen, RemoteFile } from './file-to-open.ts';

/** The reader detects the format and reads the header before the entries. The first chunk contains all of that. */
const HEAD_BYTES = 1 << 16;

/** A source that reads a file to open: all of a blob, or a remote file range by range. */
export function sourceOf({ name, blob, remote }: FileToOpen): Source {
  return remote === undefined ? blobSource(name, blob) : remoteSource(name, blob, remote);
}

function remoteSource(name: string, head: Blob, remote: RemoteFile): Source {
  const begun = blobSource(name, head);
  return {
    name,
    size: remote.size,
    quick: quickly,
    readNow: (start, end) => readRangeNow(remote, start, end),
    async *read(start, end) {
      const known = Math.min(end, head.size);
      if (start < known) yield* begun.read(start, known);
      const from = Math.max(start, known);
      if (from < end) yield* chunksOf(await streamOf(remote, from, end));
    },
  };
}

function headersFor({ token }: RemoteFile, start: number, end: number): Record<string, string> {
  return { Authorization: `Bearer ${token}`, Range: `bytes=${start}-${end - 1}` };
}

async function streamOf(remote: RemoteFile, start: number, end: number): Promise<ReadableStream<Uint8Array>> {
  const headers = headersFor(remote, start, end);
  const response = await fetch(remote.address, { headers, credentials: 'omit', cache: 'no-store' });
  if (response.status !== PARTIAL || response.body === null) {
    throw new ReelError('file-unreadable', `mcpreel view responded with ${response.status}`);
  }
  return response.body;
}

const PARTIAL = 206;

/** Reads a range at once, which browsers permit in a Worker. */
function readRangeNow(remote: RemoteFile, start: number, end: number): Uint8Array {
  const request = new XMLHttpRequest();
  request.open('GET', remote.address, false);
  request.responseType = 'arraybuffer';
  for (const [name, value] of Object.entries(headersFor(remote, start, end))) request.setRequestHeader(name, value);
  request.send();
  if (request.status !== PARTIAL) throw new ReelError('file-unreadable', `${remote.address}: ${request.status}`);
  return new Uint8Array(request.response as ArrayBuffer);
}

/** A source that reads a browser file or any other blob. */
export function blobSource(name: string, blob: Blob): Source {
  let head: Promise<ArrayBuffer> | undefined;
  return {
    name,
    size: blob.size,
    quick: quickly,
    readNow: blobReader(blob),
    async *read(start, end) {
      if (start < HEAD_BYTES) {
        head ??= blob.slice(0, HEAD_BYTES).arrayBuffer();
        yield new Uint8Array(await head).subarray(start, end);
      }
      // In a browser, one long stream costs a fraction of many requests for slices.
      if (end > HEAD_BYTES) yield* chunksOf(blob.slice(Math.max(start, HEAD_BYTES), end).stream());
    },
  };
}

/** The chunks of a stream. Some browsers do not support iterating a stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // After a stream error, cancel fails too.
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * Each call of a browser's decoder costs as much as a line of text. So this decodes whole blocks, and slices the lines
 * from a block if it is ASCII, as most are.
 */
function quickly(bytes: Uint8Array): ((start: number, end: number) => string) | undefined {
  const text = LENIENT.decode(bytes);
  return text.length === bytes.length && !text.includes('\ufffd') ? (start, end) => text.slice(start, end) : undefined;
}

const LENIENT = new TextDecoder('utf-8', { ignoreBOM: true });
