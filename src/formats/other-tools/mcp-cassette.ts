import { elementTexts, ObjectView } from '../../json/object-view.ts';
import type { Direction } from '../../model/entry.ts';
import { parseTime } from '../../model/times.ts';
import { candidatesInLines } from '../candidates.ts';
import type { FormatConfidence, FormatReader } from '../format.ts';
import { type CapturePass, presentIn, readCapture, recordsInHead, unknownMembers } from './foreign-capture.ts';

/** Reads cassettes of mcp-cassette, version 1 or 2: a header, then frames with times relative to its start. */
export const mcpCassette: FormatReader = {
  id: 'mcp-cassette',
  title: 'mcp-cassette cassette (JSON Lines)',
  detect,
  read: (source, options) =>
    readCapture(source, options, {
      format: 'mcp-cassette',
      records: (report) => candidatesInLines(source, report),
      begin,
    }),
};

const NEWEST_VERSION = 2;
const DIRECTIONS: ReadonlyMap<string, Direction> = new Map([
  ['c2s', 'client_to_server'],
  ['s2c', 'server_to_client'],
]);

/** The member that holds what was sent, for each type of record that has one. */
const HOLDERS: ReadonlyMap<string, string> = new Map([
  ['frame', 'frame'],
  ['raw', 'data'],
  ['chunks', 'chunks'],
]);

function detect(head: string): FormatConfidence {
  const first = recordsInHead(head)[0];
  return first?.string('type') === 'header' && first.has('cassetteVersion') ? 'certain' : 'no';
}

function begin(pass: CapturePass): (record: ObjectView) => void {
  const reader = new CassetteReader(pass);
  return (record) => reader.take(record);
}

class CassetteReader {
  readonly #pass: CapturePass;
  #startMs: number | undefined;

  constructor(pass: CapturePass) {
    this.#pass = pass;
  }

  take(record: ObjectView): void {
    const type = record.string('type');
    if (type === 'header' && this.#startMs === undefined) {
      this.#takeHeader(record);
      return;
    }
    this.#startMs ??= 0;
    this.#at(record);
    const direction = DIRECTIONS.get(record.string('dir') ?? '');
    const frame = presentIn(record, 'frame');
    const data = record.textOf('data');
    const chunks = type === 'chunks' ? framesIn(record.textOf('chunks') ?? '') : undefined;
    const holder = HOLDERS.get(type ?? '');
    this.#reportType(type, record);
    if (direction === undefined && holder !== undefined) this.#pass.withoutDirection('dir', DIRECTIONS.keys(), record);
    else if (direction === undefined) this.#pass.record(type, record);
    else if (type === 'frame' && frame !== undefined) {
      this.#pass.message(frame, { direction, kept: unknownMembers(record, ['type', 't', 'dir', 'frame']) });
    } else if (type === 'raw' && data?.startsWith('"')) this.#pass.noise(direction, data);
    else if (chunks !== undefined) this.#takeChunks(record, direction, chunks);
    else {
      if (holder !== undefined) this.#pass.problem(`${holder} is missing or invalid`);
      this.#pass.record(type, record);
    }
  }

  /** Reports a record that may hold a message, but whose type does not tell. Other unknown types are passed over. */
  #reportType(type: string | undefined, record: ObjectView): void {
    if (type === undefined) this.#pass.problem('type is missing or not a string');
    else if (!HOLDERS.has(type) && [...HOLDERS.values()].some((member) => presentIn(record, member) !== undefined)) {
      this.#pass.problem(`unknown type ${record.textOf('type')?.slice(0, 60)} of a record with a message`);
    }
  }

  #takeHeader(header: ObjectView): void {
    const version = header.number('cassetteVersion');
    if (version !== undefined && version > NEWEST_VERSION) {
      this.#pass.problem(
        `cassette version ${version} is newer than ${NEWEST_VERSION}; unknown parts are skipped`,
        'repaired',
      );
    }
    const startedAt = header.string('startedAt');
    const startMs = startedAt === undefined ? undefined : parseTime(startedAt);
    this.#pass.at(startMs, 'startedAt');
    this.#startMs = startMs ?? 0;
    const transport = header.string('transport');
    this.#pass.know({
      transport: transport === 'http' ? 'streamable-http' : transport,
      command: header.strings('command'),
      url: header.string('url'),
      keepsakes: { transcript: unknownMembers(header, ['type', 'startedAt', 'transport', 'command', 'url']) },
    });
  }

  #at(record: ObjectView): void {
    const t = record.number('t');
    this.#pass.at(t === undefined ? undefined : (this.#startMs ?? 0) + t, 't');
  }

  /** A streamed response is one record. Each of its frames is a message with its own time. */
  #takeChunks(record: ObjectView, direction: Direction, chunks: readonly ObjectView[]): void {
    const kept = unknownMembers(record, ['type', 't', 'dir', 'chunks']);
    for (const chunk of chunks) {
      const frame = presentIn(chunk, 'frame');
      if (chunk.has('t')) this.#at(chunk);
      if (frame === undefined) {
        this.#pass.problem('a chunk without frame');
        this.#pass.record('chunk', chunk);
      } else this.#pass.message(frame, { direction, sse: '{"event":"message"}', kept });
    }
  }
}

/** Returns the chunks of a stream, or `undefined` if they are invalid. */
function framesIn(chunks: string): readonly ObjectView[] | undefined {
  const views = elementTexts(chunks)?.map((text) => ObjectView.of(text));
  const isWhole = views !== undefined && views.length > 0 && views.every((view) => view !== undefined);
  return isWhole ? views.filter((view) => view !== undefined) : undefined;
}
