import type { Source } from '../formats/format.ts';
import { readSource } from '../formats/registry.ts';
import { ReelError } from '../model/errors.ts';
import type { SessionHeader } from '../model/session.ts';
import { SessionLog } from '../present/session-log.ts';
import { type CallReplay, replayCall, type StartServer } from '../replay/call-replay.ts';
import { recordedTarget, targetWords } from '../replay/recorded-target.ts';
import type { ReplayTarget } from '../replay/replay-options.ts';
import { type ReplayableCall, replayableCall } from '../replay/replayable-call.ts';

/** What the controller needs to re-run recorded calls. */
export interface ReplayControllerOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder for starting servers whose own folder is unknown. */
  readonly folder: string;
  readonly nowMs: () => number;
  readonly newId: () => string;
  /** Starts a server. It does not outlive this process. */
  readonly startServer: StartServer;
}

/** An open recording to replay from. The message and the target come from the recording, never from the page. */
export interface ReplayOrigin {
  readonly source: Source;
  readonly format?: string | undefined;
  /** The folder that its server runs in, if known. */
  readonly folder?: string | undefined;
}

/** What the user must know before a call is re-run. */
export interface ReplayPlanWords {
  readonly method: string;
  readonly name: string | undefined;
  /** Describes the server and its location in a few lines. */
  readonly where: readonly string[];
}

/** The outcome of a re-run call. */
export interface CallReplayOutcome {
  readonly verdict: string;
  readonly durationMs: number | undefined;
  readonly error: string | undefined;
  readonly differences: readonly { readonly path: string; readonly recorded?: string; readonly replayed?: string }[];
  readonly response: string | undefined;
  readonly notes: readonly string[];
}

interface PreparedReplay {
  readonly header: SessionHeader;
  readonly call: ReplayableCall;
  readonly target: ReplayTarget;
}

/** Re-runs recorded calls, each in a new session. */
export class ReplayController {
  readonly #options: ReplayControllerOptions;

  constructor(options: ReplayControllerOptions) {
    this.#options = options;
  }

  /** Describes what would be done. Throws if the call cannot be re-run. */
  async plan(origin: ReplayOrigin, proxyId: string): Promise<ReplayPlanWords> {
    const { call, target } = await this.#prepare(origin, proxyId);
    return { method: call.method, name: call.name, where: targetWords(target) };
  }

  /** Re-runs the call if the target is still the one that the user agreed to. */
  async run(
    origin: ReplayOrigin,
    proxyId: string,
    agreed: readonly string[],
    signal: AbortSignal,
  ): Promise<CallReplayOutcome> {
    const prepared = await this.#prepare(origin, proxyId);
    if (JSON.stringify(targetWords(prepared.target)) !== JSON.stringify(agreed)) {
      throw new ReelError('usage', 'It is another server than the one that you agreed to', { hint: 'Ask again.' });
    }
    const { nowMs, newId, startServer } = this.#options;
    return outcomeOf(await replayCall(prepared, { nowMs, newId, startServer, signal }));
  }

  async #prepare({ source, format, folder }: ReplayOrigin, proxyId: string): Promise<PreparedReplay> {
    const session = await readSource(source, { onProblem: () => undefined }, format);
    const log = new SessionLog();
    for await (const batch of session.batches()) log.add(batch);
    log.end();
    const entry = log.entries[log.indexOf(proxyId) ?? -1];
    if (entry === undefined) throw new ReelError('usage', 'There is no such message any more');
    const { header } = session;
    const { env, folder: ownFolder } = this.#options;
    const target = recordedTarget(header, { env, folder: folder ?? ownFolder });
    return { header, call: replayableCall(log, entry), target };
  }
}

function outcomeOf({ result, notes }: CallReplay): CallReplayOutcome {
  if (result === undefined) {
    const error = 'It was not sent.';
    return { verdict: 'error', durationMs: undefined, error, differences: [], response: undefined, notes };
  }
  const { verdict, durationMs, error, response, accepted } = result;
  const differences = result.differences.map(({ path, recorded, replayed }) => ({
    path,
    ...(recorded === undefined ? {} : { recorded }),
    ...(replayed === undefined ? {} : { replayed }),
  }));
  return { verdict, durationMs, error, differences, response: accepted ?? response, notes };
}
