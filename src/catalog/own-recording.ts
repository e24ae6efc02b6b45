import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UnknownFieldKeeper } from '../formats/unknown-fields.ts';
import { ObjectView } from '../json/object-view.ts';
import type { RecordedSession, SessionHeader } from '../model/session.ts';
import { sessionsFolder } from '../state/home.ts';
import { foreignStateFolder } from '../state/own-state.ts';
import { idDigitsIn } from './trace-names.ts';

/** The member of a trace's first line that marks a recording as imported. */
const IMPORTED = 'imported';

/**
 * Whether mcpreel recorded this session here: its trace is in the state folder, under a name that a recorder gives, and
 * no import wrote it. Any other recording may have been made by another user.
 */
export function isOwnRecording(
  path: string,
  { format, header }: Pick<RecordedSession, 'format' | 'header'>,
  stateFolder: string,
): boolean {
  const isImported = ObjectView.of(header.keepsakes?.trace ?? '{}')?.has(IMPORTED) === true;
  const isNamed = format === 'trace' && idDigitsIn(basename(path)) !== undefined && !isImported;
  return isNamed && isInSessions(path, stateFolder) && foreignStateFolder(stateFolder, 'sessions') === undefined;
}

/** Whether a file is or would be in the state folder's sessions, whatever links lead there. */
export function isInSessions(path: string, stateFolder: string): boolean {
  try {
    return dirname(resolved(path)) === realpathSync(sessionsFolder(stateFolder));
  } catch {
    return false;
  }
}

/** Marks a header as imported. */
export function importedHeader(header: SessionHeader): SessionHeader {
  const keeper = new UnknownFieldKeeper();
  const view = ObjectView.of(header.keepsakes?.trace ?? '{}');
  for (const { key, start, end } of view?.members ?? []) keeper.keep(key, view?.text.slice(start, end) ?? '');
  keeper.keep(IMPORTED, 'true');
  return { ...header, keepsakes: { ...header.keepsakes, trace: keeper.text } };
}

/** The real path of a file that may not exist yet. */
function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return join(realpathSync(dirname(path)), basename(path));
  }
}
