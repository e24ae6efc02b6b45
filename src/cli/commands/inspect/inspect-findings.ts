import { randomBytes } from 'node:crypto';
import type { Finding, FindingCode, Severity } from '../../../analysis/findings/finding.ts';
import { findingsIn } from '../../../analysis/findings/session-findings.ts';
import { gatherBytes } from '../../../files/gather-bytes.ts';
import { numberText } from '../../../model/message-number.ts';
import type { RecordedSession } from '../../../model/session.ts';
import { formatSessionTime } from '../../../model/times.ts';
import { countOf } from '../../../present/figures.ts';
import { SEVERITY_WORDS } from '../../../present/glyphs.ts';
import { oneLine } from '../../../present/visible-text.ts';
import { secretCleaner, secretSearch } from '../../../redact/detect/secret-detector.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import type { ProblemReport } from '../../input/problem-report.ts';
import { inColour, type TableStyle, type TextColor, tableStyle } from '../shared/text-style.ts';
import { wrapped } from '../shared/text-table.ts';
import { sessionHead } from './session-head.ts';

interface FindingsFlags {
  readonly json?: boolean;
  readonly verbose?: boolean;
}

type FindingCounts = Record<Severity, number>;

/** Prints the findings of a session. With `requested`, only those about its entries. */
export async function* printFindings(
  session: RecordedSession,
  requested: RecordedSession | undefined,
  flags: FindingsFlags,
  problems: ProblemReport,
  { terminal }: CommandEnvironment,
): CommandStep {
  const shows = requested === undefined ? () => true : await shownBy(requested);
  const counts: FindingCounts = { error: 0, warning: 0, info: 0 };
  const findings = counted(session, shows, counts);
  const pieces = flags.json
    ? asJsonLines(findings, session, counts, problems)
    : asText(findings, session, counts, flags.verbose === true, tableStyle(terminal));
  yield* gatherBytes(pieces);
}

async function* counted(
  session: RecordedSession,
  shows: (finding: Finding) => boolean,
  counts: FindingCounts,
): AsyncGenerator<Finding> {
  const salt = randomBytes(16);
  const options = { ...secretSearch(session, salt), cleanText: secretCleaner(salt) };
  for await (const finding of findingsIn(session, options)) {
    if (!shows(finding)) continue;
    counts[finding.severity]++;
    yield finding;
  }
}

/** Returns a test for whether a finding is about an entry of the filtered session. */
async function shownBy(requested: RecordedSession): Promise<(finding: Finding) => boolean> {
  const sequences = new Set<number>();
  const events = new Set<string>();
  for await (const batch of requested.batches()) {
    for (const entry of batch) {
      if (entry.kind === 'message') sequences.add(entry.sequence);
      else if (entry.kind === 'event') events.add(`${entry.atMs} ${entry.event}`);
    }
  }
  return (finding) =>
    finding.sequences.some((sequence) => sequences.has(sequence)) ||
    (finding.at !== undefined && events.has(`${finding.at.atMs} ${finding.at.event}`));
}

async function* asJsonLines(
  findings: AsyncIterable<Finding>,
  { header, format }: RecordedSession,
  counts: FindingCounts,
  problems: ProblemReport,
): AsyncGenerator<string> {
  for await (const finding of findings) yield `${JSON.stringify(findingData(finding))}\n`;
  const summary = {
    session: header.id,
    label: header.label,
    format,
    errors: counts.error,
    warnings: counts.warning,
    infos: counts.info,
    problems: problems.count,
  };
  yield `${JSON.stringify({ summary })}\n`;
}

function findingData({ code, severity, message, sequences, at, spec }: Finding): object {
  const event = at && {
    kind: at.event,
    timestamp: formatSessionTime(at.atMs),
    after: at.after ?? null,
    exchange: at.exchange ?? null,
  };
  return { code, severity, message, messages: sequences, event: event ?? null, spec: spec ?? null };
}

/** The number of findings printed per code. A server that writes to stdout may cause thousands. */
const MAX_OF_A_CODE = 20;

async function* asText(
  findings: AsyncIterable<Finding>,
  { header }: RecordedSession,
  counts: FindingCounts,
  verbose: boolean,
  style: TableStyle,
): AsyncGenerator<string> {
  const byCode = new Map<FindingCode, number>();
  yield `${sessionHead(header)}\n`;
  for await (const finding of findings) {
    const count = (byCode.get(finding.code) ?? 0) + 1;
    byCode.set(finding.code, count);
    if (verbose || count <= MAX_OF_A_CODE) yield findingText(finding, verbose, style);
  }
  for (const [code, count] of verbose ? [] : byCode) {
    if (count > MAX_OF_A_CODE) yield `  ${inColour(`… and ${count - MAX_OF_A_CODE} more ${code}`, 'grey', style)}\n`;
  }
  yield byCode.size === 0 ? 'No findings\n' : `\n${countsText(counts)}\n`;
}

function countsText({ error, warning, info }: FindingCounts): string {
  const phrases = [
    error > 0 ? countOf(error, 'error') : '',
    warning > 0 ? countOf(warning, 'warning') : '',
    info > 0 ? countOf(info, 'note') : '',
  ];
  return phrases.filter((phrase) => phrase !== '').join(', ');
}

const COLOURS: Readonly<Record<Severity, TextColor>> = { error: 'red', warning: 'yellow', info: 'grey' };
const PLACE_WIDTH = 11;
const SEVERITY_WIDTH = 'warning'.length;
const MARGIN = '  ';
const HEAD_WIDTH = MARGIN.length + PLACE_WIDTH + 2 + SEVERITY_WIDTH + 2;
/** With less room than this, the message starts on the next line. */
const NARROWEST = 30;

function findingText(
  { code, severity, message, spec, ...shown }: Finding,
  verbose: boolean,
  style: TableStyle,
): string {
  const isNarrow = style.width - HEAD_WIDTH < NARROWEST;
  const word = SEVERITY_WORDS[severity];
  const level = inColour(isNarrow ? word : word.padEnd(SEVERITY_WIDTH), COLOURS[severity], style);
  const head = `${MARGIN}${placeText(shown).padEnd(PLACE_WIDTH)}  ${level}`;
  const indent = isNarrow ? MARGIN.repeat(2) : ' '.repeat(HEAD_WIDTH);
  const lines = wrapped(`${oneLine(message)} (${code})`, style.width - indent.length);
  const more = verbose && spec !== undefined ? [inColour(spec, 'grey', style)] : [];
  return `${head}${isNarrow ? `\n${indent}` : '  '}${[...lines, ...more].join(`\n${indent}`)}\n`;
}

/** `#004 #007`, or for an event the message before it. */
function placeText({ sequences, at }: Pick<Finding, 'sequences' | 'at'>): string {
  const [first, ...others] = sequences.map(numberText);
  if (first !== undefined) return others.length > 0 ? `${first} ${others.at(-1)}` : first;
  return at?.after === undefined ? 'start' : `after ${numberText(at.after)}`;
}
