import type { FormatWriter } from '../../src/formats/format.ts';
import type { Entry } from '../../src/model/entry.ts';
import type { RecordedSession } from '../../src/model/session.ts';
import { breath } from './breath.ts';
import { type EntryKey, indexOf, laneOf } from './entry-key.ts';
import { EXPORT_FORMATS, type ExportFormat } from './export-formats.ts';
import type { Lane } from './timeline/lane.ts';
import type { Timeline } from './timeline/timeline.ts';

/** How to export the shown entries. */
export interface RequestedExport {
  readonly format: ExportFormat;
  readonly redacts: boolean;
  /** Random salt for the placeholders; never stored. */
  readonly salt: Uint8Array;
}

/** An exported file with the shown entries of one lane. */
export interface ExportedFile {
  readonly name: string;
  readonly blob: Blob;
  readonly messages: number;
  /** The kinds of redacted values, each with its count. */
  readonly removed: readonly (readonly [kind: string, count: number])[];
  /** What the format cannot contain of these entries. */
  readonly loses: readonly string[];
}

const BATCH = 2000;
const MAX_PIECES = 1 << 22;

/** Writers are loaded on the first export. */
const WRITERS: Readonly<Record<ExportFormat, () => Promise<FormatWriter>>> = {
  trace: async () => (await import('../../src/formats/trace/trace.ts')).trace,
  json: async () => (await import('../../src/formats/session-file/session-file.ts')).sessionFile,
  markdown: async () => (await import('../../src/formats/markdown.ts')).markdown,
  csv: async () => (await import('../../src/formats/csv.ts')).csv,
  jsonrpc: async () => (await import('../../src/formats/jsonrpc.ts')).jsonrpc,
};

/** Exports the shown entries, and the responses to shown requests: one file for each lane that has any. */
export async function exportShown(
  timeline: Timeline,
  shown: readonly EntryKey[],
  { format, redacts, salt }: RequestedExport,
): Promise<ExportedFile[]> {
  const { redactedSession } = await import('../../src/redact/redacted-session.ts');
  const { LostParts } = await import('../../src/formats/lost-parts.ts');
  const writer = await WRITERS[format]();
  const files: ExportedFile[] = [];
  for (const [lane, places] of withAnswers(timeline, shown)) {
    const session = partOf(lane, places);
    const redacted = redacts ? redactedSession(session, { mode: 'secrets', salt }) : undefined;
    const lost = new LostParts(writer.loses);
    const blob = await blobOf(writer, lost.watch(redacted ?? session));
    const messages = places.filter((place) => lane.log.facts.isMessageAt(place)).length;
    const removed = [...(redacted?.removals() ?? [])].sort(([, a], [, b]) => b - a);
    files.push({ name: fileName(lane, format), blob, messages, removed, loses: lost.phrases(session) });
  }
  return files;
}

/** The indexes of the shown entries by lane, in order, each request with all its responses. */
function withAnswers(timeline: Timeline, shown: readonly EntryKey[]): ReadonlyMap<Lane, readonly number[]> {
  const chosen = new Map<Lane, Set<number>>();
  for (const key of shown) {
    const lane = timeline.lanes[laneOf(key)];
    const entry = lane?.entries.at(indexOf(key));
    if (lane === undefined || entry === undefined) continue;
    const places = chosen.get(lane) ?? new Set<number>();
    chosen.set(lane, places);
    places.add(indexOf(key));
    const outcome = lane.log.outcomeOf(entry);
    if (outcome === undefined || entry.kind !== 'message' || outcome.request !== entry.sequence) continue;
    const others = [outcome.answer, ...outcome.rounds.flatMap(({ answer, retry }) => [answer, retry])];
    for (const sequence of others) {
      const place = sequence === undefined ? undefined : lane.log.placeOf(sequence);
      if (place !== undefined) places.add(place);
    }
  }
  const inOrder = [...chosen].map(([lane, places]) => [lane, [...places].sort((a, b) => a - b)] as const);
  return new Map(inOrder);
}

function partOf(lane: Lane, places: readonly number[]): RecordedSession {
  return {
    ...lane.session(),
    async *batches() {
      for (let from = 0; from < places.length; from += BATCH) {
        const batch = places.slice(from, from + BATCH).flatMap((place): Entry[] => {
          const entry = lane.entries.at(place);
          return entry === undefined ? [] : [entry];
        });
        yield batch;
        await breath();
      }
    },
  };
}

async function blobOf(writer: FormatWriter, session: RecordedSession): Promise<Blob> {
  // Blobs are outside of the page's memory, pieces are not.
  const blobs: Blob[] = [];
  let pieces: string[] = [];
  let length = 0;
  for await (const piece of writer.write(session)) {
    pieces.push(piece);
    length += piece.length;
    if (length < MAX_PIECES) continue;
    blobs.push(new Blob(pieces));
    pieces = [];
    length = 0;
  }
  return new Blob([...blobs, ...pieces], { type: 'application/octet-stream' });
}

function fileName({ header, index }: Lane, format: ExportFormat): string {
  const label = header.label.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[-.]+/, '') || `session-${index + 1}`;
  return `${label}-shown.${EXPORT_FORMATS[format].ending}`;
}
