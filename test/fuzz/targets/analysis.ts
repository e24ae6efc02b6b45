import { callsOf } from '../../../src/analysis/calls/call-tracker.ts';
import { diffSessions } from '../../../src/analysis/diff/diff.ts';
import { IgnoreRules } from '../../../src/analysis/diff/ignore-rules.ts';
import { findingsIn } from '../../../src/analysis/findings/session-findings.ts';
import { SessionStats } from '../../../src/analysis/stats/stats.ts';
import { readSource } from '../../../src/formats/registry.ts';
import { entriesOf, type RecordedSession } from '../../../src/model/session.ts';
import { sourceOf } from '../../contract/memory-source.ts';
import { corpusSeeds } from '../seeds.ts';
import { hold, outcomeOf, same, type Target } from '../target.ts';

const seeds = (): Uint8Array[] => corpusSeeds('trace', 'session-file', 'jsonrpc', 'import', 'inspector', 'har');

/** Fuzzes the analysis of recordings in any format: calls, statistics, findings, differences. */
export const analysisTargets: readonly Target[] = [{ name: 'analysis', perSecond: 350, seeds, check: checkAnalysis }];

async function checkAnalysis(input: Uint8Array): Promise<void> {
  const read = await outcomeOf(async () => {
    const session = await readSource(sourceOf(input), { onProblem: () => undefined });
    for await (const _ of entriesOf(session));
    return session;
  });
  if ('refusal' in read) return;
  const session = read.value;
  await checkCalls(session);
  for await (const { message, sequences } of findingsIn(session)) {
    hold(/^[^\r\n]+\.$/.test(message), 'a finding is one sentence', () => message);
    hold(sequences.every(Number.isInteger), 'a finding names messages', () => sequences);
  }
  const difference = await diffSessions({ a: session, b: session }, { profile: 'strict', ignore: new IgnoreRules([]) });
  same(
    [difference.contract, difference.sequence, difference.values],
    [[], [], []],
    'a session does not differ from itself',
  );
}

async function checkCalls(session: RecordedSession): Promise<void> {
  const stats = new SessionStats();
  let messages = 0;
  for await (const entry of entriesOf(session)) {
    stats.takeEntry(entry);
    if (entry.kind === 'message') messages++;
  }
  let calls = 0;
  for await (const call of callsOf(session)) {
    stats.takeCall(call);
    calls++;
  }
  hold(calls <= messages, 'there are no more calls than messages', () => ({ calls, messages }));
  same(stats.result().messages, messages, 'all messages are counted');
}
