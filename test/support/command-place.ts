import { isWrapping } from '../../src/cli/flags/wrapped-options.ts';
import { runInProcess } from './in-process.ts';
import type { Outcome } from './mcpreel-process.ts';
import { Place, type RunOptions } from './place.ts';

/**
 * A place for tests of what a command reads, prints and writes. `run` uses the code of `src` in this process, which takes a
 * few milliseconds. A wrapped server gets the built program, and so does whoever calls `runBuilt`: what Node reads for
 * itself, like the time zone and the folder for temporary files, belongs to a process.
 */
export class CommandPlace extends Place {
  override run(args: readonly string[], { input = '', env = {} }: RunOptions = {}): Promise<Outcome> {
    if (isWrapping(args)) return this.runBuilt(args, { input, env });
    return runInProcess(args, { cwd: this.folder, env: { ...this.environment(), ...env }, input });
  }

  /** Runs the built program here until it ends. */
  runBuilt(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
    return super.run(args, options);
  }
}
