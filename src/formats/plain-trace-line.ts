import { decodeString, scanObject, scanValue } from '../json/scan.ts';
import type { Direction, Envelope, JsonText } from '../model/entry.ts';
import { parseTraceTime } from '../model/times.ts';
import { scanEnvelope } from '../protocol/envelope.ts';

/** A message line that has nothing but what every recorded message has. */
export interface PlainTraceLine {
  readonly atMs: number;
  readonly direction: Direction;
  readonly proxyId: string;
  readonly correlatedId: string | undefined;
  readonly text: JsonText;
  readonly envelope: Envelope;
}

/**
 * Reads a line of the members `t`, `dir`, `seq`, `id`, `corr` and `raw` alone, each as mcpreel writes it. Nearly all
 * lines of a trace are so, and reading them in one pass makes reading a trace half again as fast. Whatever else a line
 * may be, `undefined` says that it wants a closer look.
 */
export function readPlainTraceLine(line: string): PlainTraceLine | undefined {
  let isPlain = true;
  let time = '';
  let dir = '';
  let seq = '';
  let id = '';
  let corr = '';
  let text = '';
  let envelope: Envelope | undefined;
  const take = (before: string, start: number, end: number): string => {
    if (before !== '') isPlain = false;
    return line.slice(start, end);
  };
  const end = scanObject(line, 0, (key, start) => {
    if (key === 'raw') {
      const scanned = scanEnvelope(line, start);
      envelope = scanned.envelope;
      text = take(text, start, scanned.end);
      return scanned.end;
    }
    const valueEnd = scanValue(line, start);
    if (key === 't') time = take(time, start, valueEnd);
    else if (key === 'dir') dir = take(dir, start, valueEnd);
    else if (key === 'seq') seq = take(seq, start, valueEnd);
    else if (key === 'id') id = take(id, start, valueEnd);
    else if (key === 'corr') corr = take(corr, start, valueEnd);
    else isPlain = false;
    return isPlain ? valueEnd : NOT_PLAIN;
  });
  if (end !== line.length || !isPlain || envelope === undefined || !text.startsWith('{')) return undefined;
  if (!id.startsWith('"') || (corr !== '' && !corr.startsWith('"')) || !time.startsWith('"')) return undefined;
  const direction = dir === '"in"' ? 'client_to_server' : dir === '"out"' ? 'server_to_client' : undefined;
  const atMs = parseTraceTime(time.slice(1, -1));
  if (direction === undefined || atMs === undefined) return undefined;
  const correlatedId = corr === '' ? undefined : decodeString(corr);
  return { atMs, direction, proxyId: decodeString(id), correlatedId, text, envelope };
}

/** Any complement of an offset ends the scan. */
const NOT_PLAIN = ~0;
