import type { SessionHeader } from '../model/session.ts';
import type { ReplayResult } from './judge/replay-result.ts';
import type { ReplayDeps, ReplayTarget } from './replay-options.ts';
import type { ReplayableCall } from './replayable-call.ts';

/** What came of a call that was made once more. */
export interface CallReplay {
  /** Absent where it was cancelled. */
  readonly result: ReplayResult | undefined;
  /** What is worth knowing about it, and the last thing that the server said beside the protocol. */
  readonly notes: readonly string[];
}

export interface CallReplayOptions {
  readonly header: SessionHeader;
  readonly call: ReplayableCall;
  readonly target: ReplayTarget;
}

/** Starts the server, if it is a program. */
export type StartServer = (
  target: Extract<ReplayTarget, { transport: 'stdio' }>,
) => ReturnType<ReplayDeps['startTarget']>;

/** An answer gets as long as from `mcpreel replay`, and longer where it had taken longer. */
const PATIENCE_MS = 10_000;
const TIMES_AS_LONG = 2;

/** Makes a call once more, on a connection of its own, and compares the answer with the one that was recorded. */
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
  return { result, notes: isFailed ? [...notes, `The server said: ${lastLine}`] : notes };
}

/** What stands in for a program where the server has an address, and none is ever started. */
const NO_PROGRAM = { transport: 'stdio', command: [], env: {} } as const;
