import { existsSync } from 'node:fs';
import { decryptedSpool, isEncrypted } from '../files/age-decrypted.ts';
import { openFileSource } from '../files/file-source.ts';
import { gatherBytes } from '../files/gather-bytes.ts';
import { isPipe, isStandardInput, readPipe } from '../files/pipe-stream.ts';
import type { FilePieces } from '../files/replace-file.ts';
import { type Spool, spoolStream } from '../files/spool.ts';
import type { ReadOptions, ReadProblem } from '../formats/format.ts';
import { detectSource, readSource } from '../formats/registry.ts';
import { ReelError } from '../model/errors.ts';
import type { RecordedSession } from '../model/session.ts';
import { openTraceSource } from '../record/trace-source.ts';
import { findTrace, tooShortId } from './trace-names.ts';

/** Options for opening a session by path, by id or from standard input. */
export interface OpenOptions {
  /** A format's id. Detected from the content if absent or `auto`. */
  readonly format?: string | undefined;
  /** Called for each part of the file that could not be read, with the file's name. */
  readonly onProblem?: ((problem: ReadProblem & { readonly file: string }) => void) | undefined;
  /** The folder to search for sessions by id. */
  readonly stateFolder?: string | undefined;
  /** The stream to read for `-`. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
  /** Whether to replace invalid UTF-8 with U+FFFD instead of reporting an error. */
  readonly lossy?: boolean | undefined;
  /** Identity files for decrypting sessions that were encrypted with age. */
  readonly identityFiles?: readonly string[] | undefined;
}

/** An open session. `close` removes its temporary files. */
export interface OpenedSession extends RecordedSession {
  close(): Promise<void>;
}

/** Opens a session by its path, by the beginning of its id, or from standard input (`-`). */
export async function openSession(reference: string, options: OpenOptions = {}): Promise<OpenedSession> {
  return readOpened(await openSource(reference, options), options);
}

/** Reads a session from an open source, and removes the source's temporary files if that fails. */
export async function readOpened(
  { source, remove }: Spool,
  options: Pick<OpenOptions, 'format' | 'onProblem'> & Pick<ReadOptions, 'onPlaced'>,
): Promise<OpenedSession> {
  try {
    let firstSkipped: ReadProblem | undefined;
    const onProblem = (problem: ReadProblem): void => {
      if (problem.effect === undefined) firstSkipped ??= problem;
      options.onProblem?.({ ...problem, file: source.name });
    };
    const session = await readSource(source, { onProblem, onPlaced: options.onPlaced }, options.format);
    return { ...refusingNothing(session, source.name, () => firstSkipped), close: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The same session, which throws after the last entry if there were only parts that had to be skipped. */
function refusingNothing(
  session: RecordedSession,
  name: string,
  firstSkipped: () => ReadProblem | undefined,
): RecordedSession {
  return {
    ...session,
    async *batches() {
      let understood = false;
      for await (const batch of session.batches()) {
        understood ||= batch.some(({ kind }) => kind !== 'other');
        yield batch;
      }
      const skipped = firstSkipped();
      if (understood || skipped === undefined) return;
      throw new ReelError(
        'session-unreadable',
        `Cannot read any message in ${name}: ${skipped.place}: ${skipped.what}`,
      );
    },
  };
}

type SourceOptions = Pick<OpenOptions, 'format' | 'stateFolder' | 'stdin' | 'lossy' | 'identityFiles'>;

/**
 * Opens the bytes of a session by path, id or `-`. The parts of a trace are joined, and encrypted files are decrypted.
 */
export async function openSource(reference: string, options: SourceOptions): Promise<Spool> {
  const opened = await openBytes(reference, options);
  const readable = await replaced(opened, async ({ source }) =>
    (await isEncrypted(source))
      ? { ...(await decryptedSpool(source, options.identityFiles ?? [])), wasEncrypted: true }
      : opened,
  );
  if (!options.lossy) return readable;
  return replaced(readable, async ({ source, wasEncrypted = false }) => ({
    ...(await spoolStream(withoutInvalidUtf8(source.read(0, source.size)), source.name)),
    wasEncrypted,
  }));
}

/** Replaces a spool by another one made from it, or removes it if that fails. */
async function replaced(spool: Spool, make: (spool: Spool) => Promise<Spool>): Promise<Spool> {
  let made: Spool | undefined;
  try {
    made = await make(spool);
    return made;
  } finally {
    if (made !== spool) await spool.remove();
  }
}

async function openBytes(reference: string, { stdin, stateFolder, format = 'auto' }: SourceOptions): Promise<Spool> {
  const spool = (stream: FilePieces, name: string): Promise<Spool> =>
    spoolStream(format === 'auto' ? refusingOthers(stream, name) : stream, name);
  if (reference === '-' && stdin !== undefined) return spool(stdin, 'standard input');
  const path = (stateFolder && (await traceOf(reference, stateFolder))) || reference;
  if (isPipe(path)) return spool((isStandardInput(path) && stdin) || readPipe(path), path);
  try {
    const source = await (format === 'auto' || format === 'trace' ? openTraceSource(path) : openFileSource(path));
    return { source, remove: async () => undefined };
  } catch (error) {
    const isMissing = error instanceof ReelError && error.code === 'file-not-found';
    throw (isMissing && stateFolder && tooShortId(reference)) || error;
  }
}

/** More than detection reads. */
const JUDGED_BYTES = 1 << 20;

/** The same stream, which fails early if it does not begin like a recording: it may never end. */
async function* refusingOthers(stream: FilePieces, name: string): AsyncGenerator<Uint8Array> {
  const head: Uint8Array[] = [];
  let size = 0;
  for await (const bytes of gatherBytes(stream)) {
    if (size <= JUDGED_BYTES) {
      head.push(Buffer.from(bytes));
      size += bytes.length;
      if (size > JUDGED_BYTES) await refuseOther(Buffer.concat(head.splice(0)), name);
    }
    yield bytes;
  }
}

/** Throws if no reader knows a file by its beginning. */
async function refuseOther(head: Buffer, name: string): Promise<void> {
  const read = async function* (start: number, end: number): AsyncGenerator<Uint8Array> {
    yield head.subarray(start, end);
  };
  const readNow = (start: number, end: number): Buffer => head.subarray(start, end);
  const source = { name, size: head.length + 1, read, readNow };
  if ((await isEncrypted(source)) || (await detectSource(source)) !== undefined) return;
  await readSource(source, { onProblem: () => undefined });
}

async function traceOf(reference: string, stateFolder: string): Promise<string | undefined> {
  try {
    return await findTrace(stateFolder, reference);
  } catch (error) {
    // A file needs no state folder.
    if (error instanceof ReelError && error.code === 'file-unreadable' && existsSync(reference)) return undefined;
    throw error;
  }
}

async function* withoutInvalidUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}
