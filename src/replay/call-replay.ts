import type { SessionHeader } from '../model/session.ts';
import type { ReplayResult } from './judge/replay-result.ts';
import type { ReplayDeps, ReplayTarget } from './replay-options.ts';
import type { ReplayableCall } from './replayable-call.ts';

/** The outcome of replaying a single call. */
export interface CallReplay {
  /** Absent if the replay was cancelled. */
  readonly result: ReplayResult | undefined;
  /** Notices about the replay, with the server's last stderr or stray stdout line if the call failed. */
  readonly notes: readonly string[];
}

export interface CallReplayOptions {
  readonly header: SessionHeader;
  readonly call: ReplayableCall;
  readonly target: ReplayTarget;
}

/** Starts the server if the target is a command. */
export type StartServer = (
  target: Extract<ReplayTarget, { transport: 'stdio' }>,
) => ReturnType<ReplayDeps['startTarget']>;

/** The timeout of `mcpreel replay`, which is longer if the recorded call took longer. */
const PATIENCE_MS = 10_000;
const TIMES_AS_LONG = 2;

/** Replays one call on a new connection and compares the response with the recorded one. */
export async function replayCall(
  { header, call, target }: CallReplayOptions,
  deps: Pick<ReplayDeps, 'nowMs' | 'newId'> & {
    readonly startServer: StartServer;
    readonly signal: AbortSignal;
  },
): Promise<CallReplay> {
  const { replaySession } = await import('./replay-session.ts');
  const { request, messages, durationMs = 0, isPart } = call;
  const notes: string[] = [];
  let lastLine: string | undefined;
  const session = {
    format: 'trace',
    header,
    footer: undefined,
    async *batches() {
      yield messages;
    },
  };
  const results = await replaySession(
    session,
    {
      target,
      profile: 'semantic',
      ignore: [],
      timeoutMs: Math.max(PATIENCE_MS, durationMs * TIMES_AS_LONG),
      handshake: true,
      speed: 0,
      onServerRequest: 'decline',
      allowRedacted: false,
      readOnly: false,
      selects: ({ entry }) => isPart(entry.proxyId),
    },
    {
      ...deps,
      startTarget: () => deps.startServer(target.transport === 'stdio' ? target : NO_PROGRAM),
      note: (line) => notes.push(line),
      onLine: (line) => {
        lastLine = line;
      },
      onResult: () => undefined,
    },
  );
  const result = results.find(({ step }) => step.entry.proxyId === request.proxyId);
  const isFailed = result?.response === undefined && lastLine !== undefined;
  return { result, notes: isFailed ? [...notes, `The server printed: ${lastLine}`] : notes };
}

/** A placeholder for the command when the target is a URL; it is never started. */
const NO_PROGRAM = { transport: 'stdio', command: [], env: {} } as const;
