import { randomUUID } from 'node:crypto';
import type { MockForwarding } from '../../../mock/forwarding.ts';
import type { MatchLevel } from '../../../mock/match-keys.ts';
import type { MockReport } from '../../../mock/mock-report.ts';
import type { ExhaustedPolicy, MockServer, ReplyTiming } from '../../../mock/mock-server.ts';
import type { OpenMock } from '../../../mock/open-mock.ts';
import { numberText } from '../../../model/message-number.ts';
import type { RecordedSession } from '../../../model/session.ts';
import { callTitle } from '../../../present/call-words.ts';
import { countOf } from '../../../present/figures.ts';
import { oneLine, visible } from '../../../present/visible-text.ts';
import type { RecordedDialogue } from '../../../recorded/recorded-dialogue.ts';
import { isLoopback } from '../../../transport/http/loopback.ts';
import type { CommandEnvironment } from '../../context.ts';
import { EXIT } from '../../exit-codes.ts';
import type { CaptureFlagValues } from '../../flags/capture-flags.ts';
import { listenFrom } from '../../flags/connection-options.ts';
import { usage } from '../../flags/flag-values.ts';
import { ProblemReport } from '../../input/problem-report.ts';
import { endSignal } from '../../terminal/signal-listener.ts';
import { openWatchedSession } from '../shared/open-watched.ts';
import { type ReadingFlags, referenceOf } from '../shared/reading.ts';
import { forwardingFor, isAll, type MissPlan, missPlanFrom, type RecordMode } from './mock-forward.ts';

/** The flags of `mock`, apart from the connection flags. */
export interface MockFlags extends ReadingFlags {
  readonly match: MatchLevel;
  readonly exhausted: ExhaustedPolicy;
  readonly onMiss: 'error' | 'forward';
  readonly recordMode?: RecordMode;
  readonly timing: string;
  readonly failOnMiss?: boolean;
}

type ListenChoice = ReturnType<typeof listenFrom>;

/** Serves a recording until the client disconnects or a signal arrives; returns the exit status. */
export async function runMock(
  argument: string | undefined,
  flags: MockFlags,
  values: CaptureFlagValues,
  context: CommandEnvironment,
): Promise<number> {
  const listen = listenFrom(values, 'stdio', context.stdin.isTTY === true);
  const timing = timingFrom(flags.timing);
  const reference = referenceOf(argument, flags);
  if (reference === '-' && listen.transport === 'stdio') {
    throw usage(
      'The recording and the client cannot both use standard input',
      'Pass a file, or --listen-transport streamable-http.',
    );
  }
  const note = (line: string): void => context.direct.note(visible(line));
  const plan = missPlanFrom(reference, flags, values, context.env.CI === 'true', note);
  const ended = endSignal();
  try {
    return await serve(reference, { flags, listen, timing, plan, note, ended: ended.came }, context);
  } finally {
    ended.stop();
  }
}

interface MockWork {
  readonly flags: MockFlags;
  readonly listen: ListenChoice;
  readonly timing: ReplyTiming;
  readonly plan: MissPlan;
  readonly note: (line: string) => void;
  readonly ended: Promise<unknown>;
}

async function serve(
  reference: string,
  { flags, listen, timing, plan, note, ended }: MockWork,
  context: CommandEnvironment,
): Promise<number> {
  const loaded = await loadRecording(reference, flags, plan, context);
  try {
    let mock: OpenMock | undefined;
    const forwarding = await forwardingFor(plan, loaded.dialogues, note, () => mock?.listener, context);
    const { MockServer } = await import('../../../mock/mock-server.ts');
    const mockServer = new MockServer(isAll(plan) ? [] : loaded.dialogues, {
      match: flags.match,
      exhausted: flags.exhausted,
      timing,
      label: loaded.session.header.label,
      note,
      openFallback: forwarding?.openFallback,
    });
    mock = await openMock(mockServer, listen, context);
    if (mock.url !== undefined) announce(mock.url, listen, reference, note);
    await Promise.race([mock.left, ended]);
    await mock.close();
    mockServer.close();
    await forwarding?.close();
    await keep(loaded.session, plan, forwarding, reference, note);
    const report = mockServer.report();
    for (const line of summaryLines(report, reference)) note(line);
    return statusOf(report, flags);
  } finally {
    await loaded.close();
  }
}

async function openMock(
  mockServer: MockServer,
  listen: ListenChoice,
  { ownStreams }: CommandEnvironment,
): Promise<OpenMock> {
  const { mockOnListener, mockOnStreams } = await import('../../../mock/open-mock.ts');
  if (listen.transport === 'stdio') return mockOnStreams(mockServer, ownStreams());
  return mockOnListener(mockServer, listen, { nowMs: Date.now, newId: randomUUID });
}

function announce(url: string, listen: ListenChoice, reference: string, note: (line: string) => void): void {
  if ('host' in listen && !isLoopback(listen.host)) {
    note(`mcpreel: WARNING: other machines can connect to ${url} (--allow-remote)`);
  }
  note(`mcpreel: Listening on ${url}, serving ${reference}`);
}

