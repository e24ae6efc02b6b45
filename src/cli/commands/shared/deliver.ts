import { gatherBytes } from '../../../files/gather-bytes.ts';
import { replaceFile } from '../../../files/replace-file.ts';
import { spoolStream } from '../../../files/spool.ts';
import type { CommandStep } from '../../command-run.ts';

/** Writes the result completely or not at all, even on standard output (if there is no target). */
export async function* deliver(pieces: AsyncIterable<string | Uint8Array>, target: string | undefined): CommandStep {
  if (target !== undefined) return replaceFile(target, pieces);
  const { source, remove } = await spoolStream(pieces, 'result');
  try {
    yield* gatherBytes(source.read(0, source.size));
  } finally {
    await remove();
  }
}
