import { PLAIN } from '../../json/small-values.ts';
import type { Direction, Envelope, JsonText, MessageBody } from '../../model/entry.ts';
import { parseTraceTime } from '../../model/times.ts';
import { scanEnvelope } from '../../protocol/envelope.ts';

/** A message line with only the members that every recorded message has. */
export interface PlainTraceLine {
  readonly atMs: number;
  readonly direction: Direction;
  readonly proxyId: string;
  readonly correlatedId: string | undefined;
  readonly upTo: JsonText | undefined;
  readonly text: JsonText;
  readonly envelope: Envelope;
  readonly body: MessageBody | undefined;
}

/**
 * `{"t":"…","dir":"in","seq":0,"id":"…","corr":"…","upto":["in",9],"raw":`, as mcpreel writes it, with strings that contain
 * no escapes.
 */
const HEAD = new RegExp(
  String.raw`\{"t":"([\dT:.Z-]{24})","dir":"(in|out)","seq":(?:0|[1-9]\d*),"id":"(${PLAIN})",(?:"corr":"(${PLAIN})",)?(?:"upto":(\["[a-z\d-]+",\d+\]),)?"raw":`,
  'y',
);

/**
 * Reads a message line that mcpreel wrote for a message without changes or marks. Nearly all lines of a trace are like
 * this, and this fast path makes reading a trace 1.5 times as fast. Returns `undefined` for any other line, which needs
 * the full parser.
 */
export function readPlainTraceLine(line: string): PlainTraceLine | undefined {
  HEAD.lastIndex = 0;
  const head = HEAD.exec(line);
  if (head === null) return undefined;
  const [{ length: start }, time = '', dir, proxyId = '', correlatedId, upTo] = head;
  const { envelope, body, end } = scanEnvelope(line, start);
  const isWhole = end === line.length - 1 && line.endsWith('}') && line.charAt(start) === '{';
  const atMs = isWhole ? parseTraceTime(time) : undefined;
  if (atMs === undefined) return undefined;
  const direction = dir === 'in' ? 'client_to_server' : 'server_to_client';
  return { atMs, direction, proxyId, correlatedId, upTo, text: line.slice(start, end), envelope, body };
}
