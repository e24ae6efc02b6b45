import { type DecodedLine, LineSplitter } from '../../json/lines.ts';
import { ObjectView } from '../../json/object-view.ts';
import type { Entry } from '../../model/entry.ts';
import { ReelError } from '../../model/errors.ts';
import type { RecordedSession, SessionFooter, SessionHeader } from '../../model/session.ts';
import { tornLine } from '../cut-off.ts';
import {
  type FormatConfidence,
  type FormatReader,
  type FormatWriter,
  type ReadOptions,
  type Source,
  WRONG_FORMAT,
} from '../format.ts';
import { linesOf, oncePerFile } from '../reading.ts';
import { TraceEntryReader } from './entry-reader.ts';
import { footerFrom, headerFrom, headerWithoutMeta } from './trace-header.ts';
import { writeTrace } from './trace-writer.ts';

/** Reads and writes trace v1, mcpreel's own format: append-only JSON Lines, one server per file. */
export const trace: FormatReader & FormatWriter = {
  id: 'trace',
  title: 'Trace v1 (JSON Lines)',
  loses: [],
  detect,
  read: readTrace,
  write: writeTrace,
};

function detect(head: string): FormatConfidence {
  const line = head.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  const first = ObjectView.ofHead(line.replace(/^\uFEFF/, ''));
  if (first.string('type') === 'meta' && first.has('v')) return 'certain';
  if (first.string('type') === 'meta' && first.has('startedAt')) return 'likely';
  if (!first.has('t')) return 'no';
  if (first.has('dir')) return 'certain';
  return first.has('type') && head.split('\n').some((text) => isOwnLine(ObjectView.ofHead(text))) ? 'certain' : 'no';
}

/** Returns whether a line is of a kind that only traces have. Application logs have lines with `t` and `type`, too. */
function isOwnLine(line: ObjectView): boolean {
  switch (line.string('type')) {
    case undefined:
      return line.has('t') && line.has('dir') && line.has('raw');
    case 'meta':
      return line.has('v') && line.has('startedAt');
    case 'event':
      return line.has('kind') || line.string('dir') === 'event';
    case 'end':
      return line.has('t');
    default:
      return false;
  }
}

const TAIL_BYTES = 1 << 16;

/** Reads a trace: its header, its footer and, line by line, its entries. */
async function readTrace(source: Source, options: ReadOptions): Promise<RecordedSession> {
  const first = await firstRecord(source);
  if (first === undefined) {
    const what = `No trace in ${source.name}: no line is JSON`;
    throw new ReelError('session-unreadable', what, { hint: WRONG_FORMAT });
  }
  const header = first.string('type') === 'meta' ? headerFrom(first) : headerWithoutMeta(first);
  const version = first.string('type') === 'meta' ? first.number('v') : 1;
  const problemsOf = oncePerFile(options);
  const footer = await readFooter(source);
  return {
    format: 'trace',
    hasOrder: true,
    header,
    footer,
    batches: () => readEntries(source, { header, footer, version }, { ...options, onProblem: problemsOf() }),
  };
}

async function firstRecord(source: Source): Promise<ObjectView | undefined> {
  for await (const lines of linesOf(source, () => undefined)) {
    for (const line of lines) {
      const view = ObjectView.of(line.text);
      if (view !== undefined) return view;
    }
  }
  return undefined;
}

/**
 * Reads the footer, if the last readable line is one. It is read before the entries, because some formats write it
 * first.
 */
async function readFooter(source: Source): Promise<SessionFooter | undefined> {
  for (let length = TAIL_BYTES; ; length *= 8) {
    const start = Math.max(0, source.size - length);
    const lines = await tailLines(source, start);
    for (const text of lines) {
      const view = ObjectView.of(text);
      if (view !== undefined) return view.string('type') === 'end' ? footerFrom(view) : undefined;
    }
    if (start === 0) return undefined;
  }
}

/** Returns the whole lines of the source's tail, last first. */
async function tailLines(source: Source, start: number): Promise<string[]> {
  const splitter = new LineSplitter();
  const lines: DecodedLine[] = [];
  for await (const chunk of source.read(start, source.size)) for (const line of splitter.push(chunk)) lines.push(line);
  lines.push(...splitter.end());
  // The first line most likely starts before `start`.
  if (start > 0) lines.shift();
  return lines.reverse().flatMap((line) => ('text' in line ? [line.text] : []));
}

interface TraceEnds {
  readonly header: SessionHeader;
  readonly footer: SessionFooter | undefined;
  readonly version: number | undefined;
}

async function* readEntries(
  source: Source,
  { header, footer, version }: TraceEnds,
  { onProblem, onPlaced }: ReadOptions,
): AsyncGenerator<readonly Entry[]> {
  const reader = new TraceEntryReader(header, onProblem);
  if (version !== undefined && version > 1) {
    const what = `trace version ${version} is newer than 1; unknown parts are skipped`;
    onProblem({ place: 'line 1', what, effect: 'repaired' });
  }
  for await (const lines of linesOf(source, onProblem, tornLine)) {
    const entries: Entry[] = [];
    const starts: number[] = [];
    const numbers: number[] = [];
    for (const line of lines) {
      reader.take(line, entries);
      while (onPlaced !== undefined && starts.length < entries.length) {
        starts.push(line.start ?? 0);
        numbers.push(line.number);
      }
    }
    if (entries.length === 0) continue;
    onPlaced?.({ starts, lines: numbers });
    yield entries;
  }
  const rest = reader.finish(footer);
  if (rest.length === 0) return;
  onPlaced?.({ starts: rest.map(() => source.size), lines: rest.map(() => 0) });
  yield rest;
}
