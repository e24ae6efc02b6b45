import type { CommandRun } from './command-run.ts';
import type { CommandOutput } from './output.ts';

/**
 * Prints the parts of a command's output as it yields them, and resolves with its exit code. The command goes on when a part
 * is written; a write that fails is thrown into it where it yielded, so that it can close what it opened.
 */
export async function printRun(run: CommandRun, output: Pick<CommandOutput, 'part'>): Promise<number | undefined> {
  if (run instanceof Promise) return run;
  let step = await run.next();
  while (!step.done) {
    try {
      await output.part(step.value);
    } catch (error) {
      step = await run.throw(error);
      continue;
    }
    step = await run.next();
  }
  return step.value ?? undefined;
}
