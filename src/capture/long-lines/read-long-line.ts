import { decodeUtf8, findInvalidUtf8 } from '../../json/lines.ts';
import type { Entry } from '../../model/entry.ts';
import { type EnvelopePeek, peekAt } from '../../protocol/envelope.ts';
import { EntryMaker } from '../../record/entry-maker.ts';
import { addLine, type LongStdioLine, type ReadLongLine } from '../../record/stdio-traffic.ts';
import type { Redactor } from '../../redact/redactor.ts';

/** Makes the entries of a long line, and redacts them. */
export function readLongLine(line: LongStdioLine, redactor: Redactor | undefined): ReadLongLine {
  const bytes = Buffer.concat(line.parts);
  const text = decodeUtf8(bytes);
  const entries: Entry[] = [];
  // Only its numbers matter here. Ids are given where the entries are recorded.
  const maker = new EntryMaker('', line.sequence);
  const decoded = text === undefined ? { bytes, faultOffset: findInvalidUtf8(bytes) } : { text };
  addLine(line.stream, { ...decoded, ended: true }, line.atMs, maker, entries);
  const peeks = entries.map((entry): EnvelopePeek | undefined =>
    entry.kind === 'message' ? peekAt(entry.text) : undefined,
  );
  const redacted = redactor === undefined ? entries : entries.map((entry) => redactor.entry(entry));
  return { entries: redacted, peeks, beginsKey: redactor?.isInsideKey === true };
}
