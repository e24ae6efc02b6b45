import type { Call } from '../../../analysis/calls/call.ts';
import { CallTracker } from '../../../analysis/calls/call-tracker.ts';
import { measureCall } from '../../../analysis/stats/measured-call.ts';
import type { SessionTaker } from '../../../analysis/stats/roll-up.ts';
import { SessionStats } from '../../../analysis/stats/stats.ts';
import type { Entry } from '../../../model/entry.ts';
import type { RecordedSession } from '../../../model/session.ts';
import { formatSessionTime } from '../../../model/times.ts';
import { envelopeOf } from '../../../protocol/envelope.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import type { ProblemReport } from '../../input/problem-report.ts';
import { messagesOf, type RequestedCalls } from '../shared/filtering.ts';
import { tableStyle } from '../shared/text-style.ts';
import { statsData } from '../stats/stats-data.ts';
import { statsText } from '../stats/stats-text.ts';
import { sessionHead } from './session-head.ts';

/** Prints statistics of a session's calls, or of the selected ones. */
export async function* printStats(
  session: RecordedSession,
  requested: RequestedCalls | undefined,
  { json }: { readonly json?: boolean },
  problems: ProblemReport,
  { terminal }: CommandEnvironment,
): CommandStep {
  const { header } = session;
  const stats = new SessionStats();
  const hasTimes = session.numbersTimes !== true;
  const taker: SessionTaker = {
    takeEntry: (entry) => stats.takeEntry(entry),
    takeCall: (call) => stats.takeCall(call, measureCall(call, hasTimes)),
  };
  await (requested === undefined ? feed(session, taker) : feedRequested(session, taker, requested));
  if (json) {
    const about = {
      session: header.id,
      label: header.label,
      format: session.format,
      started_at: formatSessionTime(header.startedAtMs),
    };
    yield `${JSON.stringify({ ...about, ...statsData(stats.result()), problems: problems.count })}\n`;
  } else {
    yield sessionHead(header) + statsText(stats.result(), tableStyle(terminal));
  }
}

/** Passes all entries and calls of a session to a collector. */
export async function feed(session: RecordedSession, taker: SessionTaker): Promise<void> {
  const tracker = new CallTracker();
  for await (const batch of session.batches()) {
    for (const entry of batch) {
      taker.takeEntry(entry);
      for (const call of tracker.take(entry).calls) taker.takeCall(call);
    }
  }
  for (const call of tracker.end()) taker.takeCall(call);
}

/**
 * The same for the selected calls only. The tracker still reads all messages, because they may determine how a selected
 * call ended.
 */
async function feedRequested(session: RecordedSession, taker: SessionTaker, requested: RequestedCalls): Promise<void> {
  const tracker = new CallTracker();
  const takeCall = (call: Call): void => {
    if (!requested.wants(call)) return;
    for (const message of messagesOf(call)) taker.takeEntry(message);
    taker.takeCall(call);
  };
  for await (const batch of session.batches()) {
    for (const entry of batch) {
      if (standsAlone(entry) && requested.wantsAlone(entry)) taker.takeEntry(entry);
      const { calls, orphans } = tracker.take(entry);
      for (const call of calls) takeCall(call);
      for (const { message } of orphans) if (requested.wantsAlone(message)) taker.takeEntry(message);
    }
  }
  for (const call of tracker.end()) takeCall(call);
}

function standsAlone(entry: Entry): boolean {
  if (entry.kind !== 'message') return true;
  const { kind } = envelopeOf(entry);
  return kind === 'notification' || kind === 'invalid';
}
