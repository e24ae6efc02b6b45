import { ChildScanner } from '../json/child-scanner.ts';
import { onOneLine } from '../json/layout.ts';
import { ObjectView } from '../json/object-view.ts';
import type { RecordedSession } from '../model/session.ts';
import { isMessage, LOST_AROUND_MESSAGES, NO_OTHER_OBJECTS, readBareMessages, VERSION } from './bare-messages.ts';
import { candidatesInArray, candidatesInLines } from './candidates.ts';
import type { FormatConfidence, FormatReader, FormatWriter, ReadOptions, Source } from './format.ts';
import { CONVERSATIONS } from './lost-parts.ts';
import { STAMP_KEY } from './message-clock.ts';
import { readHead } from './reading.ts';

/** Reads and writes bare JSON-RPC messages: one per line, or all in one array. */
export const jsonrpc: FormatReader & FormatWriter = {
  id: 'jsonrpc',
  title: 'JSON-RPC messages (JSON Lines)',
  loses: ['times', CONVERSATIONS, NO_OTHER_OBJECTS, ...LOST_AROUND_MESSAGES],
  detect,
  read: readJsonRpc,
  write: writeJsonRpc,
};

function detect(head: string): FormatConfidence {
  const start = head.replace(/^\uFEFF?\s*/, '');
  const first = ObjectView.ofHead(start.replace(/^\[\s*/, ''));
  // Another recorder's record that contains a message.
  if (first.object('_meta')?.has('dir')) return 'no';
  if (first.textOf('jsonrpc') === VERSION) return start.startsWith('[') && first.has(STAMP_KEY) ? 'likely' : 'certain';
  if (start.startsWith('{') && start.includes('\n')) return start.split('\n').some(saysVersion) ? 'likely' : 'no';
  // A long first message may name its version after its content.
  if (ObjectView.of(start.replace(/^\[\s*|,\s*$/g, '')) !== undefined) return 'no';
  return /^\[?\s*\{\s*("id"\s*:[^,{[]*,\s*)?"(jsonrpc|method|params|result|error)"\s*:/.test(start) ? 'likely' : 'no';
}

function saysVersion(line: string): boolean {
  return line.includes(VERSION) && ObjectView.of(line)?.textOf('jsonrpc') === VERSION;
}

async function readJsonRpc(source: Source, options: ReadOptions): Promise<RecordedSession> {
  const isArray = await isOneArray(source);
  const session = await readBareMessages(source, options, 'jsonrpc', (report) =>
    isArray ? candidatesInArray(source, { start: 0, end: source.size }, report) : candidatesInLines(source, report),
  );
  return isArray ? { ...session, sourceUnit: 'element' } : session;
}

const LINE_FEED = 0x0a;

/** Returns whether the file is one array, and not lines of which the first is a batch. */
async function isOneArray(source: Source): Promise<boolean> {
  if (!/^\uFEFF?\s*\[/.test(await readHead(source))) return false;
  const scanner = new ChildScanner({ wants: () => false });
  let endedOnItsLine = false;
  for await (const chunk of source.read(0, source.size)) {
    for (let from = 0; from < chunk.length; ) {
      const lineFeed = chunk.indexOf(LINE_FEED, from);
      const to = lineFeed < 0 ? chunk.length : lineFeed + 1;
      scanner.push(chunk.subarray(from, to));
      if (scanner.fault !== undefined) return !endedOnItsLine;
      if (lineFeed >= 0 && scanner.container !== undefined && !scanner.complete) return true;
      if (lineFeed >= 0) endedOnItsLine = scanner.complete;
      from = to;
    }
  }
  return true;
}

async function* writeJsonRpc(session: RecordedSession): AsyncGenerator<string> {
  for await (const batch of session.batches()) {
    let piece = '';
    for (const entry of batch) {
      if (entry.kind === 'message' && isMessage(entry.text)) piece += `${onOneLine(entry.text)}\n`;
    }
    if (piece !== '') yield piece;
  }
}
