import type { MessageEntry } from '../../model/entry.ts';
import { numberText } from '../../model/message-number.ts';
import type { RecordedSession } from '../../model/session.ts';

/** What numbers the messages of a transcript, in a word. */
export function sourceUnitOf({ sourceUnit }: Pick<RecordedSession, 'sourceUnit'>): string {
  return sourceUnit ?? 'line';
}

/** The place of a message in its file: `line 3`, `element 3`, `entry 3` or `message #002`. */
export function sourcePlace(sourceLine: number, session: Pick<RecordedSession, 'sourceUnit'>): string {
  const { sourceUnit } = session;
  return sourceUnit === 'message' ? `message ${numberText(sourceLine - 1)}` : `${sourceUnitOf(session)} ${sourceLine}`;
}

/** The number of a message's line, element or entry. */
export function sourceLineOf({ sourceLine, sequence }: MessageEntry): number {
  return sourceLine ?? sequence + 1;
}

/** The same place in the errors of the import contract, which calls lines `source line`. */
export function contractPlace(place: string): string {
  return place.startsWith('line ') ? `source ${place}` : place;
}
