import type { McpreelProcess, Outcome } from './mcpreel-process.ts';
import type { Place } from './place.ts';
import { parseTrace } from './recordings.ts';

export interface HttpProxy {
  readonly url: string;
  readonly process: McpreelProcess;
  /** Stops mcpreel as Ctrl-C would, and returns its recording. */
  stop(): Promise<{ readonly outcome: Outcome; readonly trace: ReturnType<typeof parseTrace> }>;
}

/** Starts mcpreel with a listener in front of a target. Without a trace file flag it records to the state folder. */
export async function startProxy(
  place: Place,
  flags: readonly string[],
  traceFile: string | null = 'trace.jsonl',
  env: Readonly<Record<string, string>> = {},
): Promise<HttpProxy> {
  const kept = traceFile === null ? [] : ['--trace-file', traceFile];
  const process = place.start(['proxy', 'start', '--listen-port', '0', ...kept, ...flags], env);
  const [, url = ''] = await process.noted(/^mcpreel: Listening on (\S+)/m);
  return {
    url,
    process,
    async stop() {
      process.signal('SIGINT');
      const outcome = await process.ended;
      return { outcome, trace: parseTrace(traceFile === null ? place.trace() : place.read(traceFile)) };
    },
  };
}
