import type { Call } from '../analysis/calls/call.ts';
import { marksOf, marksOfCall } from '../analysis/calls/call-marks.ts';
import { callsOf } from '../analysis/calls/call-tracker.ts';
import { pretty } from '../json/layout.ts';
import { ObjectView } from '../json/object-view.ts';
import type { JsonText, MessageEntry } from '../model/entry.ts';
import { numberText } from '../model/message-number.ts';
import type { RecordedSession, SessionHeader } from '../model/session.ts';
import { formatTraceTime } from '../model/times.ts';
import { formatDuration } from '../present/figures.ts';
import { MARK_WORDS } from '../present/glyphs.ts';
import { cutText, textHead } from '../present/text-head.ts';
import { oneLine, visible } from '../present/visible-text.ts';
import { type FormatWriter, PIECE_LENGTH } from './format.ts';

/**
 * Writes a session as a report for an issue: a table of its calls, and the payload of each in a collapsible section.
 */
export const markdown: FormatWriter = {
  id: 'markdown',
  title: 'Report for an issue (Markdown)',
  loses: [
    'messages as sent',
    'messages other than calls',
    'payloads beyond 10,000 characters',
    'originals of edited messages',
    'events',
    'fields of other formats',
  ],
  write: writeMarkdown,
};

async function* writeMarkdown(session: RecordedSession): AsyncGenerator<string> {
  let piece = '';
  for await (const part of parts(session)) {
    piece += part;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

async function* parts(session: RecordedSession): AsyncGenerator<string> {
  const hasTimes = session.numbersTimes !== true;
  yield headText(session.header, hasTimes);
  let count = 0;
  for await (const call of callsOf(session)) {
    if (count++ === 0) yield TABLE_HEAD;
    yield rowText(call, hasTimes);
  }
  if (count === 0) {
    yield 'No calls.\n';
    return;
  }
  yield '\n';
  for await (const call of callsOf(session)) yield detailsText(call);
}

const TABLE_HEAD = '| # | call | | status | duration |\n|--:|---|---|---|--:|\n';

function headText({ label, transport, command, url, startedAtMs, id }: SessionHeader, hasTimes: boolean): string {
  const facts = [
    `Server: ${inlineCode(url ?? command.join(' ')) || 'unknown'}`,
    `Transport: ${inlineCode(transport)}`,
    ...(hasTimes ? [`Started: ${formatTraceTime(startedAtMs)}`] : []),
    `Session: ${inlineCode(id)}`,
  ];
  return `## MCP session ${inlineCode(label)}\n\n${facts.map((fact) => `- ${fact}\n`).join('')}\n`;
}

function rowText(call: Call, hasTimes: boolean): string {
  const { request, method, name = '', status, durationMs } = call;
  const outcome = [STATUS[status], ...marksOfCall(call).map((mark) => `**${MARK_WORDS[mark]}**`)].join(', ');
  return `| ${numberCode(request)} | ${arrowOf(call)} ${inlineCode(method)} | ${inlineCode(name)} | ${outcome} | ${durationMs === undefined || !hasTimes ? '' : formatDuration(durationMs)} |\n`;
}

/** The number of a message as code, because `#5` alone would become a link to an issue. */
function numberCode({ sequence }: MessageEntry): string {
  return `<code>${numberText(sequence)}</code>`;
}

/** Returns the arrow for a request: right for the client's, left for the server's, as in a sequence diagram. */
function arrowOf({ direction }: Call): string {
  return direction === 'client_to_server' ? '→' : '←';
}

const STATUS: Readonly<Record<Call['status'], string>> = {
  ok: 'ok',
  error: '**error**',
  pending: '**pending**',
  cancelled: 'cancelled',
  late: 'late',
  stream: 'stream',
};

function detailsText(call: Call): string {
  const { request, answer, rounds, method, name = '', status } = call;
  const title = `Message ${numberCode(request)} ${arrowOf(call)} ${inlineCode(method)} ${inlineCode(name)}`.trimEnd();
  const steps = [
    ['Request', request],
    ...rounds.flatMap(({ answer: requested, retry }) => [
      ['Input request', requested] as const,
      ['Retry', retry] as const,
    ]),
    ['Response', answer],
  ] as const;
  const blocks = steps.flatMap(([word, message]) => (message === undefined ? [] : [stepText(word, message)]));
  const outcome = [STATUS[status].replaceAll('**', ''), ...marksOfCall(call).map((mark) => MARK_WORDS[mark])].join(
    ', ',
  );
  const summary = `${title} (${outcome})`;
  return `<details><summary>${summary}</summary>\n\n${blocks.join('\n')}\n</details>\n\n`;
}

function stepText(word: string, message: MessageEntry): string {
  const marks = marksOf(message);
  const marked = marks.length === 0 ? '' : ` (${marks.map((mark) => MARK_WORDS[mark]).join(', ')})`;
  const head = `${word}, message ${numberCode(message)}${marked}:\n\n`;
  if (message.sentText === undefined) return `${head}${codeBlock(pretty(payloadOf(message)), 'json')}`;
  return `${head}Text that is not JSON was sent in its place:\n\n${codeBlock(message.sentText, 'text')}`;
}

/** Returns the content of a message without its envelope. */
function payloadOf({ text }: MessageEntry): JsonText {
  const view = ObjectView.of(text);
  return view?.only((key) => key !== 'jsonrpc' && key !== 'id' && key !== 'method') ?? '{}';
}

/** Longer names are truncated to keep the table readable. */
const MAX_NAME = 80;

/** Longer payloads are truncated, because an issue is limited to 65,536 characters in total. */
const MAX_PAYLOAD = 10_000;

/**
 * Formats text from the traffic as inline code. Every character with a meaning in Markdown or HTML becomes a numeric
 * entity, and `code` elements prevent mentions and links.
 */
function inlineCode(text: string): string {
  return text === '' ? '' : `<code>${oneLine(cutText(text, MAX_NAME)).replaceAll(NOT_PLAIN, asEntity)}</code>`;
}

/**
 * Formats a payload as a code block. The fence is longer than any in the payload, so the payload cannot close the
 * block.
 */
function codeBlock(laidOut: string, language: 'json' | 'text'): string {
  const isLong = laidOut.length > MAX_PAYLOAD;
  const shown = visible(textHead(laidOut, MAX_PAYLOAD).replaceAll(/\r\n?/g, '\n'));
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const left = laidOut.length - MAX_PAYLOAD;
  return `${fence}${language}\n${shown}\n${fence}\n${isLong ? `\n… and ${left} characters more.\n` : ''}`;
}

const NOT_PLAIN = /[^\p{L}\p{M}\p{N} /-]/gu;

function asEntity(char: string): string {
  return `&#${char.codePointAt(0)};`;
}
