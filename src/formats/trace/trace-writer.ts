import { onOneLine } from '../../json/layout.ts';
import { ObjectView } from '../../json/object-view.ts';
import { encodeString } from '../../json/scan.ts';
import type { Entry, EventEntry, JsonText, MessageEntry } from '../../model/entry.ts';
import type { RecordedSession, SessionFooter, SessionHeader } from '../../model/session.ts';
import { formatTraceTime } from '../../model/times.ts';
import { PIECE_LENGTH } from '../format.ts';
import { compactObject, type UnknownField, withKept } from '../unknown-fields.ts';

/** Writes the first line of a trace. */
export function metaLine(header: SessionHeader): JsonText {
  return line(withKept(metaFields(header), header.keepsakes?.trace));
}

export function metaFields(header: SessionHeader): UnknownField[] {
  const { url } = header;
  const fields: UnknownField[] = [
    ['"v"', '1'],
    ['"type"', '"meta"'],
    ['"startedAt"', encodeString(formatTraceTime(header.startedAtMs))],
    ['"label"', encodeString(header.label)],
    ['"command"', JSON.stringify(url === undefined ? header.command : [url])],
    ['"id"', encodeString(header.id)],
    ['"transport"', encodeString(header.transport)],
  ];
  if (url !== undefined) fields.push(['"url"', encodeString(url)]);
  fields.push(['"metadata"', header.metadata]);
  if (header.keepsakes?.session !== undefined) fields.push(['"extra"', header.keepsakes.session]);
  if (header.keepsakes?.transcript !== undefined) fields.push(['"transcript"', header.keepsakes.transcript]);
  return fields;
}

/**
 * Writes the line of one entry. `seq` counts every entry of the trace. `idText` may be a faster encoder for ids that
 * need no escaping.
 */
export function entryLine(entry: Entry, seq: number, idText: (id: string) => JsonText = encodeString): JsonText {
  switch (entry.kind) {
    case 'message':
      return messageLine(entry, seq, idText);
    case 'event':
      return eventLine(entry, seq);
    case 'other':
      return onOneLine(entry.text);
  }
}

/** The reason of an end whose exit code is not known. Its code is then 0. */
export const UNKNOWN_EXIT = 'unknown';

/** Marks an end whose exit code is not known and that has another reason. */
export const EXIT_CODE_UNKNOWN = 'exitCodeUnknown';

/** Writes the last line of a trace. */
export function endLine(footer: SessionFooter): JsonText {
  const fields = withKept(endFields(footer), footer.keepsakes?.trace);
  const hasMark = footer.exitCode !== undefined || new Map(fields).get('"reason"') === `"${UNKNOWN_EXIT}"`;
  return line(hasMark ? fields : [...fields, [`"${EXIT_CODE_UNKNOWN}"`, 'true']]);
}

export function endFields(footer: SessionFooter): UnknownField[] {
  const fields: UnknownField[] = [
    ['"t"', encodeString(formatTraceTime(footer.endedAtMs))],
    ['"type"', '"end"'],
    // The format requires a code, even if none is known.
    ['"exitCode"', String(footer.exitCode ?? 0)],
  ];
  if (footer.signal !== undefined) fields.push(['"signal"', encodeString(footer.signal)]);
  const reason = footer.reason ?? (footer.exitCode === undefined ? UNKNOWN_EXIT : undefined);
  if (reason !== undefined) fields.push(['"reason"', encodeString(reason)]);
  fields.push(['"durationMs"', String(footer.durationMs ?? 0)]);
  return fields;
}

function messageLine(entry: MessageEntry, seq: number, idText: (id: string) => JsonText): JsonText {
  const dir = entry.direction === 'client_to_server' ? 'in' : 'out';
  const id = idText(entry.proxyId);
  const corr = entry.correlatedId === undefined ? '' : `,"corr":${idText(entry.correlatedId)}`;
  const upTo = entry.upTo === undefined ? '' : `,"upto":${entry.upTo}`;
  const head = `{"t":"${formatTraceTime(entry.atMs)}","dir":"${dir}","seq":${seq},"id":${id}${corr}${upTo}`;
  const more = isPlain(entry) ? undefined : optionalFields(entry);
  // Only the text can contain a line break here, and it is not copied.
  if (more === undefined) return `${head},"raw":${onOneLine(entry.text)}}`;
  if (entry.keepsakes === undefined) return `${head}${onOneLine(members(more))},"raw":${onOneLine(entry.text)}}`;
  const plain = `${head}}`;
  const own = ObjectView.of(plain)?.members ?? [];
  const fields = own.map(({ key, start, end }): UnknownField => [`"${key}"`, plain.slice(start, end)]);
  return endingWithRaw(compactObject(withKept([...fields, ...more], entry.keepsakes?.trace)), entry.text);
}

