import type { Finding } from '../../src/analysis/findings/finding.ts';
import { exactText } from '../../src/model/entry.ts';
import { numberText } from '../../src/model/message-number.ts';
import { formatDuration } from '../../src/present/figures.ts';
import { envelopeOf } from '../../src/protocol/envelope.ts';
import type { EntryDetail } from '../model/entry-detail.ts';
import { asShell } from './copy-curl.ts';
import { asMarkdown } from './copy-markdown.ts';
import { asSdkCode } from './copy-sdk.ts';
import { answeredIn, requestedIn } from './message-parts.ts';
import { markWords, statusOf } from './status-words.ts';

/** A format in which an entry can be copied. */
export interface CopyForm {
  readonly title: string;
  readonly text: string;
  /** Whether it is for a shell, and may leave values out. */
  readonly isCommand?: boolean;
}

/** The formats in which an entry can be copied. */
export function copyForms(detail: EntryDetail, findings: readonly Finding[]): CopyForm[] {
  const { entry, request, session, exchange, tool } = detail;
  const requested = request?.entry.direction === 'client_to_server' ? request.entry : undefined;
  const shell = requested && asShell({ ...session, text: requested.text, exchange: exchange?.raw, tool });
  const code = requested && asSdkCode(requested.text);
  return [
    { title: entry.kind === 'message' ? 'JSON-RPC' : 'JSON', text: exactText(entry) },
    ...(shell === undefined
      ? []
      : [{ title: shell.startsWith('curl') ? 'curl' : 'shell command', text: shell, isCommand: true }]),
    ...(code === undefined ? [] : [{ title: 'SDK code', text: code }]),
    { title: 'Markdown', text: markdownOf(detail, findings) },
  ];
}

function markdownOf(detail: EntryDetail, findings: readonly Finding[]): string {
  const { entry, request, answer, outcome, session, row } = detail;
  const status = statusOf(detail);
  const requested = request && requestedIn(request.entry);
  const answered = answer && answeredIn(answer.entry);
  return asMarkdown({
    title: titleOf(detail).join(' '),
    facts: [
      session.label,
      ...(row.sequence === undefined ? [] : [numberText(row.sequence)]),
      ...(status === undefined ? [] : [`${status.glyph} ${status.words}`]),
      ...(outcome?.durationMs === undefined || !session.hasTimes
        ? []
        : [`duration ${formatDuration(outcome.durationMs)}`]),
      ...markWords(detail),
    ],
    texts: [
      ...(requested?.main === undefined ? [] : [{ heading: requested.main.title, text: requested.main.text }]),
      ...(answered === undefined
        ? []
        : [{ heading: answered.kind === 'error' ? 'Error' : 'Result', text: answered.text }]),
      ...(requested === undefined && answered === undefined ? [{ heading: 'Content', text: exactText(entry) }] : []),
    ],
    findings: findings.map(({ severity, message }) => `${severity}: ${message}`),
  });
}

/** The title of an entry: its method and the tool, prompt or resource. */
export function titleOf({ entry, request, row, outcome }: EntryDetail): readonly string[] {
  const message = request?.entry ?? (entry.kind === 'message' ? entry : undefined);
  const method = message === undefined ? undefined : envelopeOf(message).method;
  if (method === undefined) return [row.name];
  const name = outcome?.name ?? (row.kind === 'call' && row.name !== method ? row.name : undefined);
  return name === undefined ? [method] : [method, name];
}
