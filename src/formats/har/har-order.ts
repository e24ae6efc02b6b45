import { concatBytes, decodeUtf8 } from '../../json/lines.ts';
import { elementTexts, ObjectView } from '../../json/object-view.ts';
import { parseTime } from '../../model/times.ts';
import type { MessageCandidate } from '../candidates.ts';
import { type ByteRange, elementsIn, notWhole, type TopLevel } from '../children.ts';
import type { Source } from '../format.ts';
import { type ForeignCapture, recordElements } from '../other-tools/foreign-capture.ts';
import { HAR_MEMBER } from './har-entry.ts';

/**
 * Returns the entries of an archive in the order in which they began. Most archives have them in this order, and are
 * then read from start to end. Of others, the place of each entry is kept. `archiveFault` is what is wrong with the
 * document around the log.
 */
export async function entriesByStart(
  source: Source,
  log: TopLevel,
  archiveFault: string | undefined,
): Promise<ForeignCapture['records']> {
  const document = { ...log, fault: log.fault ?? archiveFault };
  const inFile = await recordElements(source, document, 'entries');
  const array = log.members.get('entries');
  if (array === undefined) return inFile;
  const places: EntryPlace[] = [];
  let startMs = Number.NEGATIVE_INFINITY;
  let isOrdered = true;
  let fault = document.fault === undefined ? undefined : notWhole('file', document.fault);
  const elements = elementsIn(source, array, (what) => {
    fault = notWhole('array', what);
  });
  for await (const children of elements) {
    for (const { start, end, bytes, index } of children) {
      const ownMs = startIn(bytes && decodeUtf8(bytes));
      if (ownMs !== undefined && ownMs < startMs) isOrdered = false;
      startMs = ownMs ?? startMs;
      places.push({ start, end, index, startMs });
    }
  }
  if (isOrdered) return inFile;
  places.sort((a, b) => a.startMs - b.startMs || a.index - b.index);
  return async function* (report) {
    for (const place of places) yield [await candidateAt(source, place)];
    if (fault !== undefined) report(fault);
  };
}

interface EntryPlace extends ByteRange {
  readonly index: number;
  readonly startMs: number;
}

/** Returns when an entry began: at the time it states, or at that of its first message if that is earlier. */
function startIn(text: string | undefined): number | undefined {
  const entry = text === undefined ? undefined : ObjectView.of(text);
  const statedMs = parseTime(entry?.string('startedDateTime') ?? '');
  const [first] = elementTexts(entry?.object(HAR_MEMBER)?.textOf('messages') ?? '') ?? [];
  const firstMs = first === undefined ? undefined : parseTime(ObjectView.of(first)?.string('dateTime') ?? '');
  return firstMs === undefined || statedMs === undefined ? statedMs : Math.min(statedMs, firstMs);
}

async function candidateAt(source: Source, { start, end, index }: EntryPlace): Promise<MessageCandidate> {
  const chunks: Uint8Array[] = [];
  // A chunk is only valid until the next one is requested.
  for await (const chunk of source.read(start, end)) chunks.push(chunk.slice());
  return { place: `element ${index}`, line: index + 1, text: decodeUtf8(concatBytes(chunks)) };
}
