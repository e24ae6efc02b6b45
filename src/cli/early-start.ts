import { mayBeWrong } from '../redact/redaction-rules.ts';
import type { StdioTargetOptions } from '../transport/outbound/connect-target.ts';
import { startTarget, type TargetProcess } from '../transport/process/target-process.ts';
import type { ProcessFacts } from './context.ts';
import type { CapturePlan } from './flags/capture-options.ts';
import { mayBeWrong as mayBeUnusable } from './flags/interception-options.ts';
import { isWrapping, wrappedOptions } from './flags/wrapped-options.ts';
import { SignalListener } from './terminal/signal-listener.ts';

/** A server that is already starting, and the plan for recording it. */
export interface EarlyStart {
  readonly plan: CapturePlan;
  readonly target: Promise<TargetProcess>;
  /** The id of the process that started mcpreel. */
  readonly parent: number;
  /** Signals from now on are for the server and must not end mcpreel before it can forward them. */
  readonly signals: SignalListener;
}

/** Starts the server of `mcpreel [flags] -- server …` early, unless something must be checked or printed first. */
export function startEarly(args: readonly string[]): EarlyStart | undefined {
  if (!isWrapping(args)) return undefined;
  try {
    const plan = wrappedOptions(args);
    if (plan.kind !== 'stdio') return undefined;
    const { mustRecord, redaction } = plan.options;
    const mustWait =
      mustRecord || mayBeUnusable(plan.interception) || (redaction !== undefined && mayBeWrong(redaction));
    return mustWait
      ? undefined
      : { plan, target: startServer(plan.options, process), parent: process.ppid, signals: new SignalListener() };
  } catch {
    // The rest of the program hits the same error again and reports it.
    return undefined;
  }
}

export function startServer(
  { command, env, cwd }: StdioTargetOptions,
  parent: Pick<ProcessFacts, 'env' | 'platform' | 'kill'>,
): Promise<TargetProcess> {
  return startTarget({
    command,
    cwd,
    env: { ...parent.env, ...env },
    platform: parent.platform,
    kill: (pid, signal) => parent.kill(pid, signal),
  });
}
