import type { Call, OrphanAnswer } from '../../../analysis/calls/call.ts';
import { CallTracker } from '../../../analysis/calls/call-tracker.ts';
import { gatherBytes } from '../../../files/gather-bytes.ts';
import type { RecordedSession } from '../../../model/session.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import type { ProblemReport } from '../../input/problem-report.ts';
import type { WantedCalls } from '../shared/filtering.ts';
import { type TableStyle, tableStyle } from '../shared/text-table.ts';
import { callData, orphanData } from './calls-data.ts';
import { type CallCounts, type CallTextRow, CallTextTable, callsHead, callsSummary } from './calls-text.ts';

/**
 * Calls end in another order than they begin. Up to so many are held to be told in the order of their requests; a call
 * that outlasts more of them stands where it ended.
 */
const MAX_HELD = 2000;

/** Prints the calls of a session, or those that are wanted. */
export async function* printCalls(
  session: RecordedSession,
  wanted: WantedCalls | undefined,
  { json }: { readonly json?: boolean },
  problems: ProblemReport,
  { terminal }: CommandEnvironment,
): CommandStep {
  const counts: CallCounts = {
    calls: 0,
    orphans: 0,
    byStatus: { ok: 0, error: 0, pending: 0, cancelled: 0, late: 0, stream: 0 },
  };
  const told = counted(session, wanted, counts);
  yield* gatherBytes(
    json ? asJsonLines(told, session, counts, problems) : asText(told, session, counts, tableStyle(terminal)),
  );
}

async function* asText(
  all: AsyncIterable<readonly ReportedCalls[]>,
  { header, numbersTimes }: RecordedSession,
  counts: CallCounts,
  style: TableStyle,
): AsyncGenerator<string> {
  const table = new CallTextTable(style, numbersTimes !== true);
  const row = (told: ReportedCalls): CallTextRow => ('call' in told ? table.row(told.call) : table.orphanRow(told.orphan));
  yield callsHead(header);
  for await (const rows of inOrder(all, row)) yield table.text(rows);
  yield callsSummary(counts);
}

async function* asJsonLines(
  all: AsyncIterable<readonly ReportedCalls[]>,
  { header, format, numbersTimes }: RecordedSession,
  counts: CallCounts,
  problems: ProblemReport,
): AsyncGenerator<string> {
  const line = (told: ReportedCalls): { readonly sequence: number; readonly text: string } => ({
    sequence: sequenceOf(told),
    text: `${'call' in told ? callData(told.call, numbersTimes !== true) : orphanData(told.orphan)}\n`,
  });
  for await (const lines of inOrder(all, line)) yield lines.map(({ text }) => text).join('');
  const { calls, orphans, byStatus } = counts;
  const about = { session: header.id, label: header.label, format };
  const summary = { ...about, calls, orphans, by_status: byStatus, problems: problems.count };
  yield `${JSON.stringify({ summary })}\n`;
}

/** Makes rows of what is told, and gives them in groups, each in the order of the messages. */
async function* inOrder<T extends { readonly sequence: number }>(
  all: AsyncIterable<readonly ReportedCalls[]>,
  rowOf: (told: ReportedCalls) => T,
): AsyncGenerator<readonly T[]> {
  const held: T[] = [];
  for await (const batch of all) {
    for (const told of batch) held.push(rowOf(told));
    if (held.length >= MAX_HELD) yield sorted(held).splice(0, held.length - MAX_HELD / 2);
  }
  yield sorted(held);
}

function sorted<T extends { readonly sequence: number }>(rows: T[]): T[] {
  return rows.sort((a, b) => a.sequence - b.sequence);
}

/** A call, or an answer that belongs to none. */
type ReportedCalls = { readonly call: Call } | { readonly orphan: OrphanAnswer };

async function* counted(
  session: RecordedSession,
  wanted: WantedCalls | undefined,
  counts: CallCounts,
): AsyncGenerator<readonly ReportedCalls[]> {
  for await (const batch of toldBy(session)) {
    const shown = wanted === undefined ? batch : batch.filter((told) => isWanted(told, wanted));
    for (const told of shown) {
      if ('orphan' in told) counts.orphans++;
      else {
        counts.calls++;
        counts.byStatus[told.call.status]++;
      }
    }
    yield shown;
  }
}

async function* toldBy(session: RecordedSession): AsyncGenerator<readonly ReportedCalls[]> {
  const tracker = new CallTracker();
  for await (const batch of session.batches()) {
    const told: ReportedCalls[] = [];
    for (const entry of batch) {
      const { calls, orphans } = tracker.take(entry);
      for (const call of calls) told.push({ call });
      for (const orphan of orphans) told.push({ orphan });
    }
    yield told;
  }
  for (const call of tracker.end()) yield [{ call }];
}

function isWanted(told: ReportedCalls, wanted: WantedCalls): boolean {
  return 'call' in told ? wanted.wants(told.call) : wanted.wantsAlone(told.orphan.message);
}

function sequenceOf(told: ReportedCalls): number {
  return 'call' in told ? told.call.request.sequence : told.orphan.message.sequence;
}
