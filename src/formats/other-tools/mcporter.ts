import type { ObjectView } from '../../json/object-view.ts';
import { removeAt } from '../../json/splice.ts';
import type { Direction } from '../../model/entry.ts';
import { parseTime } from '../../model/times.ts';
import { candidatesInLines } from '../candidates.ts';
import type { FormatConfidence, FormatReader } from '../format.ts';
import { type CapturePass, readCapture, recordsInHead, unknownMembers } from './foreign-capture.ts';

/**
 * Reads recordings by mcporter, in which each line is a message with an added `_meta`. The message's text is the line
 * without it.
 */
export const mcporter: FormatReader = {
  id: 'mcporter',
  title: 'mcporter recording (NDJSON)',
  detect,
  read: (source, options) =>
    readCapture(source, options, { format: 'mcporter', records: (report) => candidatesInLines(source, report), begin }),
};

const DIRECTIONS: ReadonlyMap<string, Direction> = new Map([
  ['send', 'client_to_server'],
  ['recv', 'server_to_client'],
]);

function detect(head: string): FormatConfidence {
  const meta = recordsInHead(head)[0]?.object('_meta');
  const isOurs = /^(send|recv|lifecycle)$/.test(meta?.string('dir') ?? '') && meta?.string('server') !== undefined;
  return isOurs ? 'certain' : 'no';
}

function begin(pass: CapturePass): (record: ObjectView) => void {
  return (record) => {
    const meta = record.object('_meta');
    const dir = meta?.string('dir') ?? '';
    const direction = DIRECTIONS.get(dir);
    const ts = meta?.string('ts');
    pass.at(ts === undefined ? undefined : parseTime(ts), '_meta.ts');
    const server = meta?.string('server');
    pass.know({ label: server });
    const text = direction && removeAt(record.text.trim(), ['_meta']);
    if (direction === undefined && dir !== 'lifecycle')
      pass.withoutDirection('dir', [...DIRECTIONS.keys(), 'lifecycle'], record, meta);
    else if (direction === undefined || text === undefined) pass.record(dir, record);
    else {
      pass.message(text, {
        direction,
        // One file contains the traffic of all servers, each of which has its own ids.
        conversation: pass.numberOf('server', server ?? '') || undefined,
        kept: unknownMembers(meta, ['dir', 'ts']),
      });
    }
  };
}
