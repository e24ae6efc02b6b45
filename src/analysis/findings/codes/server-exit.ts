import { ObjectView } from '../../../json/object-view.ts';
import { inOwnMemory } from '../../../json/own-memory.ts';
import type { Call } from '../../calls/call.ts';
import type { Finder } from '../finder.ts';
import type { EventPlace } from '../finding.ts';
import { callText, inline, quoted } from '../wording.ts';

/** The number of lines on stderr that are kept and that a finding quotes, and the number of characters of each. */
const MAX_KEPT = 50;
const MAX_LINES = 3;
const MAX_LINE = 400;

/** The frames of a stack and what runtimes print around it, which do not show what happened. */
const STACK =
  /^(?:at |\^+$|[)\]}]+,?;?$|Node\.js v\d|node:internal\/|File "|Traceback |goroutine \d|stack backtrace:|note: run with `RUST_BACKTRACE|\d+: |\w+: (?:'[A-Z_]+'|-?\d+|\[\]),?$)/;

/** The line of a crash that shows what happened. */
const CRASH_LINE = /^(?:Uncaught )?(?:[\w.$]*(?:Error|Exception)\b[^:]{0,60}: |panic: |thread '.*' panicked)/;

/** The number of open calls that a finding lists. */
const MAX_CALLS = 10;

/** Signals with which a program crashes, and the one with which the system ends it. Others ask it to end. */
const CRASHES = /^SIG(?:SEGV|ABRT|BUS|ILL|FPE|TRAP|SYS|KILL)$/;

/** Signals that mcpreel passes on, but that do not end a session. */
const NOTICES = /^SIGUSR[12]$/;

/** The number of different signals that are remembered. */
const MAX_SIGNALS = 20;

/** The exit code that mcpreel records for a server that could not be started. */
const NOT_STARTED = 127;

