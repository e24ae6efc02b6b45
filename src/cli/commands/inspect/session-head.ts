import type { SessionHeader } from '../../../model/session.ts';
import { oneLine } from '../../../present/visible-text.ts';

/** The lines above what is printed about a session. */
export function sessionHead({ id, label }: SessionHeader): string {
  return `Session: ${oneLine(id)}\nServer: ${oneLine(label)}\n`;
}
