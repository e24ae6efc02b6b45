import { ObjectView } from '../../json/object-view.ts';
import type { FormatConfidence, FormatReader, FormatWriter } from '../format.ts';
import { readTrace } from './trace-reader.ts';
import { writeTrace } from './trace-writer.ts';

/** Trace v1: JSON Lines, append-only, one server per file. mcpreel's own format. */
export const trace: FormatReader & FormatWriter = {
  id: 'trace',
  title: 'Trace v1 (JSON Lines)',
  loses: [],
  detect,
  read: readTrace,
  write: writeTrace,
};

function detect(head: string): FormatConfidence {
  const line = head.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  const first = ObjectView.ofHead(line.replace(/^\uFEFF/, ''));
  if (first.string('type') === 'meta' && first.has('v')) return 'certain';
  if (first.has('t') && (first.has('dir') || first.has('type'))) return 'certain';
  return 'no';
}