/** Returns whether a message has no optional fields, like nearly all recorded messages. */
function isPlain(entry: MessageEntry): boolean {
  return (
    entry.batch === undefined &&
    entry.keepsakes === undefined &&
    entry.http === undefined &&
    entry.sse === undefined &&
    entry.conversation === undefined &&
    entry.original === undefined &&
    entry.sentText === undefined &&
    !entry.modified &&
    !entry.dropped &&
    !entry.injected
  );
}

/** The name of a client among several, for readers that pair messages by id and source. */
export function sourceText(conversation: number): JsonText {
  return `"client-${conversation}"`;
}

/** Returns the fields that only some messages have. */
function optionalFields(entry: MessageEntry): UnknownField[] {
  const fields: UnknownField[] = [];
  if (entry.conversation !== undefined) {
    fields.push(['"conv"', String(entry.conversation)], ['"source"', sourceText(entry.conversation)]);
  }
  if (entry.batch !== undefined) fields.push(['"batch"', entry.batch]);
  if (entry.http !== undefined) fields.push(['"http"', entry.http]);
  if (entry.sse !== undefined) fields.push(['"sse"', entry.sse]);
  if (entry.dropped) fields.push(['"dropped"', 'true']);
  if (entry.injected) fields.push(['"injected"', 'true']);
  if (entry.sentText !== undefined) fields.push(['"rawText"', encodeString(entry.sentText)]);
  if (entry.modified) fields.push(['"modified"', 'true']);
  if (entry.original !== undefined) fields.push(['"original"', entry.original]);
  if (entry.keepsakes?.session !== undefined) fields.push(['"extra"', entry.keepsakes.session]);
  if (entry.keepsakes?.transcript !== undefined) fields.push(['"transcript"', entry.keepsakes.transcript]);
  return fields;
}

/** Writes the fields as additional members of an object. */
function members(fields: readonly UnknownField[]): string {
  let text = '';
  for (const [key, value] of fields) text += `,${key}:${value}`;
  return text;
}

/** Writes `raw` as the last member of a line, where users look for it. */
function endingWithRaw(object: JsonText, raw: JsonText): JsonText {
  return onOneLine(`${object.slice(0, -1)},"raw":${raw}}`);
}

function eventLine(entry: EventEntry, seq: number): JsonText {
  if (entry.keepsakes === undefined) {
    const conv = entry.conversation === undefined ? '' : `,"conv":${entry.conversation}`;
    const kind = encodeString(entry.event);
    const place = entry.upTo === undefined ? conv : `${conv},"upto":${entry.upTo}`;
    const head = `{"t":"${formatTraceTime(entry.atMs)}","type":"event","dir":"event","kind":${kind},"seq":${seq}${place}`;
    return `${head},"raw":${onOneLine(entry.raw)}}`;
  }
  const fields: UnknownField[] = [
    ['"t"', `"${formatTraceTime(entry.atMs)}"`],
    ['"type"', '"event"'],
    ['"dir"', '"event"'],
    ['"kind"', encodeString(entry.event)],
    ['"seq"', String(seq)],
  ];
  if (entry.conversation !== undefined) fields.push(['"conv"', String(entry.conversation)]);
  if (entry.upTo !== undefined) fields.push(['"upto"', entry.upTo]);
  if (entry.keepsakes?.session !== undefined) fields.push(['"extra"', entry.keepsakes.session]);
  if (entry.keepsakes?.transcript !== undefined) fields.push(['"transcript"', entry.keepsakes.transcript]);
  return endingWithRaw(compactObject(withKept(fields, entry.keepsakes?.trace)), entry.raw);
}

/** Writes fields on one line, even if unknown fields came from a file with many lines. */
function line(fields: readonly UnknownField[]): JsonText {
  return onOneLine(compactObject(fields));
}

/** Writes a whole session as a trace. */
export async function* writeTrace(session: RecordedSession): AsyncGenerator<string> {
  let piece = `${metaLine(session.header)}\n`;
  let seq = 0;
  for await (const batch of session.batches()) {
    for (const entry of batch) {
      piece += `${entryLine(entry, seq++)}\n`;
      if (piece.length >= PIECE_LENGTH) {
        yield piece;
        piece = '';
      }
    }
  }
  if (session.footer !== undefined) piece += `${endLine(session.footer)}\n`;
  yield piece;
}
