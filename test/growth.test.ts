import { describe, it } from 'vitest';
import { callsOf } from '../src/analysis/calls/call-tracker.ts';
import { diffSessions } from '../src/analysis/diff/diff.ts';
import { IgnoreRules } from '../src/analysis/diff/ignore-rules.ts';
import { findingsIn } from '../src/analysis/findings/session-findings.ts';
import { SessionStats } from '../src/analysis/stats/stats.ts';
import { writers } from '../src/formats/registry.ts';
import { trace } from '../src/formats/trace/trace.ts';
import type { RecordedSession } from '../src/model/session.ts';
import { SessionLog } from '../src/present/session-log/session-log.ts';
import { redactedSession } from '../src/redact/redacted-session.ts';
import { sourceOf } from './contract/memory-source.ts';
import { CALL_SHAPES, OTHER_SHAPES, shapedTrace } from './support/call-shapes.ts';
import { expectLinearGrowth } from './support/growth.ts';
import { inLongRuns, isLongRun } from './support/long-run.ts';

async function drain(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

const ANALYSES: Readonly<Record<string, (session: RecordedSession) => Promise<unknown>>> = {
  calls: (session) => drain(callsOf(session)),
  findings: (session) => drain(findingsIn(session)),
  stats: async (session) => {
    const stats = new SessionStats();
    for await (const call of callsOf(session)) stats.takeCall(call);
    return stats;
  },
  diff: (session) => diffSessions({ a: session, b: session }, { profile: 'strict', ignore: new IgnoreRules([]) }),
  redaction: (session) => drain(redactedSession(session, { mode: 'secrets', salt: 'salt' }).batches()),
  'the terminal UI': async (session) => {
    const log = new SessionLog();
    for await (const batch of session.batches()) log.add(batch);
  },
  ...Object.fromEntries(writers.map((writer) => [writer.id, (session) => drain(writer.write(session))])),
};

const TIMES = 16;
const CALLS = isLongRun ? 1250 : 100;

async function read(text: string): Promise<RecordedSession> {
  return trace.read(sourceOf(text), { onProblem: () => undefined });
}

const SHAPES = Object.entries(CALL_SHAPES);

describe.each(inLongRuns([...SHAPES, ...Object.entries(OTHER_SHAPES)], SHAPES))(
  'a session of %s',
  { timeout: 120_000 },
  (_, shape) => {
    const [small, large] = [shapedTrace(shape, CALLS), shapedTrace(shape, TIMES * CALLS)];
    it.each(Object.entries(ANALYSES))(
      'analyzes a session in time that grows only with its size: %s',
      async (_name, analyze) => {
        await expectLinearGrowth({
          small: async () => analyze(await read(small)),
          large: async () => analyze(await read(large)),
          times: TIMES,
        });
      },
    );
  },
);
