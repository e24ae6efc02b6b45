import { Command, Option } from 'commander';
import { marksOf } from '../../../analysis/calls/call-marks.ts';
import { gatherBytes } from '../../../files/gather-bytes.ts';
import { MessageText } from '../../../formats/session-file/session-file-writer.ts';
import { ON_ONE_LINE } from '../../../formats/unknown-fields.ts';
import { onOneLine, pretty } from '../../../json/layout.ts';
import { ObjectView } from '../../../json/object-view.ts';
import { decodeString, encodeString } from '../../../json/scan.ts';
import type { Entry, EventEntry, MessageEntry } from '../../../model/entry.ts';
import { numberText } from '../../../model/message-number.ts';
import type { RecordedSession } from '../../../model/session.ts';
import { sayingLeftOut, shellLine } from '../../../model/shell-line.ts';
import { formatSessionTime } from '../../../model/times.ts';
import { PRINTED_ARROWS } from '../../../present/glyphs.ts';
import { oneLine, visible } from '../../../present/visible-text.ts';
import { envelopeOf } from '../../../protocol/envelope.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import type { ProblemReport } from '../../input/problem-report.ts';
import {
  type FilteredSession,
  type FilterFlags,
  filteredBy,
  filterFrom,
  filterOption,
  requestedCalls,
} from '../shared/filtering.ts';
import { type ConversationFlags, conversationOption, ofConversation } from '../shared/one-conversation.ts';
import { type ReadingFlags, readingOptions, SESSION, withSession } from '../shared/reading.ts';

interface InspectFlags extends ReadingFlags, ConversationFlags, FilterFlags {
  readonly verbose?: boolean;
  readonly json?: boolean;
  readonly calls?: boolean;
  readonly stats?: boolean;
  readonly findings?: boolean;
}

/** Payloads align with the method, not with the number. */
const PAYLOAD_MARGIN = ' '.repeat(7);
/** Text is yielded in chunks of about this many characters. */
const PIECE_LENGTH = 1 << 14;

export function inspectCommand(context: CommandEnvironment): Command {
  const command = new Command('inspect')
    .description('print a session: messages, calls, statistics or findings')
    .argument(...SESSION)
    .optionsGroup('Output:')
    .option('-v, --verbose', 'also print payloads')
    .addOption(viewOption('calls', 'print calls with status and duration'))
    .addOption(viewOption('stats', 'print statistics by tool and method'))
    .addOption(viewOption('findings', 'print findings: protocol violations, hung calls, stray output'))
    .option('--json', 'print JSON Lines, then a summary')
    .optionsGroup('Selection:')
    .addOption(filterOption())
    .addOption(conversationOption());
  for (const option of readingOptions()) command.addOption(option);
  return command
    .addHelpText(
      'after',
      examples([
        'mcpreel inspect session.json',
        'mcpreel inspect -v trace.jsonl',
        'mcpreel inspect session.json --calls --filter "tool:search status:error"',
        'mcpreel proxy inspect --session-file session.json',
        'mcpreel proxy inspect --session-file session.json --verbose',
      ]),
    )
    .action((argument: string | undefined, flags: InspectFlags) =>
      context.execute(runInspect(argument, flags, context)),
    );
}

const VIEWS = ['calls', 'stats', 'findings'];

function viewOption(view: string, description: string): Option {
  return new Option(`--${view}`, description).conflicts(VIEWS.filter((other) => other !== view));
}

export async function* runInspect(
  argument: string | undefined,
  flags: InspectFlags,
  context: CommandEnvironment,
): CommandStep {
  const filter = await filterFrom(flags);
  yield* withSession(argument, flags, context, async function* (opened, problems) {
    const chosen = await ofConversation(opened, flags.conversation);
    if (flags.calls || flags.stats) {
      const requested = filter && (await requestedCalls(chosen, filter));
      const print = flags.calls
        ? (await import('./inspect-calls.ts')).printCalls
        : (await import('./inspect-stats.ts')).printStats;
      return yield* print(chosen, requested, flags, problems, context);
    }
    const session = filter ? await filteredBy(chosen, filter) : chosen;
    if (flags.findings) {
      const { printFindings } = await import('./inspect-findings.ts');
      return yield* printFindings(chosen, filter && session, flags, problems, context);
    }
    const pieces = flags.json
      ? asJsonLines(session, problems)
      : asText(session, flags.verbose === true, context.platform);
    yield* gatherBytes(context.terminal.isTerminal ? madeVisible(pieces) : pieces);
  });
}

async function* madeVisible(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) yield visible(piece);
}

async function* asText(
  session: RecordedSession | FilteredSession,
  verbose: boolean,
  platform: string,
): AsyncGenerator<string> {
  const { header } = session;
  yield `Session: ${oneLine(header.id)}\n`;
  yield `Transport: ${oneLine(header.transport)}\n`;
  if (header.url !== undefined) yield `Server URL: ${oneLine(header.url)}\n`;
  else if (header.command.length > 0)
    yield `Server command: ${oneLine(sayingLeftOut(commandText(session, platform)))}\n`;
  const count = await countMessages(session);
  yield 'passed' in session ? `Messages: ${count} of ${session.passed.messages}\n` : `Messages: ${count}\n`;
  let first = true;
  for await (const batch of session.batches()) {
    let text = '';
    for (const entry of batch) {
      if (!isListed(entry, session)) continue;
      if (first) text += '\n';
      first = false;
      if (entry.kind === 'message') text += verbose ? messageLine(entry) + payloads(entry) : messageLine(entry);
      else text += eventLine(entry, verbose ? PAYLOAD_MARGIN : undefined);
      if (text.length >= PIECE_LENGTH) {
        yield text;
        text = '';
      }
    }
    yield text;
  }
}

