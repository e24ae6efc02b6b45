/** How bytes are shown: as a picture, as a sound, or only by their number. */
export type BytesKind = 'image' | 'audio' | 'other';

/** Pictures that a browser shows without running anything. A drawing runs nothing either where it is only an image. */
const IMAGES: ReadonlySet<string> = new Set([
  ...['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp', 'image/svg+xml'],
]);
const AUDIO = /^audio\/[a-z0-9.+-]{1,60}$/;

/** The kind of what a MIME type names; what follows a semicolon does not matter. */
export function bytesKind(mimeType: string): BytesKind {
  const type = essence(mimeType);
  if (IMAGES.has(type)) return 'image';
  return AUDIO.test(type) ? 'audio' : 'other';
}

/** The type that a browser is told: nothing that it could take for a page. */
export function safeType(mimeType: string): string {
  return bytesKind(mimeType) === 'other' ? 'application/octet-stream' : essence(mimeType);
}

/** The bytes that a text in base64 stands for, or `undefined` if it is none. */
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

/** A name for a file of this type. */
export function fileNameFor(mimeType: string): string {
  const kind = /^[a-z]+\/([a-z0-9]{1,10})/.exec(essence(mimeType))?.[1];
  return `content.${kind ?? 'bin'}`;
}

function essence(mimeType: string): string {
  return (mimeType.split(';')[0] ?? '').trim().toLowerCase();
}
