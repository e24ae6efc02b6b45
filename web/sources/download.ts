import { formatSize } from '../../src/present/figures.ts';
import type { FileToOpen } from '../model/file-to-open.ts';

/** The result of a download: the recording, as far as it arrived, and the error, if any. */
export interface FetchedFile {
  readonly file?: FileToOpen;
  readonly fault?: string;
}

/** Downloads a recording. Reports the bytes received and, if known, the total. */
export async function download(
  address: string,
  onBytes: (bytes: number, of: number | undefined) => void,
): Promise<FetchedFile> {
  const name = nameOf(address);
  let response: Response;
  try {
    response = await fetch(address, { credentials: 'omit', referrerPolicy: 'no-referrer' });
  } catch {
    return { fault: `Cannot read ${address}: ${unreachable(address)}` };
  }
  if (!response.ok || response.body === null) {
    const status = `${response.status} ${response.statusText}`.trim();
    return { fault: `Cannot read ${address}: the server responded with ${status}.` };
  }
  const of = lengthOf(response);
  // Blobs are outside of the page's memory, chunks are not.
  const blobs: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let inChunks = 0;
  try {
    const reader = response.body.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      chunks.push(read.value);
      bytes += read.value.length;
      inChunks += read.value.length;
      if (inChunks >= MAX_CHUNKS) {
        blobs.push(new Blob(chunks));
        chunks = [];
        inChunks = 0;
      }
      onBytes(bytes, of);
    }
  } catch {
    const whole = of === undefined ? '' : ` of ${formatSize(of)}`;
    const fault = `${name} was cut off after ${formatSize(bytes)}${whole}: the received part is shown.`;
    return bytes === 0 ? { fault: `Cannot read ${address}: the connection broke.` } : { file: fileOf(), fault };
  }
  return { file: fileOf() };

  function fileOf(): FileToOpen {
    return { name, blob: new Blob([...blobs, ...chunks]) };
  }
}

const MAX_CHUNKS = 1 << 23;

/** The browser tells a page only that a request failed, not why. */
function unreachable(address: string): string {
  if (new URL(address).origin === location.origin) return 'the server does not respond.';
  return 'its server does not respond, or does not allow other origins (Access-Control-Allow-Origin).';
}

/** For a compressed response, Content-Length is not the length of the content. */
function lengthOf({ headers }: Response): number | undefined {
  const length = Number(headers.get('content-length') ?? Number.NaN);
  return headers.has('content-encoding') || !(length > 0) ? undefined : length;
}

function nameOf(address: string): string {
  const { pathname, host } = new URL(address);
  const last = pathname.split('/').findLast((part) => part !== '');
  try {
    return decodeURIComponent(last ?? host);
  } catch {
    return last ?? host;
  }
}