function statusOf({ missed, forwarded }: MockReport, { failOnMiss }: MockFlags): number {
  return failOnMiss === true && missed > forwarded ? EXIT.doesNotHold : EXIT.done;
}

function timingFrom(given: string): ReplyTiming {
  if (given === 'none') return 'none';
  if (given === 'recorded') return 1;
  const speed = /^\d{1,6}(\.\d{1,6})?$/.test(given) ? Number(given) : 0;
  if (speed > 0) return speed;
  throw usage(`Unknown --timing: ${given}`, 'Use none, recorded, or a speed like 10.');
}

/** At most this many unused and missed requests are listed. */
const MAX_NAMED = 20;

/** The summary at the end: answered, unused and missed requests. */
function summaryLines({ answered, recorded, unused, missed, misses }: MockReport, name: string): string[] {
  const head = `Answered ${countOf(answered, 'request')} from ${name}; ${unused.length} of ${recorded} recorded requests unused, ${missed} without a match`;
  const leftOver = unused.map((request) => `  unused: ${numberText(request.sequence)} ${callTitle(request)}`);
  const lacking = misses.map(({ message, isForwarded }) => `  ${isForwarded ? 'forwarded: ' : ''}${message}`);
  const lines = [head, ...shortened(leftOver, unused.length), ...shortened(lacking, missed)];
  return lines.map((line) => `mcpreel: ${oneLine(line)}`);
}

/** The first lines, and how many were left out. */
function shortened(lines: readonly string[], count: number): string[] {
  const rest = count - MAX_NAMED;
  return rest <= 0 ? [...lines] : [...lines.slice(0, MAX_NAMED), `  … and ${rest} more`];
}

/** A recording in memory, kept open while entries may be added to it. */
interface LoadedMock {
  readonly session: RecordedSession;
  readonly dialogues: readonly RecordedDialogue[];
  close(): Promise<void>;
}

/** Reads the recording to serve, or starts a new one if it does not exist. */
async function loadRecording(
  reference: string,
  flags: ReadingFlags,
  plan: MissPlan,
  context: CommandEnvironment,
): Promise<LoadedMock> {
  const { dialoguesOf } = await import('../../../recorded/recorded-dialogue.ts');
  if (plan.kind === 'forward' && !plan.exists) {
    await refuseId(reference, context);
    return loadNothing(reference, plan);
  }
  const problems = new ProblemReport(context.direct, { strict: flags.strict === true });
  const { stateFolder, stdin } = context;
  const { format, identity: identityFiles } = flags;
  const options = { stateFolder, stdin, format, identityFiles, onProblem: problems.add };
  const session = await openWatchedSession(reference, options, context);
  try {
    if (plan.kind === 'forward') {
      const { assertRewritable } = await import('../../../recorded/rewritable-recording.ts');
      await assertRewritable(reference, session.format);
    }
    const dialogues = await dialoguesOf(session, 'client');
    if (plan.kind === 'error') {
      const { assertAnswers } = await import('../../../mock/new-recording.ts');
      assertAnswers(dialogues, reference);
    }
    return { session, dialogues, close: () => session.close() };
  } catch (error) {
    await session.close();
    throw error;
  } finally {
    problems.close();
  }
}

/** Adds the new exchanges to the recording, or replaces it with them. */
async function keep(
  session: RecordedSession,
  plan: MissPlan,
  forwarding: MockForwarding | undefined,
  reference: string,
  note: (line: string) => void,
): Promise<void> {
  if (plan.kind === 'error' || forwarding === undefined || forwarding.recording.size === 0) return;
  const { saveRecording } = await import('../../../recorded/rewritable-recording.ts');
  const { withoutEntries } = await import('../../../mock/forwarding.ts');
  const { recording } = forwarding;
  await saveRecording(recording.added(isAll(plan) ? withoutEntries(session) : session), reference);
  note(`mcpreel: Added ${countOf(recording.size, 'message')} to ${reference}`);
}

/** A session id cannot name a new recording, because that recording would not contain the session. */
async function refuseId(reference: string, { stateFolder }: CommandEnvironment): Promise<void> {
  const { findTrace } = await import('../../../catalog/trace-names.ts');
  const trace = await findTrace(stateFolder, reference);
  if (trace !== undefined) throw usage(`Cannot record to ${reference}: it is a session id`, `Name its file: ${trace}`);
}

async function loadNothing(reference: string, { target }: Extract<MissPlan, { kind: 'forward' }>): Promise<LoadedMock> {
  const [{ headerOf }, { emptyRecording }] = await Promise.all([
    import('../../../mock/forwarding.ts'),
    import('../../../mock/new-recording.ts'),
  ]);
  const session = emptyRecording(reference, headerOf(target, { nowMs: Date.now, newId: randomUUID }));
  return { session, dialogues: [], close: async () => undefined };
}
