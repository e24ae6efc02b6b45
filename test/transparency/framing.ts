import { type Json, jsonLines } from '../support/recordings.ts';
import { summary } from './peer.ts';

/** A line of a stream as recorded. */
export interface Sent {
  readonly as: 'message' | 'noise' | 'stderr';
  readonly text: string;
}

const LINE_FEED = 0x0a;
const BLANK = /^[ \t\r]*$/;

/** Splits a stream into lines, without the code under test. */
function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  if (start < bytes.length) lines.push(bytes.subarray(start));
  return lines;
}

/** The entries that a recording of this message stream must hold, in order. */
export function framesIn(bytes: Buffer): Sent[] {
  return linesOf(bytes).flatMap((line): Sent[] => {
    const text = decode(line);
    if (text === undefined) return [sent('noise', line.toString('base64'))];
    if (BLANK.test(text)) return [];
    // Some peers act on a message behind a byte order mark, and on each valid member of a batch.
    const json = text.replace(/^\uFEFF/, '');
    const value = parse(json);
    if (isObject(value)) return [sent('message', json.replaceAll(/^[ \t\r]+|[ \t\r]+$/g, ''))];
    const isBatch = Array.isArray(value) && value.some(isObject);
    if (isBatch) return value.map((element) => sent(isObject(element) ? 'message' : 'noise', JSON.stringify(element)));
    return [sent('noise', text.replace(/\r$/, ''))];
  });
}

/** The entries that a recording of this text stream must hold. */
export function linesIn(bytes: Buffer): Sent[] {
  return linesOf(bytes).map((line) => sent('stderr', decode(line) ?? line.toString('base64')));
}

/** The entries of each stream in a trace, in order. */
export function streamsOf(trace: string): Record<'in' | 'out' | 'err', Sent[]> {
  const streams: Record<'in' | 'out' | 'err', Sent[]> = { in: [], out: [], err: [] };
  for (const line of trace.split('\n').slice(1)) {
    if (line === '') continue;
    const { type, kind, dir, raw } = JSON.parse(line) as TraceLine;
    // The exact text of a message, not its parsed value.
    if (type === undefined) streams[dir].push(sent('message', line.slice(line.indexOf('"raw":') + 6, -1)));
    else if (kind === 'stdio.noise') streams[raw.dir].push(sent('noise', raw.text ?? raw.base64));
    else if (kind === 'stdio.stderr') streams.err.push(sent('stderr', raw.text ?? raw.base64));
  }
  return streams;
}

interface TraceLine {
  readonly type?: string;
  readonly kind?: string;
  readonly dir: 'in' | 'out';
  readonly raw: { readonly dir: 'in' | 'out'; readonly text?: string; readonly base64: string };
}

/** The properties of the lines in every complete trace. */
export interface Order {
  readonly first: unknown;
  readonly last: unknown;
  /** The entry numbers that differ from their position. */
  readonly misnumbered: readonly unknown[];
  /** The times that are earlier than the previous one. */
  readonly early: readonly unknown[];
}

/** Reads the order of a trace: its first and last line, its numbers and its times. */
export function orderOf(trace: string): Order {
  const lines = jsonLines(trace);
  const times = lines.map((line) => String(line.t ?? line.startedAt));
  return {
    first: lines[0]?.type,
    last: lines.at(-1)?.type,
    misnumbered: lines
      .slice(1, -1)
      .map(({ seq }: Json) => seq)
      .filter((seq, index) => seq !== index),
    early: times.filter((time, index) => time < (times[index - 1] ?? '')),
  };
}

/** The order of every complete trace. */
export const wellOrdered: Order = { first: 'meta', last: 'end', misnumbered: [], early: [] };

function sent(as: Sent['as'], text: string): Sent {
  return { as, text: summary(text) };
}

function decode(bytes: Buffer): string | undefined {
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? text : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
