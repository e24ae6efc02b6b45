import { ObjectView } from '../../../json/object-view.ts';
import { inOwnMemory } from '../../../json/own-memory.ts';
import type { Call } from '../../calls/call.ts';
import type { Finder } from '../finder.ts';
import type { EventPlace } from '../finding.ts';
import { callText, quoted } from '../wording.ts';

/** The number of lines on stderr that a finding quotes, and the number of characters of each. */
const MAX_LINES = 3;
const MAX_LINE = 400;

/** The number of open calls that a finding lists. */
const MAX_CALLS = 10;

/** Signals with which a program crashes. Others were sent to it. */
const CRASHES = /^SIG(?:SEGV|ABRT|BUS|ILL|FPE|TRAP|SYS)$/;

/** The exit code that mcpreel records for a server that could not be started. */
const NOT_STARTED = 127;

/** How the error begins if mcpreel starts the server for its clients. */
const STARTING = /^the server could not be started: /;

/** Finds servers that ended before they had answered, or with an error. */
export const serverExit: Finder = {
  codes: ['server-exited'],
  watch(report, { exit }) {
    const stderr: string[] = [];
    const open: Call[] = [];
    let wasSignalled = false;
    let end: { readonly error: string; readonly place: EventPlace } | undefined;
    let lastSequence: number | undefined;
    return {
      message({ entry }) {
        lastSequence = entry.sequence;
      },
      event({ event, raw }, place) {
        const view = event === 'stdio.stderr' || event === 'mcpreel.action' ? ObjectView.of(raw) : undefined;
        if (event === 'mcpreel.action') wasSignalled ||= view?.string('action') === 'signal';
        const error = view?.string('action') === 'exit' ? view.string('error') : undefined;
        if (error !== undefined) end ??= { error: inOwnMemory(error.slice(0, MAX_LINE)), place };
        const line = event === 'stdio.stderr' ? view?.string('text')?.trim() : undefined;
        if (!line) return;
        stderr.push(inOwnMemory(line.slice(0, MAX_LINE)));
        if (stderr.length > MAX_LINES) stderr.shift();
      },
      call(call) {
        const isOpen = call.status === 'pending' && call.answer === undefined && !call.isProbe;
        const isAwaited = isOpen && call.direction === 'client_to_server' && !call.request.dropped;
        if (isAwaited && open.length < MAX_CALLS) open.push(call);
      },
      end() {
        if (end !== undefined && (exit?.code === NOT_STARTED || STARTING.test(end.error))) {
          report('server-exited', `The server could not be started: ${end.error.replace(STARTING, '')}.`, end.place);
          return;
        }
        if (exit === undefined) return;
        const first = open.find(({ method }) => method === 'initialize') ?? open[0];
        const isFatal = CRASHES.test(exit.signal ?? '');
        // After a signal from mcpreel, any exit code is expected.
        const isError = isFatal || (exit.signal === undefined && exit.code !== 0 && !wasSignalled);
        const isEarly = exit.code === 0 ? first?.method === 'initialize' : first !== undefined;
        if (!isError && !isEarly) return;
        const how = exit.signal === undefined ? `exited with status ${exit.code}` : `was killed by ${exit.signal}`;
        const when =
          first !== undefined
            ? ` before it responded to ${callText(first)}`
            : lastSequence === undefined
              ? ' before any message'
              : '';
        const lines = stderr.map(quoted).join(', ');
        const last = lines === '' ? '' : ` Last lines on stderr: ${lines}.`;
        const evidence = open.map(({ request }) => request.sequence);
        const place = { event: 'end', atMs: exit.atMs, after: lastSequence };
        report('server-exited', `The server ${how}${when}.${last}`, evidence.length > 0 ? evidence : place);
      },
    };
  },
};
