import { randomBytes } from 'node:crypto';
import type { Call } from '../../../analysis/calls/call.ts';
import { CallTracker } from '../../../analysis/calls/call-tracker.ts';
import type { Finding } from '../../../analysis/findings/finding.ts';
import { endOf, SessionFindings } from '../../../analysis/findings/session-findings.ts';
import type { RecordedSession } from '../../../model/session.ts';
import { oneLine } from '../../../present/visible-text.ts';
import { secretCleaner, secretSearch } from '../../../redact/detect/secret-detector.ts';
import type { CommandStep, OutputPart } from '../../command-run.ts';
import type { AcceptedFor } from './check-baseline.ts';
import type { CheckExpectations } from './check-expectations.ts';
import { type CheckFinding, checkFinding } from './check-finding.ts';
import type { FindingGroup } from './check-groups.ts';
import type { CheckedFile } from './check-reports.ts';

export interface SessionCheck {
  readonly groups: ReadonlySet<FindingGroup>;
  readonly expectations: CheckExpectations;
  readonly acceptedFor: AcceptedFor;
  /** Whether a session without messages passes. */
  readonly allowEmpty: boolean;
}

/** Reports contain at most this many findings per recording. */
const MAX_KEPT = 1000;

/** At most this many schemas that could not be used are named per recording. */
const MAX_NAMED = 5;

/** Checks a session and yields the output that `shown` makes of each finding at once. */
export async function* lookThrough(
  session: RecordedSession,
  file: string,
  { groups, expectations, acceptedFor, allowEmpty }: SessionCheck,
  shown: (finding: CheckFinding) => Iterable<OutputPart>,
): CommandStep<CheckedFile> {
  const { header } = session;
  const findings: CheckFinding[] = [];
  const byGroup = new Map<CheckFinding['group'], number>();
  function* found(all: readonly CheckFinding[]): Generator<OutputPart> {
    for (const finding of all) {
      byGroup.set(finding.group, (byGroup.get(finding.group) ?? 0) + 1);
      if (findings.length < MAX_KEPT) findings.push(finding);
      yield* shown(finding);
    }
  }
  const unchecked: string[] = [];
  const requested = (all: readonly Finding[]): CheckFinding[] => {
    if (groups.has('schema')) {
      for (const { code, message } of all) if (code === 'schema-unchecked') unchecked.push(message);
    }
    return all.flatMap((each) =>
      allowEmpty && each.code === 'empty-session' ? [] : (checkFinding(each, groups) ?? []),
    );
  };
  const hold = (calls: readonly Call[]): CheckFinding[] =>
    calls.flatMap((call) => expectations.takeCall(call, session.numbersTimes !== true));
  const salt = randomBytes(16);
  const watch = new SessionFindings({
    ...endOf(session),
    baseline: yield* acceptedFor(header.label),
    ...(groups.has('secret') ? secretSearch(session, salt) : {}),
    // Reports end up in logs, so secrets are removed.
    cleanText: secretCleaner(salt),
  });
  const calls = expectations.isEmpty ? undefined : new CallTracker();
  for await (const batch of session.batches()) {
    for (const entry of batch) {
      const selected = requested(watch.take(entry));
      if (calls !== undefined) selected.push(...hold(calls.take(entry).calls));
      if (selected.length > 0) yield* found(selected);
    }
  }
  yield* found(requested(watch.end()));
  if (calls !== undefined) yield* found(hold([...calls.end()]));
  // That nothing was found says little about a tool whose calls were not checked.
  for (const message of unchecked.slice(0, MAX_NAMED)) yield { note: oneLine(`${file}: ${message}`) };
  const more = unchecked.length - MAX_NAMED;
  if (more > 0) yield { note: oneLine(`${file}: … and ${more} more schemas that cannot be used`) };
  return { file, atMs: header.startedAtMs, findings, byGroup };
}
