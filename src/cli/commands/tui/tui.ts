import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Command, Option } from 'commander';
import { type OpenedSession, openSource, readOpened } from '../../../catalog/open-session.ts';
import { isOwnRecording } from '../../../catalog/own-recording.ts';
import { BatchPlaces } from '../../../formats/trace/entry-block.ts';
import { ReelError } from '../../../model/errors.ts';
import { openTraceSource } from '../../../record/trace-source.ts';
import type { RunningSession } from '../../../state/live-sessions.ts';
import type { OpenedRecording, ScreenSubject } from '../../../tui/run-screen.tsx';
import type { CommandEnvironment } from '../../context.ts';
import { examples } from '../../examples.ts';
import { usage } from '../../flags/flag-values.ts';
import { untilInterrupted } from '../../terminal/interruption.ts';
import { allRunning } from '../sessions/sessions-lookup.ts';
import { completeTraces } from '../shared/complete-traces.ts';
import { type ReadingFlags, readingOptions, referenceOf } from '../shared/reading.ts';
import { guardServer, startGuarded } from './tui-guard.ts';

interface TuiFlags extends Omit<ReadingFlags, 'strict'> {
  readonly ofProcess?: string;
  readonly listening?: string;
  readonly guard?: boolean;
}

export function tuiCommand(context: CommandEnvironment): Command {
  const command = new Command('tui');
  for (const option of readingOptions()) if (option.long !== '--strict') command.addOption(option);
  return command
    .description('terminal UI: watch and control sessions, running or recorded')
    .argument('[session]', 'id of a running session, or file or id of a recording')
    .addOption(new Option('--of-process <pid>', 'the session of this process, which ends with the screen').hideHelp())
    .addOption(new Option('--listening <url>', 'where its clients connect').hideHelp())
    .addOption(new Option('--guard', 'end the server of a replay when the screen is gone').hideHelp())
    .addHelpText('after', examples(['mcpreel tui', 'mcpreel tui 59993f63', 'mcpreel tui session.json']))
    .action((reference: string | undefined, flags: TuiFlags) =>
      flags.guard === true ? guardServer() : context.execute(runTui(reference, flags, context)),
    );
}

async function runTui(reference: string | undefined, flags: TuiFlags, context: CommandEnvironment): Promise<number> {
  const { stdin, stdout } = context.ownStreams();
  if (!stdin.isTTY || !stdout.isTTY) {
    throw usage(
      'mcpreel tui needs a terminal',
      'To print a session: mcpreel inspect. To control one from a script: mcpreel hold',
    );
  }
  const owner = flags.ofProcess === undefined ? undefined : Number(flags.ofProcess);
  const running = async (): Promise<RunningSession[]> => {
    const known = await allRunning(context);
    const runs = new Set(known.filter(({ socket }) => socket !== undefined).map(({ pid }) => pid));
    // A conversation with its own trace has no control socket. It is controlled through its run.
    return known
      .filter(({ pid }) => runs.has(pid) && (owner === undefined || pid === owner))
      .sort((a, b) => a.startedAtMs - b.startedAtMs);
  };
  const subject =
    owner === undefined
      ? await subjectFor(reference, flags, running, context)
      : { kind: 'live' as const, session: await sessionOf(owner, running) };
  const { runScreen } = await import('../../../tui/run-screen.tsx');
  stepBack();
  const interruption = untilInterrupted();
  await runScreen({
    subject,
    stdin,
    stdout,
    env: context.env,
    platform: context.platform,
    temporaryFolder: tmpdir(),
    folder: context.cwd(),
    newId: randomUUID,
    startServer: (target) => startGuarded(target, context),
    nowMs: Date.now,
    openTrace: openTraceSource,
    running,
    ownsSession: owner !== undefined,
    listening: flags.listening,
    interrupted: interruption.came,
  });
  if (subject.kind === 'recorded') await subject.session.close();
  return interruption.status();
}

/** Lowers the priority of the screen, because client and server need the CPU more. */
function stepBack(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
    // On Linux the call affects one thread; the compiler and garbage collector threads are just as busy.
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), constants.priority.PRIORITY_LOW);
  } catch {
    // The system may not permit or support this.
  }
}

/** A recorded session may have temporary files to remove. */
type TuiSubject =
  | Exclude<ScreenSubject, { kind: 'recorded' }>
  | ({ kind: 'recorded'; place: string; isOwn: boolean } & OpenedRecording & { session: OpenedSession });

async function subjectFor(
  argument: string | undefined,
  flags: TuiFlags,
  running: () => Promise<RunningSession[]>,
  context: CommandEnvironment,
): Promise<TuiSubject> {
  const { stateFolder } = context;
  if (argument === undefined && flags.sessionFile === undefined) return { kind: 'any' };
  const reference = referenceOf(argument, flags);
  const requested = reference.toLowerCase();
  const matching = (await running()).filter(
    ({ id, trace }) => id.toLowerCase().startsWith(requested) || trace === reference,
  );
  const [live] = matching;
  if (live !== undefined && matching.length === 1) return { kind: 'live', session: live };
  await completeTraces(context, reference);
  const opened = await openSource(reference, { stateFolder, format: flags.format, identityFiles: flags.identity });
  const places = new BatchPlaces();
  const session = await readOpened(opened, { format: flags.format, onPlaced: places.note });
  const isOwn = isOwnRecording(opened.source.name, session, stateFolder);
  return { kind: 'recorded', session, source: opened.source, places, place: reference, isOwn };
}

const PATIENCE_MS = 10_000;
const BETWEEN_LOOKS_MS = 20;

/** The session of a process that has just started, or is about to start it. */
async function sessionOf(pid: number, running: () => Promise<RunningSession[]>): Promise<RunningSession> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await delay(BETWEEN_LOOKS_MS)) {
    const session = (await running()).find((candidate) => candidate.pid === pid && candidate.socket !== undefined);
    if (session !== undefined) return session;
  }
  throw new ReelError('session-not-found', `Process ${pid} has no running session`);
}
