import { type FileSource, openFileSource } from '../files/file-source.ts';
import { joinSources } from '../files/joined-source.ts';
import { ReelError } from '../model/errors.ts';
import { partsOf } from './trace-parts.ts';

/** Opens a trace by the path of any of its parts and joins all existing parts. Other files are opened unchanged. */
export async function openTraceSource(path: string): Promise<FileSource> {
  const parts = await partsOf(path);
  if (parts.length === 1) return openFileSource(parts[0] ?? path);
  const sources: FileSource[] = [];
  for (const part of parts) {
    const source = await openUnlessRemoved(part);
    if (source !== undefined) sources.push(source);
  }
  return joinSources(sources, `${path} (${sources.length} parts)`);
}

async function openUnlessRemoved(path: string): Promise<FileSource | undefined> {
  try {
    return await openFileSource(path);
  } catch (error) {
    if (error instanceof ReelError && error.code === 'file-not-found') return undefined;
    throw error;
  }
}
