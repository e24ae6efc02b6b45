import { randomBytes } from 'node:crypto';
import type { Call } from '../../analysis/call.ts';
import { CallTracker } from '../../analysis/call-tracker.ts';
import type { Finding } from '../../analysis/findings/finding.ts';
import { hasEnded, SessionFindings } from '../../analysis/findings/session-findings.ts';
import type { RecordedSession } from '../../model/session.ts';
import { secretCleaner, secretDetector } from '../../redact/secret-detector.ts';
import type { AcceptedFor } from './check-baseline.ts';
import type { Expectations } from './check-expectations.ts';
import { type CheckFinding, checkFinding } from './check-finding.ts';
import type { Group } from './check-groups.ts';
import type { CheckedFile } from './check-reports.ts';

/** What to look for. */
export interface Lookout {
  readonly groups: ReadonlySet<Group>;
  readonly expectations: Expectations;
  readonly acceptedFor: AcceptedFor;
}

/** Reports hold no more than this many findings of a recording. */
const MOST_KEPT = 1000;

/** Looks at all that was said in a session; tells of each finding at once. */
export async function lookThrough(
  session: RecordedSession,
  file: string,
  { groups, expectations, acceptedFor }: Lookout,
  tell: (finding: CheckFinding) => Promise<void>,
): Promise<CheckedFile> {
  const { header } = session;
  const findings: CheckFinding[] = [];
  const byGroup = new Map<CheckFinding['group'], number>();
  const found = async (all: readonly CheckFinding[]): Promise<void> => {
    for (const finding of all) {
      byGroup.set(finding.group, (byGroup.get(finding.group) ?? 0) + 1);
      if (findings.length < MOST_KEPT) findings.push(finding);
      await tell(finding);
    }
  };
  const wanted = (all: readonly Finding[]): CheckFinding[] => all.flatMap((each) => checkFinding(each, groups) ?? []);
  const hold = (calls: readonly Call[]): CheckFinding[] =>
    calls.flatMap((call) => expectations.takeCall(call, session.numbersTimes !== true));
  const salt = randomBytes(16);
  const watch = new SessionFindings({
    ended: hasEnded(session),
    baseline: acceptedFor(header.label),
    detectSecrets: groups.has('secret') ? secretDetector(salt) : undefined,
    // Reports land in logs.
    cleanText: secretCleaner(salt),
  });
  const calls = expectations.isEmpty ? undefined : new CallTracker();
  for await (const batch of session.batches()) {
    for (const entry of batch) {
      const shown = wanted(watch.take(entry));
      if (calls !== undefined) shown.push(...hold(calls.take(entry).calls));
      if (shown.length > 0) await found(shown);
    }
  }
  await found(wanted(watch.end()));
  if (calls !== undefined) await found(hold([...calls.end()]));
  return { file, atMs: header.startedAtMs, findings, byGroup };
}
