import { ObjectView } from '../../json/object-view.ts';
import type { Direction } from '../../model/entry.ts';
import { parseTime } from '../../model/times.ts';
import { candidatesInLines } from '../candidates.ts';
import type { FormatConfidence, FormatReader } from '../format.ts';
import { type CapturePass, presentIn, readCapture, recordsInHead, unknownMembers } from './foreign-capture.ts';

/** Reads recordings by mcp-rec: `{"ts":…,"dir":"client->server","msg":…}` per line, with the time in seconds. */
export const mcpRec: FormatReader = {
  id: 'mcp-rec',
  title: 'mcp-rec recording (JSON Lines)',
  detect,
  read: (source, options) =>
    readCapture(source, options, { format: 'mcp-rec', records: (report) => candidatesInLines(source, report), begin }),
};

const DIRECTIONS: ReadonlyMap<string, Direction> = new Map([
  ['client->server', 'client_to_server'],
  ['server->client', 'server_to_client'],
]);

function detect(head: string): FormatConfidence {
  const first = recordsInHead(head)[0];
  return first?.has('ts') && DIRECTIONS.has(first.string('dir') ?? '') ? 'certain' : 'no';
}

function begin(pass: CapturePass): (record: ObjectView) => void {
  return (record) => {
    pass.at(timeOf(record), 'ts');
    const dir = record.string('dir') ?? '';
    const direction = DIRECTIONS.get(dir);
    const message = presentIn(record, 'msg');
    if (direction === undefined && message !== undefined) {
      pass.withoutDirection('dir', DIRECTIONS.keys(), record);
      return;
    }
    if (direction === undefined || message === undefined) {
      if (direction !== undefined) pass.problem('msg is missing');
      pass.record(dir, record);
      return;
    }
    const noise = unparsedIn(message);
    if (noise !== undefined) pass.noise(direction, noise);
    else pass.message(message, { direction, kept: unknownMembers(record, ['ts', 'dir', 'msg']) });
  };
}

function timeOf(record: ObjectView): number | undefined {
  const seconds = record.number('ts');
  const text = record.string('ts');
  if (seconds !== undefined) return seconds * 1000;
  return text === undefined ? undefined : parseTime(text);
}

/**
 * Returns the literal of a line that was not JSON. mcp-rec stores it as `{"_raw":"…","_unparsed":true}` in place of a
 * message.
 */
function unparsedIn(message: string): string | undefined {
  const view = message.includes('"_unparsed"') ? ObjectView.of(message) : undefined;
  const raw = view?.textOf('_raw');
  return view?.value('_unparsed') === true && raw?.startsWith('"') ? raw : undefined;
}