/** Events are listed only if the filter asks for them. */
function isListed(entry: Entry, session: RecordedSession | FilteredSession): entry is MessageEntry | EventEntry {
  return entry.kind === 'message' || (entry.kind === 'event' && 'filter' in session && session.filter.asksForEvents);
}

/** The command as the file has it, because quoting its words again may give a different text. */
function commandText({ header }: RecordedSession, platform = 'any'): string {
  const kept = ObjectView.of(header.keepsakes?.session ?? '{}')?.string('server_command');
  return kept ?? shellLine(header.command, platform);
}

async function countMessages(session: RecordedSession): Promise<number> {
  let count = 0;
  for await (const batch of session.batches()) for (const entry of batch) if (entry.kind === 'message') count++;
  return count;
}

function messageLine(entry: MessageEntry): string {
  const { id, method } = envelopeOf(entry);
  let line = `  ${numberText(entry.sequence)} ${PRINTED_ARROWS[entry.direction]} `;
  line += method === undefined ? '(response)' : oneLine(method);
  if (id !== undefined) line += ` id=${oneLine(id.startsWith('"') ? decodeString(id) : id)}`;
  if (entry.correlatedId !== undefined) line += ` corr=${oneLine(entry.correlatedId)}`;
  if (entry.conversation) line += ` conv=${entry.conversation}`;
  for (const mark of marksOf(entry)) line += ` [${mark.toUpperCase()}]`;
  return `${line}\n`;
}

function payloads(entry: MessageEntry): string {
  const indented = (text: string): string => `${PAYLOAD_MARGIN}${pretty(text, '  ', PAYLOAD_MARGIN)}\n`;
  const original = entry.modified && entry.original !== undefined;
  const sent = entry.sentText === undefined ? indented(entry.text) : textLines(entry.sentText);
  return sent + (original ? `${PAYLOAD_MARGIN}[original]\n${indented(entry.original ?? '')}` : '');
}

/** Text that was sent in place of a message, with its own line breaks. */
function textLines(text: string): string {
  return text
    .split(/\r\n|[\r\n]/)
    .map((line) => `${PAYLOAD_MARGIN}${visible(line)}\n`)
    .join('');
}

/** One message per line, as in session files, then a summary. */
async function* asJsonLines(
  session: RecordedSession | FilteredSession,
  problems: ProblemReport,
): AsyncGenerator<string> {
  const { header, footer } = session;
  const message = new MessageText(header.transport, ON_ONE_LINE);
  let messages = 0;
  let beside = 0;
  for await (const batch of session.batches()) {
    let text = '';
    for (const entry of batch) {
      if (entry.kind === 'message') {
        messages++;
        text += `${onOneLine(message.of(entry, entry.sequence))}\n`;
      } else {
        beside++;
        if (isListed(entry, session)) text += `${onOneLine(eventJson(entry))}\n`;
      }
      if (text.length >= PIECE_LENGTH) {
        yield text;
        text = '';
      }
    }
    yield text;
  }
  const summary = {
    session: header.id,
    label: header.label,
    format: session.format,
    transport: header.transport,
    server_command: header.url === undefined && header.command.length > 0 ? commandText(session) : null,
    server_url: header.url ?? null,
    started_at: formatSessionTime(header.startedAtMs),
    ended_at: footer === undefined ? null : formatSessionTime(footer.endedAtMs),
    exit_code: footer?.exitCode ?? null,
    messages,
    events: beside,
    problems: problems.count,
    ...('passed' in session && { filter: session.filter.text, all_messages: session.passed.messages }),
  };
  yield `${JSON.stringify({ summary })}\n`;
}

/** Events in a listing of messages. */

/** Fills the columns where a message has its number and direction. */
const LEAD = `${' '.repeat(7)}- `;

/** `- stdio.stderr ready`, followed by the whole event if verbose. */
function eventLine(entry: EventEntry, margin: string | undefined): string {
  const detail = margin === undefined ? '' : `${margin}${pretty(entry.raw, '  ', margin)}\n`;
  const sent = summaryOf(entry);
  return `${LEAD}${oneLine(entry.event)}${sent === '' ? '' : ` ${oneLine(sent)}`}\n${detail}`;
}

/** An event as one JSON object. */
function eventJson(entry: EventEntry): string {
  const conversation = entry.conversation === undefined ? '' : `,"conversation":${entry.conversation}`;
  const at = `{"timestamp":"${formatSessionTime(entry.atMs)}",`;
  return `${at}"kind":${encodeString(entry.event)},"raw":${entry.raw}${conversation}}`;
}

function summaryOf({ event, raw }: EventEntry): string {
  const view = ObjectView.of(raw);
  if (event === 'http.exchange') {
    return [view?.string('method'), view?.string('path'), view?.textOf('status')].filter(Boolean).join(' ');
  }
  return view?.string('text') ?? '';
}
