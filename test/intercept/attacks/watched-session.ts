import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { onTestFinished, vi } from 'vitest';
import { loadFilter } from '../../../src/analysis/filter/filter.ts';
import type { FilterSubject } from '../../../src/analysis/filter/filter-subject.ts';
import { captureBridge } from '../../../src/capture/bridge/bridge-capture.ts';
import type { StdioDeps } from '../../../src/capture/capture-options.ts';
import { captureHttp } from '../../../src/capture/http/http-capture.ts';
import { captureStdio } from '../../../src/capture/stdio/stdio-capture.ts';
import type { InterceptionOptions } from '../../../src/intercept/interception.ts';
import type { RuleOutcome } from '../../../src/model/rule-outcome.ts';
import { errorAnswer } from '../../../src/protocol/answer-text.ts';
import { readEnvelope } from '../../../src/protocol/envelope.ts';
import type { TargetChoice } from '../../../src/transport/outbound/connect-target.ts';
import { startTarget } from '../../../src/transport/process/target-process.ts';
import { Place } from '../../support/place.ts';
import { jsonLines } from '../../support/recordings.ts';

const SOON = { interval: 5, timeout: 60_000 };

/** Longer messages cannot be judged. */
export const MAX_BYTES = 4000;

export interface WatchedOptions {
  readonly failsClosed: boolean;
  /** A rule answers requests that match this filter, and drops other messages. */
  readonly forbidden: string;
}

/** A session in this process, with a rule that refuses messages. */
export interface WatchedSession {
  readonly url: string;
  /** The client's end of mcpreel's stdin and stdout. */
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  /** Resolves when the rule has applied, or a message was refused: the receiver of a dropped response waits forever. */
  readonly stopped: Promise<string>;
  /** Ends the session, and returns its recorded actions. */
  stop(): Promise<readonly RecordedAction[]>;
}

export interface RecordedAction {
  readonly action: string;
  readonly as?: string;
  readonly why?: string;
}

type Way =
  | {
      readonly listen: 'stdio' | 'sse' | 'streamable-http';
      readonly target: URL;
      readonly targetTransport: 'sse' | 'streamable-http';
    }
  | { readonly listen: 'stdio' | 'sse' | 'streamable-http'; readonly command: readonly string[] };

export async function watchedSession(way: Way, options: WatchedOptions): Promise<WatchedSession> {
  const place = new Place();
  let onRuled: (text: string) => void = () => undefined;
  const ruled = new Promise<string>((resolve) => {
    onRuled = resolve;
  });
  const traceFile = place.path('trace.jsonl');
  const keeping = {
    metadata: {},
    traceFile,
    maxMessageBytes: MAX_BYTES,
    interception: await interceptionOf(options, () => onRuled('')),
  };
  const target: TargetChoice =
    'command' in way
      ? { transport: 'stdio', command: way.command, env: {} }
      : { transport: way.targetTransport, url: way.target, headers: [] };
  const command = 'command' in way ? way.command : [];
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let onListening: (url: string) => void = () => undefined;
  const listening = new Promise<string>((resolve) => {
    onListening = resolve;
  });
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const deps: StdioDeps & { readonly onListening: (url: string) => void } = {
    ...{ stdin, stdout, stderr: new PassThrough().resume(), closeStdin: () => true, closeStdout: () => undefined },
    ...{ env: process.env, platform: process.platform, pid: process.pid, stateFolder: place.home, version: '0.0.0' },
    ...{ nowMs: Date.now, newId: () => crypto.randomUUID(), onSignal: () => () => undefined, note: () => undefined },
    ...{ hasTerminal: false, parentIsGone: () => false, stopped, onListening },
    startTarget: () =>
      startTarget({ command, cwd: undefined, env: process.env, platform: process.platform, kill: process.kill }),
  };
  const listen = way.listen === 'stdio' ? undefined : { transport: way.listen, host: '127.0.0.1', port: 0 };
  let captured: Promise<number>;
  if (listen === undefined && target.transport === 'stdio')
    captured = captureStdio({ ...keeping, command, env: {} }, deps);
  else if (listen !== undefined && target.transport !== 'stdio' && listen.transport === target.transport) {
    captured = captureHttp({ ...keeping, target, listen }, deps);
  } else captured = captureBridge({ ...keeping, target, listen: listen ?? { transport: 'stdio' } }, deps);
  const end = async (): Promise<readonly RecordedAction[]> => {
    stdin.end();
    stop();
    await captured;
    const lines = jsonLines(readFileSync(traceFile, 'utf8'));
    return lines.filter(({ kind }) => kind === 'mcpreel.action').map(({ raw }) => raw as unknown as RecordedAction);
  };
  let ended: ReturnType<typeof end> | undefined;
  const stopOnce = (): ReturnType<typeof end> => {
    ended ??= end();
    return ended;
  };
  onTestFinished(() => void stopOnce());
  const url = listen === undefined ? '' : await listening;
  const refused = vi.waitFor(() => {
    if (ended === undefined && !readFileSync(traceFile, 'utf8').includes('"as":"refuse"')) throw new Error('Nothing');
    return '';
  }, SOON);
  return { url, stdin, stdout, stopped: Promise.race([ruled, refused]), stop: stopOnce };
}

const DROP = { action: 'drop' } as const;

async function interceptionOf(
  { failsClosed, forbidden }: WatchedOptions,
  onRuled: () => void,
): Promise<InterceptionOptions> {
  const filter = await loadFilter(forbidden);
  const rule = (subject: FilterSubject): RuleOutcome | undefined => {
    const { entry } = subject;
    if (entry.kind !== 'message' || !filter.matches(subject)) return undefined;
    onRuled();
    const { kind, id } = readEnvelope(entry.text);
    const isRequest = kind === 'request' && id !== undefined;
    const end = isRequest ? ({ action: 'answer', text: errorAnswer(id, 'forbidden') } as const) : DROP;
    return { rules: ['forbidden'], text: entry.text, delayMs: 0, holds: false, end };
  };
  return { failsClosed, rules: { rule, counts: () => [] } };
}

/** What became of an attack. It must never pass without a trace. */
export type Outcome = 'ruled' | 'refused' | 'forwarded and marked' | 'forwarded silently' | 'not forwarded';

export function outcomeOf(actions: readonly RecordedAction[], isThrough: boolean): Outcome {
  const unread = actions.filter(({ action }) => action === 'unread');
  if (isThrough) return unread.some(({ as }) => as === 'forward') ? 'forwarded and marked' : 'forwarded silently';
  if (actions.some(({ action }) => action === 'rule')) return 'ruled';
  return unread.some(({ as }) => as === 'refuse') ? 'refused' : 'not forwarded';
}
