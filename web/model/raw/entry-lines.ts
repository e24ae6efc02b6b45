import { linesOf } from '../../../src/formats/reading.ts';
import { TraceEntryReader } from '../../../src/formats/trace/entry-reader.ts';
import type { Entry } from '../../../src/model/entry.ts';
import type { WorkPace } from '../pace.ts';
import type { Lane } from '../timeline/lane.ts';

/** The file line of each entry of a lane, from 1; 0 if unknown. */
export type EntryLines = Uint32Array;

/** Finds the lines of all entries: by reading a trace again, or from line numbers stored in the entries. */
export async function entryLines(lane: Lane, pace: WorkPace): Promise<EntryLines> {
  const { source, entries } = lane;
  const lines = new Uint32Array(entries.length);
  if (source === undefined) return lines.map((_, index) => index + 1);
  if (lane.format !== 'trace') {
    for (let index = 0; index < entries.length; index++) {
      const entry = entries.at(index);
      if (entry?.kind === 'message') lines[index] = entry.sourceLine ?? 0;
      if (pace.isOver) await pace.rest();
    }
    return lines;
  }
  const reader = new TraceEntryReader(lane.header, () => undefined);
  let next = 0;
  for await (const batch of linesOf(source, () => undefined)) {
    const read: Entry[] = [];
    for (const line of batch) {
      const before = read.length;
      reader.take(line, read);
      for (let n = before; n < read.length; n++) lines[next++] = line.number;
      if (pace.isOver) await pace.rest();
    }
  }
  return lines;
}
