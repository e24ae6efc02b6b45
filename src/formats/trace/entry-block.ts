import { LineSplitter } from '../../json/lines.ts';
import type { Entry } from '../../model/entry.ts';
import type { SessionHeader } from '../../model/session.ts';
import type { BlockStart, EntryTexts, PlacedLines } from '../../present/session-log/entry-blocks.ts';
import type { Source } from '../format.ts';
import { TraceEntryReader } from './entry-reader.ts';
import { entryLine } from './trace-writer.ts';

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The texts of a session's entries: lines of this source if its reader reports places, else lines that are written to
 * the spool.
 */
export function traceTexts(
  header: SessionHeader,
  source: Pick<Source, 'readNow'> | undefined,
  spool?: EntryTexts['spool'],
): EntryTexts {
  const readNow = source?.readNow;
  return {
    file: readNow && { readNow },
    spool,
    read: (bytes, start) => readEntryBlock(bytes, header, start),
    write: writeEntryBlock,
    isOfOneLine,
  };
}

/** Passes on where the entries of the next batch are, if their reader reports it. */
export class BatchPlaces {
  #places: PlacedLines | undefined;

  readonly note = (places: PlacedLines): void => {
    this.#places = places;
  };

  take(): PlacedLines | undefined {
    const places = this.#places;
    this.#places = undefined;
    return places;
  }
}

/**
 * Whether reading its own line again gives an entry. Gaps and second headers and ends depend on the lines around them.
 */
function isOfOneLine(entry: Entry): boolean {
  if (entry.kind === 'event') return entry.event !== 'mcpreel.gap';
  return entry.kind === 'message' || (entry.type !== 'meta' && entry.type !== 'end');
}

/**
 * Reads lines of a trace again: those of its entries that depend on one line only. What depends on lines before them is
 * missing: the pairing of a response that does not name its request.
 */
function readEntryBlock(bytes: Uint8Array, header: SessionHeader, { sequence, line, atMs }: BlockStart): Entry[] {
  const reader = new TraceEntryReader(header, () => undefined, { sequence, atMs });
  const splitter = new LineSplitter();
  const entries: Entry[] = [];
  let number = line;
  for (const decoded of [...splitter.push(bytes), ...splitter.end()]) {
    if ('text' in decoded) {
      const text = decoded.text.startsWith(BYTE_ORDER_MARK) ? decoded.text.slice(1) : decoded.text;
      if (text.trim() !== '') reader.take({ text, ended: decoded.ended, number }, entries);
    }
    number++;
  }
  return entries.filter(isOfOneLine);
}

/** The lines from which `readEntryBlock` reads these entries again. */
function writeEntryBlock(entries: readonly Entry[]): string {
  let text = '';
  for (const [place, entry] of entries.entries()) if (isOfOneLine(entry)) text += `${entryLine(entry, place)}\n`;
  return text;
}
