const encoder = new TextEncoder();
const scratch = new Uint8Array(1 << 16);

/**
 * How many bytes a text is in UTF-8. The engine's own encoder is several times as fast as looking at each character of
 * what mostly is a slice of something larger.
 */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; ) {
    const { read, written } = encoder.encodeInto(at === 0 ? text : text.slice(at), scratch);
    at += read;
    bytes += written;
  }
  return bytes;
}
