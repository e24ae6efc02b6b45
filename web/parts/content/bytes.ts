/** How bytes are shown: as an image, as a sound, or only by their size. */
export type BytesKind = 'image' | 'audio' | 'other';

/** Image types that a browser shows without running scripts. SVG runs none inside an img element. */
const IMAGES: ReadonlySet<string> = new Set([
  ...['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp', 'image/svg+xml'],
]);
const AUDIO = /^audio\/[a-z0-9.+-]{1,60}$/;

/** The kind of a MIME type, ignoring its parameters. */
export function bytesKind(mimeType: string): BytesKind {
  const type = essence(mimeType);
  if (IMAGES.has(type)) return 'image';
  return AUDIO.test(type) ? 'audio' : 'other';
}

/** A MIME type for the browser that it never renders as a page. */
export function safeType(mimeType: string): string {
  return bytesKind(mimeType) === 'other' ? 'application/octet-stream' : essence(mimeType);
}

/** Decodes base64; `undefined` if the text is not base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const decoded = atob(text);
    const bytes = new Uint8Array(decoded.length);
    for (let i = 0; i < decoded.length; i++) bytes[i] = decoded.charCodeAt(i);
    return bytes;
  } catch {
    return undefined;
  }
}

/** A file name for this MIME type. */
export function fileNameFor(mimeType: string): string {
  const kind = /^[a-z]+\/([a-z0-9]{1,10})/.exec(essence(mimeType))?.[1];
  return `content.${kind ?? 'bin'}`;
}

function essence(mimeType: string): string {
  return (mimeType.split(';')[0] ?? '').trim().toLowerCase();
}
