import { type OpenedSession, type OpenOptions, openSource, readOpened } from '../../../catalog/open-session.ts';
import type { Spool } from '../../../files/spool.ts';
import type { CommandEnvironment } from '../../context.ts';
import { completeTraces } from './complete-traces.ts';

type OpenWatcher = Pick<CommandEnvironment, 'progress' | 'stateFolder' | 'pid' | 'kill'>;

/** Opens a session by path, by id prefix or from standard input, and shows reading progress. */
export async function openWatchedSession(
  reference: string,
  options: OpenOptions,
  watcher: OpenWatcher,
): Promise<OpenedSession> {
  return readOpened(await openWatchedSource(reference, options, watcher), options);
}

/** The same for the raw bytes. */
export async function openWatchedSource(reference: string, options: OpenOptions, watcher: OpenWatcher): Promise<Spool> {
  const { progress } = watcher;
  await completeTraces(watcher, reference);
  if (progress === undefined) return openSource(reference, options);
  const stdin = options.stdin && progress.stream(options.stdin, 'standard input');
  const opened = await openSource(reference, { ...options, stdin });
  return { ...opened, source: progress.source(opened.source) };
}
