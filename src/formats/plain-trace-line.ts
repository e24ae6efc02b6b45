import type { Direction, Envelope, JsonText, MessageBody } from '../model/entry.ts';
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
  readonly body: MessageBody | undefined;
}

/** `{"t":"…","dir":"in","seq":0,"id":"…","corr":"…","raw":`, as mcpreel writes it, with strings that hold no escape. */
const HEAD =
  /\{"t":"[\dT:.Z-]{24}","dir":"(?:in|out)","seq":(?:0|[1-9]\d*),"id":"[ !#-[\]-\uffff]*",(?:"corr":"[ !#-[\]-\uffff]*",)?"raw":/y;
const TIME_START = '{"t":"'.length;
const TIME_END = TIME_START + 24;
const DIR_START = TIME_END + '","dir":"'.length;

/**
 * Reads a message line exactly as mcpreel writes one that was neither changed nor marked. Nearly all lines of a trace are
 * so, and knowing them at a glance makes reading a trace half again as fast. Whatever else a line may be, `undefined`
 * says that it wants a closer look.
 */
export function readPlainTraceLine(line: string): PlainTraceLine | undefined {
  HEAD.lastIndex = 0;
  if (!HEAD.test(line)) return undefined;
  const start = HEAD.lastIndex;
  const { envelope, body, end } = scanEnvelope(line, start);
  const isWhole = end === line.length - 1 && line.endsWith('}') && line.charAt(start) === '{';
  const atMs = isWhole ? parseTraceTime(line.slice(TIME_START, TIME_END)) : undefined;
  if (atMs === undefined) return undefined;
  const direction = line.startsWith('in"', DIR_START) ? 'client_to_server' : 'server_to_client';
  const idStart = line.indexOf('"id":"', DIR_START) + '"id":"'.length;
  const idEnd = line.indexOf('"', idStart);
  const corrStart = idEnd + '","corr":"'.length;
  const corrEnd = start - '","raw":'.length;
  return {
    atMs,
    direction,
    proxyId: line.slice(idStart, idEnd),
    correlatedId:
      corrStart <= corrEnd && line.startsWith('"corr"', idEnd + 2) ? line.slice(corrStart, corrEnd) : undefined,
    text: line.slice(start, end),
    envelope,
    body,
  };
}
