import type { Call, OrphanAnswer } from '../../../analysis/calls/call.ts';
import { failureOf } from '../../../analysis/calls/call-failure.ts';
import { marksOfCall, serverOf } from '../../../analysis/calls/call-marks.ts';
import { CallTracker } from '../../../analysis/calls/call-tracker.ts';
import { gatherBytes } from '../../../files/gather-bytes.ts';
import type { MessageEntry } from '../../../model/entry.ts';
import type { RecordedSession } from '../../../model/session.ts';
import { formatSessionTime } from '../../../model/times.ts';
import { envelopeOf } from '../../../protocol/envelope.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import type { ProblemReport } from '../../input/problem-report.ts';
import type { RequestedCalls } from '../shared/filtering.ts';
import { type TableStyle, tableStyle } from '../shared/text-style.ts';
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

/** A call as one line of JSON. `hasTimes` is false if the file has message numbers instead of times. */
function callData(call: Call, hasTimes: boolean): string {
  const { request, answer, rounds } = call;
  const failure = failureOf(call);
  const marks = marksOfCall(call);
  return withId(request, {
    method: call.method,
    name: call.name ?? null,
    direction: call.direction,
    conversation: call.conversation,
    timestamp: hasTimes ? formatSessionTime(request.atMs) : null,
    status: call.status,
    answer: answer?.sequence ?? null,
    duration_ms: hasTimes ? (call.durationMs ?? null) : null,
    human_ms: hasTimes ? call.humanMs : null,
    error: failure === undefined ? null : { code: failure.code ?? null, message: failure.message ?? null },
    size: call.size,
    rounds: rounds.map((round) => ({ answer: round.answer.sequence, retry: round.retry.sequence })),
    progress: call.progress,
    logs: call.logs,
    nested: call.nested,
    cancelled_by: call.cancelledBy ?? null,
    superseded_by: call.supersededBy ?? null,
    task: call.task === undefined ? null : taskData(call, hasTimes),
    origin: call.origin ?? null,
    probe: call.isProbe,
    server: serverOf(call) ?? null,
    modified: marks.includes('modified'),
    dropped: marks.includes('dropped'),
    injected: marks.includes('injected'),
  });
}

function taskData({ task, taskOutcome }: Call, hasTimes: boolean): object {
  return {
    id: task,
    status: taskOutcome?.status ?? null,
    sequence: taskOutcome?.sequence ?? null,
    after_ms: hasTimes ? (taskOutcome?.afterMs ?? null) : null,
  };
}

/** A response without a request, as one line of JSON. */
function orphanData({ message, why }: OrphanAnswer): string {
  const { direction, conversation = 0, modified = false, dropped = false, injected = false } = message;
  return `{"orphan":${withId(message, { direction, conversation, why, modified, dropped, injected })}}`;
}

/** The id keeps its exact text, because it may have more digits than a JavaScript number. */
function withId(message: MessageEntry, data: object): string {
  const id = envelopeOf(message).id ?? 'null';
  return `{"sequence":${message.sequence},"jsonrpc_id":${id},${JSON.stringify(data).slice(1)}`;
}
