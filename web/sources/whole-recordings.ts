import { partNumberOf } from '../../src/formats/trace/rotation-gaps.ts';
import { ObjectView } from '../../src/json/object-view.ts';
import type { FileToOpen } from '../model/file-to-open.ts';

/** No genuine meta line is this long. */
const MAX_META = 1 << 16;

interface RecordingPart {
  readonly session: string;
  readonly number: number;
}

/** Joins the files that are parts of one rotated trace. */
export async function wholeRecordings(files: readonly FileToOpen[]): Promise<FileToOpen[]> {
  if (files.length < 2) return [...files];
  const parts = await Promise.all(
    // The program that serves a file has joined its parts.
    files.map(async ({ blob, remote }) => (remote === undefined ? partIn(blob) : undefined)),
  );
  const whole: FileToOpen[] = [];
  const joined = new Set<string>();
  for (const [index, file] of files.entries()) {
    const part = parts[index];
    if (part === undefined) whole.push(file);
    else if (!joined.has(part.session)) {
      joined.add(part.session);
      const siblings = files
        .map((sibling, place) => ({ sibling, part: parts[place] }))
        .filter((candidate) => candidate.part?.session === part.session)
        .sort((a, b) => (a.part?.number ?? 0) - (b.part?.number ?? 0));
      whole.push(await join(siblings.map(({ sibling }) => sibling)));
    }
  }
  return whole;
}

async function partIn(blob: Blob): Promise<RecordingPart | undefined> {
  const head = await blob.slice(0, MAX_META).text();
  const meta = ObjectView.of(head.slice(0, head.indexOf('\n')));
  const session = meta?.string('id');
  const number = meta?.string('type') === 'meta' ? partNumberOf(meta) : undefined;
  return session === undefined || number === undefined ? undefined : { session, number };
}

/** Adds a line feed to a part that was cut off within a line, so that the next part begins a new line. */
async function join(parts: readonly FileToOpen[]): Promise<FileToOpen> {
  const [first] = parts;
  if (first === undefined || parts.length === 1) return first ?? { name: '', blob: new Blob() };
  const pieces: (Blob | string)[] = [];
  for (const { blob } of parts) {
    pieces.push(blob);
    if ((await blob.slice(-1).text()) !== '\n') pieces.push('\n');
  }
  return { name: `${first.name} (${parts.length} parts)`, blob: new Blob(pieces) };
}

const AGE = 'age-encryption.org/v1\n';
const AGE_ARMOR = '-----BEGIN AGE ENCRYPTED FILE-----';

/** Whether a file is encrypted with age, armored or not. */
export async function isEncrypted(blob: Blob): Promise<boolean> {
  const head = await blob.slice(0, 256).text();
  return head.startsWith(AGE) || head.trimStart().startsWith(AGE_ARMOR);
}
