import { type OpenedSession, type OpenOptions, openSource, readOpened } from '../../../catalog/open-session.ts';
import type { Spool } from '../../../files/spool.ts';
import type { Context } from '../../context.ts';

type Watcher = Pick<Context, 'progress'>;

/** Opens a session by its path, by the beginning of its id, or from standard input, and shows how far reading it is. */
export async function openWatchedSession(
  reference: string,
  options: OpenOptions,
  watcher: Watcher,
): Promise<OpenedSession> {
  return readOpened(await openWatchedSource(reference, options, watcher), options);
}

/** The same for its bytes. */
export async function openWatchedSource(
  reference: string,
  options: OpenOptions,
  { progress }: Watcher,
): Promise<Spool> {
  if (progress === undefined) return openSource(reference, options);
  const stdin = options.stdin && progress.stream(options.stdin, 'standard input');
  const opened = await openSource(reference, { ...options, stdin });
  return { ...opened, source: progress.source(opened.source) };
}
