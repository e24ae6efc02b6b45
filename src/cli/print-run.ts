import type { CommandRun } from './command-run.ts';
import type { CommandOutput } from './output.ts';

/**
 * Prints the parts of a command's output as it yields them; resolves with its exit code. The command continues when a
 * part is written. A failed write is thrown into the command where it yielded, so that it can clean up.
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
