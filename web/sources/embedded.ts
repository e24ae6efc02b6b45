import type { FileOrigin, FileToOpen } from '../model/file-to-open.ts';
import type { PageState } from '../state/page.ts';
import { readPlace } from '../state/place.ts';
import { openNamed } from './open-files.ts';

/** The description of the recordings that a page contains. */
interface EmbeddedContents {
  readonly recordings: readonly { readonly name: string; readonly origin: FileOrigin }[];
  /** The initial fragment of the address, unless the address has one. */
  readonly place: string;
}

/**
 * Opens the recordings embedded in the document. They are compressed, in elements that the browser does not execute.
 */
export async function openEmbedded(page: PageState): Promise<void> {
  const contents = JSON.parse(document.getElementById('contents')?.textContent ?? 'null') as EmbeddedContents | null;
  if (contents === null) return;
  if (location.hash === '') page.go(readPlace(contents.place), 'move');
  const files: FileToOpen[] = [];
  for (const [place, { name, origin }] of contents.recordings.entries()) {
    const element = document.getElementById(`recording-${place}`);
    if (element !== null)
      files.push({ name, origin, blob: await unpacked(element.textContent ?? ''), format: 'trace' });
    element?.remove();
  }
  await openNamed(page, files, ++page.opening.turn, false);
}

/** Decodes lines of base64, each decodable by itself, and decompresses the gzip data. */
async function unpacked(text: string): Promise<Blob> {
  const lines = text.split('\n').filter((line) => line !== '');
  const packed = new Blob(lines.map((line) => Uint8Array.from(atob(line), (c) => c.charCodeAt(0))));
  return new Response(packed.stream().pipeThrough(new DecompressionStream('gzip'))).blob();
}
