import { trace } from '../formats/trace/trace.ts';
import type { Entry } from '../model/entry.ts';
import type { EntryMaker } from '../record/entry-maker.ts';
import type { StreamCoverage } from '../record/stdio-traffic.ts';
import { readEdges } from '../record/trace-edges.ts';
import { partsOf } from '../record/trace-parts.ts';
import { openTraceSource } from '../record/trace-source.ts';

/** What a trace that was cut short has recorded. */
export interface TraceCoverage {
  /** The path of its last part. */
  readonly path: string;
  /** How far it has recorded each stream. */
  readonly streams: ReadonlyMap<string, StreamCoverage>;
  /** The number of the next line. */
  readonly nextSeq: number;
  readonly hasEnded: boolean;
}

/** Reads what a trace covers, and lets a maker of entries continue after it. `undefined` if there is no trace of this session. */
export async function coverageOf(
  path: string,
  sessionId: string,
  maker: EntryMaker,
): Promise<TraceCoverage | undefined> {
  const last = (await partsOf(path)).at(-1) ?? path;
  const edges = readEdges(last);
  if (edges?.meta?.string('id') !== sessionId) return undefined;
  const session = await trace.read(await openTraceSource(last), { onProblem: () => undefined });
  const streams = new Map<string, StreamCoverage>();
  let count = 0;
  for await (const entries of session.batches()) {
    count += entries.length;
    for (const entry of entries) {
      if (entry.kind === 'message') maker.resumeAfter(entry);
      see(entry, streams);
    }
  }
  return { path: last, streams, nextSeq: edges.entries ?? count, hasEnded: session.footer !== undefined };
}

function see(entry: Entry, streams: Map<string, StreamCoverage>): void {
  if (entry.kind === 'other' || entry.upTo === undefined) return;
  const [, stream, digits] = /^\["([a-z\d-]+)",(\d+)\]$/.exec(entry.upTo) ?? [];
  if (stream === undefined) return;
  const offset = Number(digits);
  const known = streams.get(stream);
  if (known !== undefined && known.offset > offset) return;
  streams.set(stream, { offset, entries: known?.offset === offset ? known.entries + 1 : 1 });
}
