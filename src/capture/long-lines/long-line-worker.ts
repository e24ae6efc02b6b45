import { parentPort, workerData } from 'node:worker_threads';
import type { LongStdioLine } from '../../record/stdio-traffic.ts';
import type { RedactionRules } from '../../redact/redaction-rules.ts';
import { redactorFor } from '../../redact/redactor-for.ts';
import { readLongLine } from './read-long-line.ts';

/** What the worker needs to redact as the session does. */
export interface LongLineRules {
  readonly rules: RedactionRules;
  readonly salt: string;
  readonly exactValues: readonly string[];
}

/** The worker thread of a session, which reads its long lines one by one. */
const { rules, ...secrets } = workerData as LongLineRules;

parentPort?.on('message', (line: LongStdioLine) => {
  // A new redactor for each line: earlier lines are not known here.
  void redactorFor(rules, secrets).then((redactor) => parentPort?.postMessage(readLongLine(line, redactor)));
});