/** How the error begins if mcpreel starts the server for its clients. */
const STARTING = /^(?:the server could not be started: |Cannot start ")/;

/** The error if such a server ended by itself, also as version 1.0 worded it. */
const ENDED = /^the server (?:(?:exited|ended) with status (\d+)|was (?:killed|ended) by (SIG\w+))$/;

/** The end of a server or of the connection to it, which mcpreel reports for a listener's client. */
interface LostServer {
  readonly error: string;
  readonly place: EventPlace;
  readonly conversation: number;
  readonly stderr: string;
  readonly open: Call[];
}

/** The number of such ends that are distinguished. */
const MAX_LOST = 1000;

/** Finds servers that ended before they had answered, or with an error. */
export const serverExit: Finder = {
  codes: ['server-exited'],
  watch(report, { exit }) {
    const stderr: string[] = [];
    const open: Call[] = [];
    const lost: LostServer[] = [];
    const signals = new Set<string>();
    // The server was asked to end, and the client has not continued since.
    let isStopped = false;
    let lastSequence: number | undefined;
    const reportEnd = ({ error, place, stderr: lines, open: calls }: LostServer): void => {
      if (exit?.code === NOT_STARTED || STARTING.test(error)) {
        report('server-exited', `${notStarted(error)}.`, place);
        return;
      }
      const [isEnd, code, signal] = ENDED.exec(error) ?? [];
      if (calls.length === 0 && (isEnd === undefined || code === '0')) return;
      const when = beforeAnswering(calls, place.after);
      const evidence = calls.length > 0 ? sequencesOf(calls) : place;
      if (isEnd === undefined) {
        report('server-exited', `The connection to the server was lost${when}: ${inline(error)}.`, evidence);
      } else report('server-exited', `The server ${howItEnded(code, signal)}${when}.${lines}`, evidence);
    };
    return {
      message({ entry, envelope }) {
        lastSequence = entry.sequence;
        if (entry.direction === 'client_to_server' && envelope.kind === 'request') isStopped = false;
      },
      event({ event, raw, conversation = 0 }, place) {
        const view = event === 'stdio.stderr' || event === 'mcpreel.action' ? ObjectView.of(raw) : undefined;
        const signal = view?.string('action') === 'signal' ? view.string('signal') : undefined;
        if (signal !== undefined) {
          if (signals.size < MAX_SIGNALS) signals.add(inOwnMemory(signal.slice(0, MAX_LINE)));
          isStopped ||= !NOTICES.test(signal);
        }
        const error = view?.string('action') === 'exit' ? view.string('error') : undefined;
        if (error !== undefined && !isStopped && lost.length < MAX_LOST) {
          const said = inOwnMemory(error.slice(0, MAX_LINE));
          lost.push({ error: said, place, conversation, stderr: stderrText(stderr), open: [] });
        }
        const line = event === 'stdio.stderr' && view !== undefined ? textOf(view)?.trim() : undefined;
        if (!line) return;
        stderr.push(inOwnMemory(line.slice(0, MAX_LINE)));
        if (stderr.length > MAX_KEPT) stderr.shift();
      },
      call(call) {
        if (call.direction !== 'client_to_server' || call.isProbe || call.request.dropped) return;
        const isOpen = call.status === 'pending' && call.answer === undefined;
        if (isOpen) note(call, open);
        const end = lost.findLast(({ conversation }) => conversation === call.conversation);
        // mcpreel answers the open requests of a client that has lost its server.
        if (end !== undefined && (isOpen || call.answer?.injected === true)) note(call, end.open);
      },
      end() {
        if (lost.length > 0) {
          for (const end of lost) reportEnd(end);
          return;
        }
        if (exit === undefined) return;
        // After a request to end, any end but a crash is expected, whatever was open.
        const isFatal = CRASHES.test(exit.signal ?? '');
        if (exit.signal === undefined ? isStopped : signals.has(exit.signal)) return;
        const isError = isFatal || (exit.signal === undefined && exit.code !== 0);
        const isEarly = exit.code === 0 ? open.some(isInitialize) : open.length > 0;
        if (!isError && !isEarly) return;
        const how = howItEnded(String(exit.code), exit.signal);
        const when = beforeAnswering(open, lastSequence);
        const place = { event: 'end', atMs: exit.atMs, after: lastSequence };
        const evidence = open.length > 0 ? sequencesOf(open) : place;
        report('server-exited', `The server ${how}${when}.${stderrText(stderr)}`, evidence);
      },
    };
  },
};

function notStarted(error: string): string {
  return error.startsWith('Cannot start ') ? error : `The server could not be started: ${error.replace(STARTING, '')}`;
}

/** The text of a line. Of one that is not UTF-8, the bytes were recorded. */
function textOf(line: ObjectView): string | undefined {
  const base64 = line.string('base64');
  if (base64 === undefined) return line.string('text');
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

function note(call: Call, calls: Call[]): void {
  if (calls.length < MAX_CALLS) calls.push(call);
}

function isInitialize({ method }: Call): boolean {
  return method === 'initialize';
}

function sequencesOf(calls: readonly Call[]): number[] {
  return calls.map(({ request }) => request.sequence);
}

function howItEnded(code: string | undefined, signal: string | undefined): string {
  return signal === undefined ? `exited with ${code}` : `was killed by ${signal}`;
}

function beforeAnswering(open: readonly Call[], lastSequence: number | undefined): string {
  const first = open.find(isInitialize) ?? open[0];
  const others = open.length > 1 ? ` and ${open.length - 1} more` : '';
  if (first !== undefined) return ` before answering ${callText(first)}${others}`;
  return lastSequence === undefined ? ' before any message' : '';
}

/** The line on stderr that shows why the server crashed, or else the last lines. */
function stderrText(stderr: readonly string[]): string {
  const telling = stderr.filter((line) => !STACK.test(line));
  const crash = telling.findLast((line) => CRASH_LINE.test(line));
  const shown = crash === undefined ? telling.slice(-MAX_LINES) : [crash];
  return shown.length === 0 ? '' : ` On stderr: ${shown.map(quoted).join(', ')}.`;
}
