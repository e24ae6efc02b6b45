import { createHash, randomBytes } from 'node:crypto';
import type { Source } from '../formats/format.ts';
import { readSource } from '../formats/registry.ts';
import { BatchPlaces, traceTexts } from '../formats/trace/entry-block.ts';
import { ReelError } from '../model/errors.ts';
import type { SessionHeader } from '../model/session.ts';
import { isRetyped, type QuestionedTarget, type ReplayQuestion, replayQuestion } from '../present/replay-question.ts';
import { SessionLog } from '../present/session-log/session-log.ts';
import { type CallReplay, replayCall, type StartServer } from '../replay/call-replay.ts';
import { questionedTarget, recordedTarget } from '../replay/recorded-target.ts';
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
  /** Whether mcpreel recorded it here. */
  readonly isOwn: boolean;
}

/** What the user must know before a call is re-run. */
export interface ReplayPlanWords {
  readonly method: string;
  readonly name: string | undefined;
  readonly question: ReplayQuestion;
  /** Allows one run of exactly what the question shows. */
  readonly nonce: string;
}

/** What the page sends once the user has agreed. */
export interface ReplayAgreement {
  readonly nonce: string;
  /** The command or URL that the user typed, if the question asks for it. */
  readonly typed: string;
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

/** A question that a page shows, and what it is about. */
interface OpenQuestion {
  readonly of: string;
  readonly proxyId: string;
  readonly subject: string;
  readonly mustType: boolean;
}

const NONCE_BYTES = 24;
/** The oldest question is forgotten beyond this many. */
const MAX_QUESTIONS = 100;

/** Re-runs recorded calls, each in a new session. */
export class ReplayController {
  readonly #options: ReplayControllerOptions;
  readonly #questions = new Map<string, OpenQuestion>();
  /** The targets of foreign recordings that the user has typed, each with its recording. */
  readonly #typed = new Set<string>();

  constructor(options: ReplayControllerOptions) {
    this.#options = options;
  }

  /** Describes what would be done. Throws if the call cannot be re-run. */
  async plan(of: string, origin: ReplayOrigin, proxyId: string): Promise<ReplayPlanWords> {
    const { call, target } = await this.#prepare(origin, proxyId);
    const shown = questionedTarget(target);
    const isTrusted = origin.isOwn || this.#typed.has(typedKey(of, shown));
    const question = replayQuestion(shown, call, isTrusted);
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    const asked = { of, proxyId, subject: subjectOf(shown, call), mustType: question.retype !== undefined };
    this.#questions.set(nonce, asked);
    const [oldest] = this.#questions.keys();
    if (this.#questions.size > MAX_QUESTIONS && oldest !== undefined) this.#questions.delete(oldest);
    return { method: call.method, name: call.name, question, nonce };
  }

  /** Re-runs the call of a question, once, if the recording still has the target and the call that the user was shown. */
  async run(
    of: string,
    origin: ReplayOrigin,
    proxyId: string,
    { nonce, typed }: ReplayAgreement,
    signal: AbortSignal,
  ): Promise<CallReplayOutcome> {
    const asked = this.#questions.get(nonce);
    this.#questions.delete(nonce);
    if (asked === undefined || asked.of !== of || asked.proxyId !== proxyId) {
      throw new ReelError('usage', 'This replay was not confirmed, or was sent already', { hint: 'Try again.' });
    }
    const prepared = await this.#prepare(origin, proxyId);
    const shown = questionedTarget(prepared.target);
    if (subjectOf(shown, prepared.call) !== asked.subject) {
      throw new ReelError('usage', 'The recording changed after this replay was confirmed', { hint: 'Try again.' });
    }
    if (asked.mustType) {
      if (!isRetyped(typed, shown)) {
        throw new ReelError('usage', 'The typed value differs from the recorded one', { hint: 'Nothing was sent.' });
      }
      this.#typed.add(typedKey(of, shown));
    }
    const { nowMs, newId, startServer } = this.#options;
    return outcomeOf(await replayCall(prepared, { nowMs, newId, startServer, signal }));
  }

  async #prepare({ source, format, folder }: ReplayOrigin, proxyId: string): Promise<PreparedReplay> {
    const places = new BatchPlaces();
    const session = await readSource(source, { onProblem: () => undefined, onPlaced: places.note }, format);
    const log = new SessionLog();
    log.texts = traceTexts(session.header, source);
    for await (const batch of session.batches()) log.add(batch, places.take());
    log.end();
    const place = log.indexOf(proxyId);
    const entry = place === undefined ? undefined : log.entries.at(place);
    if (entry === undefined) throw new ReelError('usage', 'The message no longer exists');
    const { header } = session;
    const { env, folder: ownFolder } = this.#options;
    const target = recordedTarget(header, { env, folder: folder ?? ownFolder });
    return { header, call: replayableCall(log, entry), target };
  }
}

/** What the user agrees to: where the call goes, and everything that is sent. Another program may change the file. */
function subjectOf(target: QuestionedTarget, { messages }: ReplayableCall): string {
  const sent = messages.filter(({ direction }) => direction === 'client_to_server').map(({ text }) => text);
  return createHash('sha256')
    .update(JSON.stringify([target, sent]))
    .digest('base64');
}

function typedKey(of: string, target: QuestionedTarget): string {
  return JSON.stringify([of, target]);
}

function outcomeOf({ result, notes }: CallReplay): CallReplayOutcome {
  if (result === undefined) {
    const error = 'Not sent.';
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
