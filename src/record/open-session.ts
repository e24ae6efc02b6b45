import type { Problem } from '../formats/format.ts';
import { readSource } from '../formats/registry.ts';
import { ReelError } from '../model/errors.ts';
import type { RecordedSession } from '../model/session.ts';
import { type FileSource, openFileSource } from '../state/file-source.ts';
import { spoolStream } from '../state/spool.ts';
import { tracesById } from './catalogue.ts';

export interface OpenOptions {
  /** A format's id; detected from the content if absent or `auto`. */
  readonly format?: string | undefined;
  /** Told of each part that could not be taken, with the name of the file. */
  readonly onProblem?: ((problem: Problem & { readonly file: string }) => void) | undefined;
  /** Where sessions are looked up by id. */
  readonly stateFolder?: string | undefined;
  /** What `-` stands for. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
  /** Whether bytes that are no UTF-8 are replaced (by U+FFFD) instead of being a fault. */
  readonly lossy?: boolean | undefined;
}

/** A session that is open, and the means to clear away what was needed for it. */
export interface OpenedSession extends RecordedSession {
  close(): Promise<void>;
}

/** Opens a session by its path, by the beginning of its id, or from standard input (`-`). */
export async function openSession(reference: string, options: OpenOptions = {}): Promise<OpenedSession> {
  const { source, remove } = await sourceFor(reference, options);
  try {
    const onProblem = (problem: Problem): void => options.onProblem?.({ ...problem, file: source.name });
    const session = await readSource(source, { onProblem }, options.format);
    return { ...session, close: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

interface Located {
  readonly source: FileSource;
  remove(): Promise<void>;
}

async function sourceFor(reference: string, options: OpenOptions): Promise<Located> {
  const clean = options.lossy ? withoutInvalidUtf8 : (bytes: AsyncIterable<Uint8Array>) => bytes;
  if (reference === '-' && options.stdin !== undefined) return spoolStream(clean(options.stdin), 'standard input');
  const path = (await pathById(reference, options.stateFolder)) ?? reference;
  const source = await openFileSource(path);
  if (options.lossy) return spoolStream(clean(source.read(0, source.size)), source.name);
  return { source, remove: async () => undefined };
}

async function* withoutInvalidUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

/** At least four digits of an id, so that a short file name is not taken for one. */
const ID_PREFIX = /^[\da-f]{4,8}(-[\da-f-]*)?$/i;

/** A trace's file name has the beginning of its id; the whole is only in the file. */
const DIGITS_IN_NAME = 8;

async function pathById(reference: string, stateFolder: string | undefined): Promise<string | undefined> {
  if (stateFolder === undefined || !ID_PREFIX.test(reference)) return undefined;
  const named = await tracesById(stateFolder, reference);
  const paths = reference.length > DIGITS_IN_NAME ? await havingId(named, reference.toLowerCase()) : named;
  if (paths.length > 1) {
    throw new ReelError('session-not-found', `${paths.length} sessions have an id that begins with ${reference}.`, {
      hint: 'Give more of the id, or the path of the trace.',
    });
  }
  return paths[0];
}

async function havingId(paths: readonly string[], prefix: string): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const { header } = await readSource(await openFileSource(path), { onProblem: () => undefined });
    if (header.id.toLowerCase().startsWith(prefix)) found.push(path);
  }
  return found;
}
