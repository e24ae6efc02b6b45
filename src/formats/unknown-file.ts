import { ObjectView } from '../json/object-view.ts';
import { documentSpan, scanValue } from '../json/scan.ts';

/** What a file that is not a recording looks like, and what to do about it. */
export interface UnknownFile {
  readonly what: string;
  readonly hint?: string;
}

/** Describes a file that no reader knows, by its first bytes. `isWhole` is true if these are all. */
export function describeUnknownFile(bytes: Uint8Array, isWhole: boolean): UnknownFile {
  return describeBytes(bytes) ?? describeText(new TextDecoder().decode(bytes), isWhole);
}

/** The first bytes of files that have to be unpacked. */
const PACKED: readonly (readonly [name: string, start: readonly number[]])[] = [
  ['compressed with gzip', [0x1f, 0x8b]],
  ['compressed with zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['compressed with xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['compressed with bzip2', [0x42, 0x5a, 0x68]],
  ['a zip archive', [0x50, 0x4b, 0x03, 0x04]],
];

/** The byte order marks of UTF-16, and an object or array in it without one. */
const UTF_16: readonly (readonly number[])[] = [
  [0xff, 0xfe],
  [0xfe, 0xff],
  [0x7b, 0x00],
  [0x00, 0x7b],
  [0x5b, 0x00],
  [0x00, 0x5b],
];

function describeBytes(bytes: Uint8Array): UnknownFile | undefined {
  const startsWith = (start: readonly number[]): boolean => start.every((byte, at) => bytes[at] === byte);
  const packed = PACKED.find(([, start]) => startsWith(start));
  if (packed !== undefined) return { what: `it is ${packed[0]}`, hint: 'Unpack it first.' };
  if (UTF_16.some(startsWith)) return { what: 'it is UTF-16', hint: 'Convert it to UTF-8 first.' };
  return bytes.includes(0) ? { what: 'it is not text' } : undefined;
}

function describeText(head: string, isWhole: boolean): UnknownFile {
  const text = head.replace(/^\uFEFF/, '').trimStart();
  if (/^<(?:!doctype\s+html|html|head|body)\b/i.test(text)) {
    return { what: 'it looks like an HTML page', hint: 'If mcpreel exported it, open it in a browser.' };
  }
  if (text.startsWith('<')) return { what: 'it looks like XML' };
  if (NORMALIZED.test(text)) {
    return {
      what: 'it is a normalized trace for Assay, the output of mcpreel import without --to',
      hint: 'To convert a transcript to a recording, pass --to trace.',
    };
  }
  const log = describeLog(text, isWhole);
  if (log !== undefined) return log;
  if (!/^[{[]/.test(text)) {
    const isValue = isWhole && documentSpan(text) !== undefined;
    return { what: isValue ? 'it is a JSON value, but not an object' : 'its first line is not JSON' };
  }
  const end = scanValue(text, 0);
  // The value may continue after the bytes that were read.
  if (end < 0 && (~end < text.trimEnd().length || isWhole))
    return { what: `it is not valid JSON ${placeAt(text, ~end)}` };
  const keys = ObjectView.ofHead(text)
    .members.slice(0, 5)
    .map(({ key }) => JSON.stringify(key.slice(0, 40)));
  if (text.startsWith('[')) return { what: 'it is a JSON array without messages' };
  return { what: keys.length === 0 ? 'it is a JSON object' : `it is a JSON object with the keys ${keys.join(', ')}` };
}

function placeAt(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `(line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1})`;
}

/** The start of what `import` writes without `--to`. */
const NORMALIZED = /^\{"type":"episode_start",/;

/** Members that lines of application logs have. */
const LOG_MEMBERS =
  /^(?:level|severity|lvl|msg|message|time|ts|timestamp|@timestamp|logger|pid|method|path|url|status)$/;

/** A line of an application log that is not JSON: a time and a level, in this order. */
const LOG_LINE = /^\[?\d{4}-\d\d-\d\d[T ][^\n]*?\b(?:trace|debug|info|notice|warn(?:ing)?|error|fatal|critical)\b/i;

function describeLog(text: string, isWhole: boolean): UnknownFile | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  // The last line may be cut off.
  if (!isWhole && lines.length > 1) lines.pop();
  const [first = ''] = lines;
  if (LOG_LINE.test(first)) return { what: 'it looks like an application log', hint: FORMAT_HINT };
  const isObject = first.trimStart().startsWith('{') && documentSpan(first) !== undefined;
  const keys = isObject ? (ObjectView.of(first)?.members.map(({ key }) => key) ?? []) : [];
  const known = keys.filter((key) => LOG_MEMBERS.test(key));
  const isLog = known.includes('method') || known.length >= 2 || (known.length > 0 && lines.length > 1);
  if (!isLog) return undefined;
  const named = known
    .slice(0, 4)
    .map((key) => JSON.stringify(key))
    .join(', ');
  return { what: `it looks like an application log (lines with ${named} and no "jsonrpc":"2.0")`, hint: FORMAT_HINT };
}

const FORMAT_HINT = 'Pass --format jsonrpc to read its lines as messages.';
