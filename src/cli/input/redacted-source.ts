import type { ReadProblem, Source } from '../../formats/format.ts';
import { detectSource } from '../../formats/registry.ts';
import { concatBytes, copyBytes, type DecodedLine, decodeUtf8, LineSplitter, type TextLine } from '../../json/lines.ts';
import { documentSpan, findFault } from '../../json/scan.ts';
import { ReelError } from '../../model/errors.ts';
import type { CaptureText } from '../../redact/rewrite/capture-text.ts';

/** The layout of a capture: one record per line, or a single JSON document. */
export interface TextLayout {
  readonly kind: 'lines' | 'document';
  readonly format: string | undefined;
  /** The only line of the capture, if it has one. Reading it again would take as much memory again. */
  readonly onlyLine?: DecodedLine | undefined;
}

/** Receives events while a capture is read. */
export interface RemovalListener {
  /** The line (from 1) that is processed next. */
  onLine(number: number): void;
  onProblem(problem: ReadProblem): void;
}

const LINE_FORMATS = new Set(['trace', 'mcpsnoop', 'mcporter', 'mcp-cassette', 'mcp-rec', 'claude-code']);
/** A document is redacted as a whole, which takes several times its size in memory. */
const LARGEST_DOCUMENT = 256 * 1024 * 1024;
const BYTE_ORDER_MARK = '\uFEFF';
const LINE_FEED = 0x0a;

/** Detects the layout of a capture, given the name of its format or `auto`. */
export async function layoutOf(source: Source, format: string): Promise<TextLayout> {
  if (source.size === 0) throw new ReelError('session-unreadable', `The file is empty: ${source.name}`);
  const known = format === 'auto' ? (await detectSource(source))?.id : format;
  if (known !== undefined && LINE_FORMATS.has(known)) return { kind: 'lines', format: known };
  const { text, onlyLine } = await firstLine(source);
  const first = text.replace(BYTE_ORDER_MARK, '').trim();
  const isRecord = /^[{[]/.test(first) && documentSpan(first) !== undefined;
  const isList = known === 'jsonrpc' && !first.startsWith('[');
  return { kind: isRecord || isList ? 'lines' : 'document', format: known, onlyLine };
}

/** A part of a file: text, or bytes that are not text. */
export type RedactedPiece = string | Uint8Array;

/** The capture with secrets redacted, in batches of pieces. All other bytes are unchanged. */
export async function* redactedPieces(
  source: Source,
  { kind, format, onlyLine }: TextLayout,
  capture: CaptureText,
  listener: RemovalListener,
): AsyncGenerator<readonly RedactedPiece[]> {
  if (kind === 'document') {
    yield redactDocument(await readDocument(source, format), capture);
    return;
  }
  let number = 0;
  for await (const lines of onlyLine === undefined ? linesIn(source) : [[onlyLine]]) {
    yield lines.flatMap((line) => {
      number++;
      listener.onLine(number);
      const redacted = redactLine(line, capture, (what) => listener.onProblem({ place: `line ${number}`, what }));
      return line.ended ? [redacted, '\n'] : [redacted];
    });
  }
}

async function* linesIn(source: Source): AsyncGenerator<DecodedLine[]> {
  const splitter = new LineSplitter(undefined, source.size);
  for await (const chunk of source.read(0, source.size)) yield splitter.push(chunk);
  yield splitter.end();
}

async function firstLine(source: Source): Promise<{ readonly text: string; readonly onlyLine?: DecodedLine }> {
  let read = 0;
  for await (const lines of linesIn(source)) {
    for (const line of lines) {
      read++;
      const isBlank = !('text' in line) || line.text.replace(BYTE_ORDER_MARK, '').trim() === '';
      if (isBlank) continue;
      return read === 1 && (await endsAfter(source, line)) ? { text: line.text, onlyLine: line } : { text: line.text };
    }
  }
  return { text: '' };
}

/** Returns whether a capture has nothing but this line. */
async function endsAfter(source: Source, line: TextLine): Promise<boolean> {
  if (!line.ended) return true;
  // The line has at least as many bytes as characters.
  if (source.size > 4 * (line.text.length + 1)) return false;
  let ended = false;
  for await (const chunk of source.read(line.text.length, source.size)) {
    const at = chunk.indexOf(LINE_FEED);
    if (ended || (at >= 0 && at + 1 < chunk.length)) return false;
    ended = at >= 0;
  }
  return ended;
}

function redactLine(line: DecodedLine, capture: CaptureText, report: (what: string) => void): RedactedPiece {
  if ('bytes' in line) {
    report('not UTF-8; redacted as plain text');
    return fromLatin1(capture.redact(toLatin1(line.bytes)));
  }
  if (line.text.trim() === '') return line.text;
  const mark = line.text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const text = line.text.slice(mark.length);
  return mark + capture.redact(text, () => report('not JSON; redacted as plain text'));
}

function redactDocument(text: string, capture: CaptureText): readonly string[] {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  return [mark, capture.redact(text.slice(mark.length))];
}

async function readDocument(source: Source, format: string | undefined): Promise<string> {
  const hint = 'Use mcpreel export: it redacts and writes the parts that can be read.';
  if (source.size > LARGEST_DOCUMENT) {
    throw new ReelError('session-unreadable', `${source.name} is a JSON document of more than 256 MiB`, { hint });
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of source.read(0, source.size)) chunks.push(copyBytes(chunk));
  const text = decodeUtf8(concatBytes(chunks));
  const fault = text === undefined ? 0 : findFault(text.replace(BYTE_ORDER_MARK, ''));
  if (text !== undefined && fault === undefined && /^\uFEFF?\s*[{[]/.test(text)) return text;
  if (format === undefined) throw new ReelError('format-unknown', `${source.name} is neither JSON nor JSON Lines`);
  const why = text === undefined ? 'not UTF-8' : `error at character ${fault ?? 0}`;
  throw new ReelError('session-unreadable', `${source.name} is not a complete JSON document: ${why}`, { hint });
}

/** Bytes as characters of the same code, so that they can be restored exactly. */
function toLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

function fromLatin1(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}
