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
    return { fault: `Nothing was read of ${address}: ${unreachable(address)}` };
  }
  if (!response.ok || response.body === null) {
    const status = `${response.status} ${response.statusText}`.trim();
    return { fault: `Nothing was read of ${address}: the server answered ${status}.` };
  }
  const of = lengthOf(response);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  try {
    const reader = response.body.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      chunks.push(read.value);
      bytes += read.value.length;
      onBytes(bytes, of);
    }
  } catch {
    const whole = of === undefined ? '' : ` of ${formatSize(of)}`;
    const fault = `${name} broke off after ${formatSize(bytes)}${whole}: what came is shown.`;
    return bytes === 0 ? { fault: `Nothing was read of ${address}: it broke off.` } : { file: fileOf(), fault };
  }
  return { file: fileOf() };

  function fileOf(): FileToOpen {
    return { name, blob: new Blob(chunks) };
  }
}

/** The browser tells a page only that a request failed, not why. */
function unreachable(address: string): string {
  if (new URL(address).origin === location.origin) return 'the server does not answer.';
  return 'its server does not answer, or does not allow other pages to read it (Access-Control-Allow-Origin).';
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
