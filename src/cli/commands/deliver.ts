import { replaceFile } from '../../state/replace-file.ts';
import { spoolStream } from '../../state/spool.ts';
import type { Output } from '../output.ts';

/** Writes the result whole or not at all, on standard output (where no target is given) too. */
export async function deliver(
  pieces: AsyncIterable<string | Uint8Array>,
  target: string | undefined,
  output: Output,
): Promise<void> {
  if (target !== undefined) return replaceFile(target, pieces);
  const { source, remove } = await spoolStream(pieces, 'result');
  try {
    await output.pieces(source.read(0, source.size));
  } finally {
    await remove();
  }
}
