import type { Option } from 'commander';
import type { OpenedSession } from '../../../catalog/open-session.ts';
import { ReelError } from '../../../model/errors.ts';
import { oneLine } from '../../../present/visible-text.ts';
import type { CommandStep } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { ProblemReport } from '../../input/problem-report.ts';
import { describeError } from '../../output.ts';
import { openWatchedSession } from './open-watched.ts';
import { type ReadingFlags, readingOptions, refuseSecondInput } from './reading.ts';

export interface SkippedFile {
  readonly file: string;
  readonly reason: string;
}

/** The flags of commands that read many sessions. */
export type ManyFlags = Omit<ReadingFlags, 'sessionFile'>;

export function manyReadingOptions(): Option[] {
  return readingOptions().filter(({ long }) => long !== '--session-file');
}

/** What could not be read. */
export interface LeftOut {
  readonly skipped: readonly SkippedFile[];
  /** The files that were read, but not all of them. */
  readonly damaged: readonly SkippedFile[];
  /** The number of unreadable parts in the files that were read. */
  readonly problems: number;
}

/**
 * Opens the sessions one after another and runs `work` on each. A session that cannot be read is reported and skipped.
 * With `strict` the first such session throws; `work` may have run on it up to the failure.
 */
export async function* throughSessions(
  references: readonly string[],
  { format, strict = false, identity: identityFiles }: ManyFlags,
  context: CommandEnvironment,
  work: (session: OpenedSession, file: string) => CommandStep | Promise<void>,
): CommandStep<LeftOut> {
  refuseSecondInput(references);
  const { direct, stdin, stateFolder, progress } = context;
  const skipped: SkippedFile[] = [];
  const damaged: SkippedFile[] = [];
  let problemCount = 0;
  for (const [index, reference] of references.entries()) {
    progress?.turnTo(index + 1, references.length);
    const file = reference === '-' ? 'standard input' : reference;
    const problems = new ProblemReport(direct, { strict });
    const options = { format, onProblem: problems.add, stateFolder, stdin, identityFiles };
    try {
      const session = await openWatchedSession(reference, options, context);
      try {
        if (strict) for await (const _batch of session.batches());
        const working = work(session, file);
        if (working instanceof Promise) await working;
        else yield* working;
      } finally {
        await session.close();
        problems.close();
        problemCount += problems.count;
      }
      if (problems.summary !== undefined) damaged.push({ file, reason: problems.summary });
    } catch (error) {
      if (strict || !(error instanceof ReelError) || error.code === 'usage') throw error;
      const reason = describeError(error).replace(/^Error: /, '');
      skipped.push({ file, reason });
      // If it was the only session, there is nothing to continue with, so the full error is shown.
      yield { note: references.length === 1 ? describeError(error) : oneLine(`Skipped ${file}: ${reason}`) };
    }
  }
  if (skipped.length === references.length && skipped.length > 1) {
    yield { note: 'Error: No session could be read' };
  }
  return { skipped, damaged, problems: problemCount };
}
