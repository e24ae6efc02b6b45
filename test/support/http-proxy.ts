import type { McpreelProcess, Outcome } from './mcpreel-process.ts';
import type { Place } from './place.ts';
import { parseTrace } from './recordings.ts';

export interface HttpProxy {
  /** Where clients connect. */
  readonly url: string;
  readonly process: McpreelProcess;
  /** Ends it as Ctrl-C would, and gives what it recorded. */
  stop(): Promise<{ readonly outcome: Outcome; readonly trace: ReturnType<typeof parseTrace> }>;
}

/** Starts mcpreel with a listener in front of a target. */
export async function startProxy(place: Place, flags: readonly string[]): Promise<HttpProxy> {
  const traceFile = 'trace.jsonl';
  const process = place.start(['proxy', 'start', '--listen-port', '0', '--trace-file', traceFile, ...flags]);
  const [, url = ''] = await process.noted(/^mcpreel: Listening on (\S+)/m);
  return {
    url,
    process,
    async stop() {
      process.signal('SIGINT');
      const outcome = await process.ended;
      return { outcome, trace: parseTrace(place.read(traceFile)) };
    },
  };
}
