import { CallTracker } from '../../analysis/call-tracker.ts';
import { SessionStats } from '../../analysis/stats.ts';
import { measureCall } from '../../analysis/stats-measure.ts';
import type { SessionTaker } from '../../analysis/stats-roll-up.ts';
import type { RecordedSession } from '../../model/session.ts';
import { formatSessionTime } from '../../model/times.ts';
import type { Context } from '../context.ts';
import { type Output, oneLine } from '../output.ts';
import type { ProblemReport } from '../problems.ts';
import { statsData } from './stats-data.ts';
import { statsText } from './stats-text.ts';
import type { TableStyle } from './text-table.ts';

/** Prints what the calls of a session come to. */
export async function printStats(
  session: RecordedSession,
  { json }: { readonly json?: boolean },
  problems: ProblemReport,
  { output }: Context,
): Promise<void> {
  const { header } = session;
  const stats = new SessionStats();
  const hasTimes = session.numbersTimes !== true;
  await feed(session, {
    takeEntry: (entry) => stats.takeEntry(entry),
    takeCall: (call) => stats.takeCall(call, measureCall(call, hasTimes)),
  });
  if (json) {
    const about = {
      session: header.id,
      label: header.label,
      format: session.format,
      started_at: formatSessionTime(header.startedAtMs),
    };
    await output.line(JSON.stringify({ ...about, ...statsData(stats.result()), problems: problems.count }));
  } else {
    const about = `Session: ${oneLine(header.id)}\nServer: ${oneLine(header.label)}\n`;
    await output.write(about + statsText(stats.result(), tableStyle(output)));
  }
}

/** Hands all that was said in a session to somebody who adds it up. */
export async function feed(session: RecordedSession, taker: SessionTaker): Promise<void> {
  const tracker = new CallTracker();
  for await (const batch of session.batches()) {
    for (const entry of batch) {
      taker.takeEntry(entry);
      for (const call of tracker.take(entry).calls) taker.takeCall(call);
    }
  }
  for (const call of tracker.end().calls) taker.takeCall(call);
}

const USUAL_WIDTH = 80;

/** As wide as the terminal; where nobody looks, as wide as it takes. */
export function tableStyle(output: Output): TableStyle {
  if (!output.isTerminal) return { width: Number.POSITIVE_INFINITY, hasColour: false };
  return { width: process.stdout.columns || USUAL_WIDTH, hasColour: !process.env.NO_COLOR };
}
