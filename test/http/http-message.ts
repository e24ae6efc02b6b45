/** A header as sent, with one character per byte. */
export type Field = readonly [name: string, value: string];

/** An HTTP/1 message as parsed from its bytes, without the framing of its body. */
export interface HttpMessage {
  readonly start: string;
  readonly fields: readonly Field[];
  readonly body: Buffer;
  readonly trailers: readonly Field[];
}

interface Reading {
  /** Whether it answers `HEAD` and therefore has no body, whatever its headers say. */
  readonly isHead: boolean;
  /** Whether the connection has ended, which ends a body without a length. */
  readonly isOver: boolean;
}

/** An incomplete message. */
interface Unfinished {
  /** The minimum number of bytes before parsing again is useful. */
  readonly needs: number;
}

/** Parses the first message in these bytes and returns its end, if it is complete. */
export function readMessage(
  bytes: Buffer,
  { isHead, isOver }: Reading,
): { readonly message: HttpMessage; readonly end: number } | Unfinished {
  const more = { needs: bytes.length + 1 };
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return more;
  const [start = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const fields = lines.map(fieldIn);
  const bodyStart = headEnd + 4;
  const head = { start, fields, trailers: [] };
  const length = fieldOf(fields, 'content-length');
  if (isHead || isBodiless(start)) return { message: { ...head, body: Buffer.alloc(0) }, end: bodyStart };
  if (/\bchunked$/i.test(fieldOf(fields, 'transfer-encoding') ?? '')) {
    const read = readChunks(bytes, bodyStart);
    if ('needs' in read) return read;
    const { body, trailers, end } = read;
    return { message: { ...head, body, trailers }, end };
  }
  const isAnswer = start.startsWith('HTTP/');
  if (length === undefined && isAnswer) {
    return isOver ? { message: { ...head, body: bytes.subarray(bodyStart) }, end: bytes.length } : more;
  }
  const end = bodyStart + Number(length ?? 0);
  return bytes.length < end ? { needs: end } : { message: { ...head, body: bytes.subarray(bodyStart, end) }, end };
}

/** The value of the first field with this lower-case name. */
export function fieldOf(fields: readonly Field[], lowerName: string): string | undefined {
  return fields.find(([name]) => name.toLowerCase() === lowerName)?.[1];
}

/** The head of a message, byte for byte. */
export function headText(start: string, fields: readonly Field[]): string {
  return `${[start, ...fields.map(([name, value]) => `${name}: ${value}`)].join('\r\n')}\r\n\r\n`;
}

/** A body in chunks of at most `max` bytes, followed by its trailers. */
export function chunked(body: Uint8Array, max: number, trailers: readonly Field[] = []): Buffer {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < body.length; at += max) {
    const chunk = body.subarray(at, at + max);
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  const after = trailers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([...parts, Buffer.from(`0\r\n${after}\r\n`, 'latin1')]);
}

function fieldIn(line: string): Field {
  const at = line.indexOf(':');
  // Removes the one space that mcpreel writes; any other whitespace stays visible.
  return [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')];
}

function isBodiless(start: string): boolean {
  return /^HTTP\/1\.\d (?:1\d\d|204|304)\b/.test(start);
}

function readChunks(
  bytes: Buffer,
  from: number,
): { readonly body: Buffer; readonly trailers: readonly Field[]; readonly end: number } | Unfinished {
  const more = { needs: bytes.length + 1 };
  const parts: Buffer[] = [];
  for (let at = from; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return more;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    at = lineEnd + 2;
    if (size === 0) {
      const isBare = bytes.toString('latin1', at, at + 2) === '\r\n';
      const end = isBare ? at : bytes.indexOf('\r\n\r\n', at);
      if (end < 0) return more;
      const lines = isBare ? [] : bytes.toString('latin1', at, end).split('\r\n');
      return { body: Buffer.concat(parts), trailers: lines.map(fieldIn), end: isBare ? end + 2 : end + 4 };
    }
    if (bytes.length < at + size + 2) return { needs: at + size + 2 };
    parts.push(bytes.subarray(at, at + size));
    at += size + 2;
  }
}
