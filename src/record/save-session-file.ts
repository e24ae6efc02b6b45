import { replaceFile } from '../files/replace-file.ts';
import { sessionFile } from '../formats/session-file/session-file.ts';
import { trace } from '../formats/trace/trace.ts';
import { removeAt } from '../json/splice.ts';
import type { RecordedSession } from '../model/session.ts';
import { firstPartOf } from './trace-parts.ts';
import { openTraceSource } from './trace-source.ts';

/** Writes the session file of a trace atomically. If `givingUp` aborts, the existing file stays. */
export async function saveSessionFile(tracePath: string, path: string, givingUp?: AbortSignal): Promise<void> {
  await replaceFile(path, until(givingUp, await sessionFileOf(tracePath)));
}

/** The text of the session file of a trace. */
export async function sessionFileOf(tracePath: string): Promise<AsyncIterable<string>> {
  const session = await trace.read(await openTraceSource(tracePath), { onProblem: () => undefined });
  return sessionFile.write(withoutPlace(session));
}

/** The path of the session file that is recovered from a trace, given the path of any part. */
export function recoveredPath(tracePath: string): string {
  return `${(firstPartOf(tracePath) ?? tracePath).replace(/\.jsonl$/, '')}.json`;
}

/** Removes the paths of the session file and of the working folder from the header: session files are shared. */
export function withoutPlace<Session extends RecordedSession>(session: Session): Session {
  const { header } = session;
  const kept = header.keepsakes?.trace;
  if (kept === undefined) return session;
  const rest = ['sessionFile', 'cwd'].reduce((text, key) => removeAt(text, [key]) ?? text, kept);
  return { ...session, header: { ...header, keepsakes: { ...header.keepsakes, trace: rest } } };
}

async function* until(givingUp: AbortSignal | undefined, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    givingUp?.throwIfAborted();
    yield piece;
  }
}
