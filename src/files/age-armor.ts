import { ReelError } from '../model/errors.ts';
import { bytesIn, type FileSource } from './file-source.ts';

const BEGIN = '-----BEGIN AGE ENCRYPTED FILE-----';
const END = '-----END AGE ENCRYPTED FILE-----';

/** Every line but the last holds so many characters, which stand for so many bytes. */
const LINE_CHARACTERS = 64;
const LINE_BYTES = 48;

/** More than the first or the last line takes with the space around it that is allowed. */
const EDGE_BYTES = 512;

/** How many lines are decoded at once. */
const MAX_LINES = 1 << 12;

/** Whether a file begins as one that was made fit for mail. */
export function isArmored(head: string): boolean {
  return head.trimStart().startsWith(BEGIN);
}

/** The bytes that an armored file stands for, at any place: its lines are all of one length. */
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

/** Where the lines between the first and the last stand. */
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
