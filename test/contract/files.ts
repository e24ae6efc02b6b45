import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FormatReader, FormatWriter, ReadProblem, Source } from '../../src/formats/format.ts';
import type { Entry, MessageEntry } from '../../src/model/entry.ts';
import { entriesOf, type RecordedSession } from '../../src/model/session.ts';
import { readEnvelope } from '../../src/protocol/envelope.ts';
import { sourceOf } from './memory-source.ts';

/** Everything a reader returns for a file. */
export interface Reading {
  readonly session: RecordedSession;
  readonly entries: readonly Entry[];
  readonly messages: readonly MessageEntry[];
  /** `place: problem`, as a command prints it after the file name. */
  readonly problems: readonly string[];
}

export async function readAll(reader: FormatReader, from: Source | string | Uint8Array): Promise<Reading> {
  const source = typeof from === 'string' || from instanceof Uint8Array ? sourceOf(from) : from;
  const problems: string[] = [];
  const onProblem = ({ place, what }: ReadProblem): void => void problems.push(`${place}: ${what}`);
  const session = await reader.read(source, { onProblem });
  const entries = await entriesIn(session);
  const messages = entries.filter((entry) => entry.kind === 'message');
  return { session, entries, messages, problems };
}

/** All entries of a session. Envelopes that the reader found are checked and left out. */
export async function entriesIn(session: RecordedSession): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of entriesOf(session)) entries.push(withoutFindings(entry));
  return entries;
}

/** Removes what a reader derived: the envelope, which only repeats the text, and the position in the file. */
function withoutFindings(entry: Entry): Entry {
  if (entry.kind !== 'message') return entry;
  const { envelope, body, sourceLine, ...rest } = entry;
  if (envelope !== undefined) assert.deepEqual(envelope, readEnvelope(entry.text));
  return rest;
}

/** The text that a writer produces for a session. */
export async function writeAll(writer: FormatWriter, session: RecordedSession): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of writer.write(session)) pieces.push(piece);
  return pieces.join('');
}

/** Reads a file and writes its session in another format, or in its own. */
export async function convert(
  reader: FormatReader,
  from: Source | string | Uint8Array,
  writer: FormatWriter,
): Promise<string> {
  return writeAll(writer, (await readAll(reader, from)).session);
}

/** A short form of entries: `> tools/call`, `< answers 3`, `stdio.stderr`, `turn`. */
export function outline(entries: readonly Entry[]): string[] {
  const requests = new Map<string, number>();
  return entries.map((entry) => {
    if (entry.kind === 'event') return entry.event;
    if (entry.kind === 'other') return entry.type ?? 'other';
    requests.set(entry.proxyId, entry.sequence);
    const { method } = readEnvelope(entry.text);
    const sent =
      method ?? (entry.correlatedId === undefined ? 'response' : `answers ${requests.get(entry.correlatedId)}`);
    return `${entry.direction === 'client_to_server' ? '>' : '<'} ${sent}`;
  });
}

const corpus = new URL('../corpus/', import.meta.url);

export function corpusNames(folder: string): string[] {
  return readdirSync(new URL(`${folder}/`, corpus)).sort();
}

export function corpusBytes(path: string): Uint8Array {
  return new Uint8Array(readFileSync(fileURLToPath(new URL(path, corpus))));
}

export function corpusText(path: string): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(corpusBytes(path));
}
