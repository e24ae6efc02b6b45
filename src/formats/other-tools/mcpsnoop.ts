import type { ObjectView } from '../../json/object-view.ts';
import type { Direction } from '../../model/entry.ts';
import { parseTime } from '../../model/times.ts';
import { candidatesInLines } from '../candidates.ts';
import type { FormatConfidence, FormatReader } from '../format.ts';
import { type CapturePass, presentIn, readCapture, recordsInHead, unknownMembers } from './foreign-capture.ts';

/** Reads session logs of mcpsnoop: one envelope per line, with the exact message in `raw`. */
export const mcpsnoop: FormatReader = {
  id: 'mcpsnoop',
  title: 'mcpsnoop session log (JSON Lines)',
  detect,
  read: (source, options) =>
    readCapture(source, options, { format: 'mcpsnoop', records: (report) => candidatesInLines(source, report), begin }),
};

const DIRECTIONS: ReadonlyMap<string, Direction> = new Map([
  ['c2s', 'client_to_server'],
  ['s2c', 'server_to_client'],
]);
const BESIDE_MESSAGES: ReadonlySet<string> = new Set(['stderr', 'meta']);
const KNOWN = ['session_id', 'seq', 'ts', 'direction', 'transport', 'raw', 'text'];

function detect(head: string): FormatConfidence {
  const first = recordsInHead(head)[0];
  const direction = first?.string('direction') ?? '';
  return first?.has('session_id') && /^(c2s|s2c|stderr|meta)$/.test(direction) ? 'certain' : 'no';
}

function begin(pass: CapturePass): (record: ObjectView) => void {
  return (record) => {
    const ts = record.string('ts');
    pass.at(ts === undefined ? undefined : parseTime(ts), 'ts');
    const transport = record.string('transport');
    pass.know({
      id: record.string('session_id'),
      label: record.string('server_label'),
      transport: transport === 'http' ? 'streamable-http' : transport,
    });
    const name = record.string('direction') ?? '';
    const direction = DIRECTIONS.get(name);
    const raw = presentIn(record, 'raw');
    const text = record.textOf('text');
    if (direction !== undefined && raw !== undefined) takeMessage(pass, record, direction, raw);
    else if (direction !== undefined && text?.startsWith('"')) pass.noise(direction, text);
    else if (name === 'stderr' && text?.startsWith('"')) {
      pass.event('stdio.stderr', `{"text":${text}}`, unknownMembers(record, KNOWN));
    } else if (direction === undefined && !BESIDE_MESSAGES.has(name) && raw !== undefined) {
      pass.withoutDirection('direction', [...DIRECTIONS.keys(), ...BESIDE_MESSAGES], record);
    } else {
      // An HTTP response without a body has a status instead.
      if (direction !== undefined && !record.has('status')) pass.problem('raw is missing');
      else if (name === 'stderr') pass.problem('text is missing');
      // The first record of a session contains the wrapped command.
      if (name === 'meta') pass.know({ command: record.object('raw')?.strings('command') });
      pass.record(name, record);
    }
  };
}

function takeMessage(pass: CapturePass, record: ObjectView, direction: Direction, raw: string): void {
  const connection = record.string('conn_id');
  pass.message(raw, {
    direction,
    // A log may contain several sessions, whose ids are independent of each other.
    conversation: pass.numberOf('session', record.string('session_id') ?? '') || undefined,
    // A client has several connections, and several clients use the same ids on theirs.
    seenOn: connection === undefined ? undefined : pass.numberOf('connection', connection),
    kept: unknownMembers(record, KNOWN),
  });
}
