import { ReelError } from '../model/errors.ts';
import { bytesIn, type FileSource } from './file-source.ts';

const BEGIN = '-----BEGIN AGE ENCRYPTED FILE-----';
const END = '-----END AGE ENCRYPTED FILE-----';

/** Every line but the last has 64 characters, which encode 48 bytes. */
const LINE_CHARACTERS = 64;
const LINE_BYTES = 48;

/** More than the first or last line needs, including the white space that is allowed around it. */
const EDGE_BYTES = 512;

/** The number of lines that are decoded at once. */
const MAX_LINES = 1 << 12;

/** Returns whether a file begins like an armored (PEM-encoded) age file. */
export function isArmored(head: string): boolean {
  return head.trimStart().startsWith(BEGIN);
}

/** Decodes an armored age file. Reads can start anywhere, because all lines have the same length. */
export async function dearmored(source: FileSource): Promise<FileSource> {
  const { start, end, lineLength } = await bodyOf(source);
  const lines = Math.ceil((end - start) / lineLength);
  const last = await decoded(source, start + Math.max(0, lines - 1) * lineLength, end);
  const size = Math.max(0, lines - 1) * LINE_BYTES + last.length;
  return {
    name: source.name,
    size,
    async *read(from, to) {
      const until = Math.min(to, size);
      for (let at = from; at < until; ) {
        const line = Math.floor(at / LINE_BYTES);
        const place = start + line * lineLength;
        const bytes = await decoded(source, place, Math.min(end, place + MAX_LINES * lineLength));
        const piece = bytes.subarray(at - line * LINE_BYTES, until - line * LINE_BYTES);
        if (piece.length === 0) throw damaged(source);
        at += piece.length;
        yield piece;
      }
    },
  };
}

interface ArmorBody {
  readonly start: number;
  readonly end: number;
  readonly lineLength: number;
}

/** Finds the range of the lines between the first and the last. */
async function bodyOf(source: FileSource): Promise<ArmorBody> {
  const head = await textIn(source, 0, EDGE_BYTES);
  const tailStart = Math.max(0, source.size - EDGE_BYTES);
  const tail = await textIn(source, tailStart, source.size);
  const [begin, lineEnd = ''] = /^\s*-----BEGIN AGE ENCRYPTED FILE-----(\r?\n)/.exec(head) ?? [];
  const ending = tail.lastIndexOf(END);
  if (begin === undefined || ending < 0 || tail.slice(ending + END.length).trim() !== '') throw damaged(source);
  return { start: begin.length, end: tailStart + ending, lineLength: LINE_CHARACTERS + lineEnd.length };
}

async function decoded(source: FileSource, start: number, end: number): Promise<Buffer> {
  return Buffer.from((await textIn(source, start, end)).replaceAll(/[\r\n]/g, ''), 'base64');
}

async function textIn(source: FileSource, start: number, end: number): Promise<string> {
  return (await bytesIn(source, start, end)).toString('latin1');
}

function damaged({ name }: FileSource): ReelError {
  return new ReelError('file-unreadable', `${name} is damaged: it is not a whole armored file`);
}
