import { ObjectView } from '../../json/object-view.ts';
import type { FormatConfidence, FormatReader, FormatWriter } from '../format.ts';
import { readSessionFile } from './session-file-reader.ts';
import { writeSessionFile } from './session-file-writer.ts';

/** Reads and writes a session as one JSON document. */
export const sessionFile: FormatReader & FormatWriter = {
  id: 'json',
  title: 'Session file (JSON)',
  loses: [],
  detect,
  read: readSessionFile,
  write: writeSessionFile,
};

const OWN_KEYS = ['id', 'started_at', 'ended_at', 'transport', 'server_command', 'server_url', 'metadata'];

function detect(head: string): FormatConfidence {
  const text = head.replace(/^\uFEFF/, '');
  const first = ObjectView.ofHead(text);
  const ownKeys = OWN_KEYS.filter((key) => first.has(key)).length;
  if (first.has('started_at') && first.has('transport')) return 'certain';
  if (first.has('messages') || first.openMember()?.key === 'messages') return ownKeys > 0 ? 'certain' : 'likely';
  return ownKeys >= 3 ? 'likely' : 'no';
}
