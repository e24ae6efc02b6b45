import { isEncrypted } from '../files/age-decrypted.ts';
import { openFileSource } from '../files/file-source.ts';
import { replaceFile } from '../files/replace-file.ts';
import { writerFor } from '../formats/registry.ts';
import { ReelError } from '../model/errors.ts';
import type { RecordedSession } from '../model/session.ts';
import { partsOf } from '../record/trace-parts.ts';

/** The formats that hold a complete session, so that it can be rewritten without loss. */
const WHOLE: ReadonlySet<string> = new Set(['json', 'trace']);

/** Throws if a recording's file cannot be rewritten without losing something. */
export async function assertRewritable(path: string, format: string): Promise<void> {
  if (await isEncrypted(await openFileSource(path))) throw refusal(path, 'it is encrypted', 'Decrypt it first.');
  if (!WHOLE.has(format)) {
    const hint = 'Convert it to a session file first: mcpreel export -f json';
    throw refusal(path, `it is in the format ${format}`, hint);
  }
  const { length } = await partsOf(path);
  // The other parts would remain and duplicate its content.
  if (length > 1) throw refusal(path, `it is one of ${length} parts`, 'Merge them first: mcpreel export -f json');
}

/** Writes a recording in its own format, atomically. */
export async function saveRecording(session: RecordedSession, path: string): Promise<void> {
  await replaceFile(path, writerFor(session.format).write(session));
}

function refusal(path: string, why: string, hint: string): ReelError {
  return new ReelError('usage', `Cannot rewrite ${path}: ${why}`, { hint });
}
