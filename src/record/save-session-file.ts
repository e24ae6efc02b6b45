import { sessionFile } from '../formats/session-file.ts';
import { trace } from '../formats/trace.ts';
import { openFileSource } from '../state/file-source.ts';
import { replaceFile } from '../state/replace-file.ts';

/** Writes the session file of a trace, complete or not at all. */
export async function saveSessionFile(tracePath: string, sessionFilePath: string): Promise<void> {
  const session = await trace.read(await openFileSource(tracePath), { onProblem: () => undefined });
  await replaceFile(sessionFilePath, sessionFile.write(session));
}
