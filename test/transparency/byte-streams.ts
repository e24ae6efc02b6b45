import { Buffer } from 'node:buffer';
import { isLongRun } from '../support/long-run.ts';

/** A sequence of bytes that may arrive over a pipe. */
export interface ByteStream {
  readonly name: string;
  readonly bytes: Buffer;
  /** Where the bytes are cut: each piece is sent after everything before it was echoed. */
  readonly cuts?: readonly number[];
}

const message = '{"jsonrpc":"2.0","method":"a","params":{"text":"Zoë"}}';
const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';

/** Pseudo-random bytes that are the same in every run, so that failures are reproducible. */
function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 0x9e3779b9;
  for (let at = 0; at < length; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[at] = state;
  }
  return bytes;
}

function stream(name: string, content: string | readonly number[], cuts?: readonly number[]): ByteStream {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
  return { name, bytes, ...(cuts && { cuts }) };
}

/** A message of exactly this many bytes. */
function messageOf(length: number): string {
  const [head, tail] = ['{"jsonrpc":"2.0","method":"long","params":["', '"]}'];
  return `${head}${'x'.repeat(length - head.length - tail.length)}${tail}`;
}

/** Every position between two bytes. */
function everywhere(text: string): number[] {
  return Array.from({ length: Buffer.byteLength(text) - 1 }, (_, index) => index + 1);
}

const manyBytes = `{"m":"é✓😀"}\r\n${answer}\n`;

/** Streams that servers and clients were seen to send, or might send. */
export const byteStreams: readonly ByteStream[] = [
  stream('nothing at all', ''),
  stream('a line feed and nothing else', '\n'),
  stream('a line end of CR LF and nothing else', '\r\n'),
  stream('a carriage return and nothing else', '\r'),
  stream('messages, each on its line', `${message}\n${answer}\n`),
  stream('lines that end with CR LF', `${message}\r\n${answer}\r\n`),
  stream('lines of both ends', `${message}\r\n${answer}\n\r\n${message}\n`),
  stream('blank lines', `\n\n${message}\n\n  \n\t\n\r\n${answer}\n\n`),
  stream('carriage returns within lines', `${message}\r${answer}\n\r${message}\n${message}\r\r\n`),
  stream('a last line without an end', `${message}\n${answer}`),
  stream('a last line that breaks off', `${message}\n${answer.slice(0, 20)}`),
  stream('zero bytes', `\0\n${message}\0\n\0\0\0${answer}\n\0`),
  stream('line separators of Unicode', `{"m":"a\u2028b\u2029c\u0085d"}\n\u2028${message}\u2028\n${answer}\n`),
  stream('a byte order mark', `\uFEFF${message}\n${answer}\n`),
  stream('a byte order mark on every line', `\uFEFF${message}\n\uFEFF\n\uFEFF${answer}\n`),
  stream('lines of white space that is not JSON’s', `\u00A0\n\u2003\u3000\n${message}\n\v\f\n`),
  stream('a banner before the messages', `\u001B[32mServer v1.0\u001B[0m\n> ready\nListening…\n${message}\n`),
  stream('noise around messages on one line', `log: ${message}\n${message} // said\n${message}${answer}\n`),
  stream('batches', `[${message},${answer}]\n[ ${answer} , ${message} ]\r\n[]\n[[${answer}]]\n[${answer},1]\n`),
  stream('scalars', '5\n-1.5e3\n"text"\nnull\ntrue\nNaN\n'),
  stream('text as it was written', '{ "id" : 1.0,\t"x":1e400,"x":"\\u0061\\/", "__proto__":12345678901234567890 }\n'),
  stream('JSON that breaks off, and goes on', `${message.slice(0, 30)}\n${message.slice(30)}\n`),
  stream(
    'bytes that are no UTF-8',
    [0xff, 0xfe, 0x0a, 0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d, 0x0a, 0x80, 0x0a, 0xc3, 0x0a],
  ),
  stream(
    'surrogates, overlong forms and characters beyond the last',
    [0xed, 0xa0, 0xbd, 0x0a, 0xc0, 0xaf, 0x0a, 0xf4, 0x90, 0x80, 0x80, 0x0a, 0x7b, 0x7d, 0x0a, 0xe2, 0x9c],
  ),
  { name: 'UTF-16', bytes: Buffer.from(`\uFEFF${message}\n${answer}\n`, 'utf16le') },
  stream('brackets two hundred thousand deep', `${'['.repeat(200_000)}\n{"a":${'['.repeat(200_000)}\n${message}\n`),
  stream(
    'lines about as long as a pipe takes',
    [65_535, 65_536, 65_537].map((length) => `${messageOf(length)}\n`).join(''),
  ),
  stream('twenty thousand lines', Array.from({ length: 20_000 }, (_, id) => `{"jsonrpc":"2.0","id":${id}}\n`).join('')),
  stream('fifty thousand blank lines', '\n'.repeat(50_000)),
  { name: 'half a megabyte of noise', bytes: noise(500_000) },
  stream('a byte at a time', manyBytes, everywhere(manyBytes)),
  stream('characters that are cut', '{"m":"é✓😀"}\n', [7, 10, 13]),
  stream('a line end that is cut', `${message}\r\n${message}\r\n`, [Buffer.byteLength(message) + 1]),
  stream('a byte order mark that is cut', `\uFEFF${message}\n`, [1, 2]),
];

/** A line that takes a thousand reads, between two short ones. */
/** Many times the size of a pipe buffer; in long runs almost the maximum message size. */
const HUGE_BYTES = isLongRun ? 64e6 : 8e6;
export const hugeLine: Buffer = Buffer.from(`${answer}\n${messageOf(HUGE_BYTES)}\n${message}\n`);
