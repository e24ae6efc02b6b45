import type { Call, OrphanAnswer } from '../../../analysis/calls/call.ts';
import { CallTracker } from '../../../analysis/calls/call-tracker.ts';
import { gatherBytes } from '../../../files/gather-bytes.ts';
import type { RecordedSession } from '../../../model/session.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import type { ProblemReport } from '../../input/problem-report.ts';
import type { RequestedCalls } from '../shared/filtering.ts';
import { type TableStyle, tableStyle } from '../shared/text-style.ts';
import { callData, orphanData } from './calls-data.ts';
import { type CallCounts, type CallTextRow, CallTextTable, callsSummary } from './calls-text.ts';
import { sessionHead } from './session-head.ts';

/**
 * Calls end in a different order than they begin. Up to this many are buffered to be printed in the order of their
 * requests. A call that outlasts them is printed where it ended.
 */
const MAX_HELD = 2000;

/** Prints the calls of a session, or the selected ones. */
export async function* printCalls(
  session: RecordedSession,
  requested: RequestedCalls | undefined,
  { json }: { readonly json?: boolean },
  problems: ProblemReport,
  { terminal }: CommandEnvironment,
): CommandStep {
  const counts: CallCounts = {
    calls: 0,
    orphans: 0,
    byStatus: { ok: 0, error: 0, pending: 0, cancelled: 0, late: 0, stream: 0 },
  };
  const reported = counted(session, requested, counts);
  yield* gatherBytes(
    json ? asJsonLines(reported, session, counts, problems) : asText(reported, session, counts, tableStyle(terminal)),
  );
}

async function* asText(
  all: AsyncIterable<readonly ReportedCalls[]>,
  { header, numbersTimes }: RecordedSession,
  counts: CallCounts,
  style: TableStyle,
): AsyncGenerator<string> {
  const table = new CallTextTable(style, numbersTimes !== true);
  const row = (reported: ReportedCalls): CallTextRow =>
    'call' in reported ? table.row(reported.call) : table.orphanRow(reported.orphan);
  yield `${sessionHead(header)}\n`;
  for await (const rows of inOrder(all, row)) yield table.text(rows);
  yield callsSummary(counts);
}

async function* asJsonLines(
  all: AsyncIterable<readonly ReportedCalls[]>,
  { header, format, numbersTimes }: RecordedSession,
  counts: CallCounts,
  problems: ProblemReport,
): AsyncGenerator<string> {
  const line = (reported: ReportedCalls): { readonly sequence: number; readonly text: string } => ({
    sequence: sequenceOf(reported),
    text: `${'call' in reported ? callData(reported.call, numbersTimes !== true) : orphanData(reported.orphan)}\n`,
  });
  for await (const lines of inOrder(all, line)) yield lines.map(({ text }) => text).join('');
  const { calls, orphans, byStatus } = counts;
  const about = { session: header.id, label: header.label, format };
  const summary = { ...about, calls, orphans, by_status: byStatus, problems: problems.count };
  yield `${JSON.stringify({ summary })}\n`;
}

/** Converts calls to rows, in groups that are each sorted by message. */
async function* inOrder<T extends { readonly sequence: number }>(
  all: AsyncIterable<readonly ReportedCalls[]>,
  rowOf: (reported: ReportedCalls) => T,
): AsyncGenerator<readonly T[]> {
  const held: T[] = [];
  for await (const batch of all) {
    for (const reported of batch) held.push(rowOf(reported));
    if (held.length >= MAX_HELD) yield sorted(held).splice(0, held.length - MAX_HELD / 2);
  }
  yield sorted(held);
}

function sorted<T extends { readonly sequence: number }>(rows: T[]): T[] {
  return rows.sort((a, b) => a.sequence - b.sequence);
}

/** A call, or a response without a request. */
type ReportedCalls = { readonly call: Call } | { readonly orphan: OrphanAnswer };

async function* counted(
  session: RecordedSession,
  requested: RequestedCalls | undefined,
  counts: CallCounts,
): AsyncGenerator<readonly ReportedCalls[]> {
  for await (const batch of reportedBy(session)) {
    const shown = requested === undefined ? batch : batch.filter((reported) => isRequested(reported, requested));
    for (const reported of shown) {
      if ('orphan' in reported) counts.orphans++;
      else {
        counts.calls++;
        counts.byStatus[reported.call.status]++;
      }
    }
    yield shown;
  }
}

async function* reportedBy(session: RecordedSession): AsyncGenerator<readonly ReportedCalls[]> {
  const tracker = new CallTracker();
  for await (const batch of session.batches()) {
    const reported: ReportedCalls[] = [];
    for (const entry of batch) {
      const { calls, orphans } = tracker.take(entry);
      for (const call of calls) reported.push({ call });
      for (const orphan of orphans) reported.push({ orphan });
    }
    yield reported;
  }
  for (const call of tracker.end()) yield [{ call }];
}

function isRequested(reported: ReportedCalls, requested: RequestedCalls): boolean {
  return 'call' in reported ? requested.wants(reported.call) : requested.wantsAlone(reported.orphan.message);
}

function sequenceOf(reported: ReportedCalls): number {
  return 'call' in reported ? reported.call.request.sequence : reported.orphan.message.sequence;
}
