import { ObjectView } from '../../json/object-view.ts';
import type { FormatConfidence, FormatReader, FormatWriter } from '../format.ts';
import { readTrace } from './trace-reader.ts';
import { writeTrace } from './trace-writer.ts';

/** Reads and writes trace v1, mcpreel's own format: append-only JSON Lines, one server per file. */
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
