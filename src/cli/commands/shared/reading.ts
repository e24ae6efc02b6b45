import { type Stats, statSync } from 'node:fs';
import { Option } from 'commander';
import type { OpenedSession } from '../../../catalog/open-session.ts';
import { readers } from '../../../formats/registry.ts';
import { oneLine } from '../../../present/visible-text.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { usage } from '../../flags/flag-values.ts';
import { gather } from '../../flags/repeated.ts';
import { ProblemReport } from '../../input/problem-report.ts';
import { openWatchedSession } from './open-watched.ts';

/** The argument of commands that read a session. */
export const SESSION = ['[session]', 'file in any supported format, session id, or - for standard input'] as const;

/** The same for commands that read several. */
export const SESSIONS_HELP = 'files in any supported format, session ids, or - for standard input';

/** The flags of commands that read a session. */
export interface ReadingFlags {
  readonly sessionFile?: string;
  readonly format?: string;
  readonly strict?: boolean;
  readonly identity?: readonly string[];
}

export function readingOptions(): Option[] {
  return [
    new Option('--session-file <file>', 'session, if not given as an argument').helpGroup('Input:'),
    new Option('--format <format>', 'input format, see mcpreel import --help')
      .helpGroup('Input:')
      .choices(['auto', ...readers.map(({ id }) => id)])
      .default('auto'),
    new Option('--strict', 'treat warnings as errors').helpGroup('Input:'),
    identityOption(),
  ];
}

export function identityOption(): Option {
  return new Option('--identity <file>', 'age identity file for an encrypted session (repeatable)')
    .argParser(gather)
    .helpGroup('Input:');
}

/**
 * Opens the given session, runs `work` on it and cleans up. With `--strict` the whole session is read once first, so
 * that nothing is written for an invalid one.
 */
export async function* withSession<T>(
  argument: string | undefined,
  flags: ReadingFlags,
  context: CommandEnvironment,
  work: (session: OpenedSession, problems: ProblemReport) => CommandStep<T>,
): CommandStep<T> {
  const { direct, stdin, stateFolder } = context;
  const problems = new ProblemReport(direct, { strict: flags.strict === true });
  const { format, identity: identityFiles } = flags;
  const options = { format, onProblem: problems.add, stateFolder, stdin, identityFiles };
  const session = await openWatchedSession(referenceOf(argument, flags), options, context);
  try {
    if (flags.strict) for await (const _batch of session.batches());
    return yield* work(session, problems);
  } finally {
    problems.close();
    await session.close();
  }
}

/** The session that the command was given. */
export function referenceOf(argument: string | undefined, { sessionFile }: ReadingFlags): string {
  const given = argument ?? sessionFile;
  if (given === undefined) {
    throw usage('No session given', 'Pass a file, a session id, or - for standard input.');
  }
  if (argument !== undefined && sessionFile !== undefined) {
    throw usage(`The session is given twice: ${argument} and --session-file ${sessionFile}`, 'Remove one of them.');
  }
  return given;
}

/** Throws if standard input or a named pipe is given twice, because it would be empty the second time. */
export function refuseSecondInput(references: readonly string[]): void {
  const pipes = new Set<string>();
  for (const reference of references) {
    const status = reference === '-' ? undefined : statusOf(reference);
    if (reference !== '-' && status?.isFIFO() !== true) continue;
    const pipe = status === undefined ? reference : `${status.dev}:${status.ino}`;
    if (pipes.has(pipe)) {
      const what = reference === '-' ? 'Standard input' : `The pipe ${oneLine(reference)}`;
      throw usage(`${what} is given twice`, 'Pass a file for one of them.');
    }
    pipes.add(pipe);
  }
}

function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
