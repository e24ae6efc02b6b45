import { isWrapping } from '../../src/cli/flags/wrapped-options.ts';
import { runInProcess } from './in-process.ts';
import type { Outcome } from './mcpreel-process.ts';
import { Place, type RunOptions } from './place.ts';

/**
 * Tests what a command reads, prints and writes. `run` executes the code in `src` in this process, which takes a few
 * milliseconds. Wrapped servers and `runBuilt` use the built program, because Node reads some settings, like the time
 * zone and the temporary folder, once per process.
 */
export class CommandPlace extends Place {
  override run(args: readonly string[], { input = '', env = {} }: RunOptions = {}): Promise<Outcome> {
    if (isWrapping(args)) return this.runBuilt(args, { input, env });
    return runInProcess(args, { cwd: this.folder, env: { ...this.environment(), ...env }, input });
  }

  /** Runs the built program here until it exits. */
  runBuilt(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
    return super.run(args, options);
  }
}
