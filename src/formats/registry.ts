import { ReelError } from '../model/errors.ts';
import type { RecordedSession } from '../model/session.ts';
import { csv } from './csv.ts';
import {
  type FormatConfidence,
  type FormatReader,
  type FormatWriter,
  type ReadOptions,
  type Source,
  WRONG_FORMAT,
} from './format.ts';
import { har } from './har/har.ts';
import { httpSse, streamableHttp } from './http-transcript/http-transcript.ts';
import { inspector } from './inspector/inspector.ts';
import { jsonrpc } from './jsonrpc.ts';
import { markdown } from './markdown.ts';
import { assay } from './other-tools/assay.ts';
import { claudeCode } from './other-tools/claude-code.ts';
import { mcpCassette } from './other-tools/mcp-cassette.ts';
import { mcpRec } from './other-tools/mcp-rec.ts';
import { mcpRecorder } from './other-tools/mcp-recorder.ts';
import { mcporter } from './other-tools/mcporter.ts';
import { mcpsnoop } from './other-tools/mcpsnoop.ts';
import { otlp } from './otlp/otlp.ts';
import { readFirstBytes, readHead } from './reading.ts';
import { sessionFile } from './session-file/session-file.ts';
import { trace } from './trace/trace.ts';
import { describeUnknownFile } from './unknown-file.ts';

/** The readable formats, in the order in which detection tries them. */
export const readers: readonly FormatReader[] = [
  trace,
  sessionFile,
  streamableHttp,
  httpSse,
  mcpsnoop,
  mcpRecorder,
  mcporter,
  mcpCassette,
  mcpRec,
  har,
  claudeCode,
  inspector,
  jsonrpc,
];

export const writers: readonly FormatWriter[] = [
  sessionFile,
  trace,
  jsonrpc,
  streamableHttp,
  httpSse,
  inspector,
  assay,
  har,
  otlp,
  markdown,
  csv,
];

/** Returns the writer of a format. An unknown format is a usage error. */
export function writerFor(id: string): FormatWriter {
  const writer = writers.find((candidate) => candidate.id === id);
  if (writer === undefined) throw unknownFormat(id, writers);
  return writer;
}

/** Opens a session in the given format, or detects the format from the content. */
export async function readSource(source: Source, options: ReadOptions, format = 'auto'): Promise<RecordedSession> {
  if (source.size === 0) throw new ReelError('session-unreadable', `${source.name} is empty`);
  if (format !== 'auto') {
    const reader = readers.find((candidate) => candidate.id === format);
    if (reader === undefined) throw unknownFormat(format, readers);
    return reader.read(source, options).catch((error: unknown) => {
      throw withoutFormatHint(error);
    });
  }
  const reader = await detectSource(source);
  if (reader === undefined) {
    const head = await readFirstBytes(source);
    const { what, hint } = describeUnknownFile(head, head.length === source.size);
    // No format would accept it.
    const broken = /^it (is not valid JSON .*)$/.exec(what)?.[1];
    if (broken !== undefined) throw new ReelError('format-unknown', `${source.name} ${broken}`);
    throw new ReelError('format-unknown', `${source.name} is not a known recording: ${what}`, {
      hint: hint ?? WRONG_FORMAT,
    });
  }
  return reader.read(source, { ...options, isDetected: true });
}

/** How many bytes detection reads, one after the other, until a reader is certain. */
const HEADS: readonly number[] = [1 << 12, 1 << 15, 1 << 18, 1 << 20];

/** Detects the format of a source from its beginning, of which it reads no more than needed. */
export async function detectSource(source: Source): Promise<FormatReader | undefined> {
  let likely: FormatReader | undefined;
  for (const bytes of HEADS) {
    const head = await readHead(source, bytes);
    const reader = detectFormat(head);
    if (reader?.detect(head) === 'certain') return reader;
    likely = reader;
    if (bytes >= source.size) break;
  }
  return likely;
}

/** The same error without the advice to name a format, which was named. */
function withoutFormatHint(error: unknown): unknown {
  if (!(error instanceof ReelError) || !error.hint?.includes('--format')) return error;
  return new ReelError(error.code, error.message, { cause: error.cause });
}

/** Returns the first reader that is certain, otherwise the first that is likely. */
export function detectFormat(head: string): FormatReader | undefined {
  const judged = readers.map((reader): [FormatReader, FormatConfidence] => [reader, reader.detect(head)]);
  const best =
    judged.find(([, confidence]) => confidence === 'certain') ??
    judged.find(([, confidence]) => confidence === 'likely');
  return best?.[0];
}

function unknownFormat(id: string, known: readonly { readonly id: string }[]): ReelError {
  return new ReelError('usage', `Unknown format: ${id}`, {
    hint: `Known: ${known.map((format) => format.id).join(', ')}.`,
  });
}
