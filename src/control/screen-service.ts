import type { Decision, HeldMessage } from '../intercept/held-message.ts';
import type {
  HoldState,
  LiveSessionFacts,
  ReleaseReport,
  SessionControl,
  SessionListener,
} from '../intercept/session-control.ts';
import { ReelError } from '../model/errors.ts';
import {
  type DoneReply,
  LIVE_VERSION,
  type LiveEvent,
  type LiveReply,
  type LiveRequest,
  type RequestRef,
} from './control-protocol.ts';
import { type EventOutlet, FollowedLines } from './followed-lines.ts';
import { readRequest } from './read-request.ts';

/** What a service needs from the connection to its client. */
export interface ScreenOutlet extends EventOutlet {
  send(reply: LiveReply): void;
  /** Tells the client that the session is over, and closes the connection. */
  finish(): void;
  /** Runs a handler of a session event. If it throws, only this client is disconnected. */
  guard(work: () => unknown): void;
}

type RequestOutcome = Omit<DoneReply, 'type' | 'ref'>;

const NO_HINTS: RequestOutcome = { hints: [] };

/** Serves the requests of one authenticated control client, and sends it the session's events. */
export class ScreenService {
  readonly #control: SessionControl;
  readonly #outlet: ScreenOutlet;
  #stopListening: (() => void) | undefined;
  #followed: FollowedLines | undefined;
  #giveBack: (() => void) | undefined;

  constructor(control: SessionControl, outlet: ScreenOutlet) {
    this.#control = control;
    this.#outlet = outlet;
    const { facts, state, nextSeq } = control;
    outlet.send({ type: 'hello', v: LIVE_VERSION, facts: plainFacts(facts), state: plainState(state), nextSeq });
    this.#stopListening = control.listen(this.#listener());
  }

  /** Replies to every request, failed ones included. */
  async do(ref: RequestRef, members: Readonly<Record<string, unknown>>): Promise<void> {
    try {
      const outcome = await this.#outcomeOf(readRequest(members), ref);
      if (outcome !== undefined) this.#outlet.send({ type: 'done', ref, ...outcome });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const hint = error instanceof ReelError ? error.hint : undefined;
      this.#outlet.send({ type: 'refused', ref, message, hint });
    }
  }

  /** All bytes sent to the client have been flushed. */
  drained(): void {
    this.#followed?.catchUp();
  }

  /** The client has disconnected. */
  leave(): void {
    const [stopListening, giveBack] = [this.#stopListening, this.#giveBack];
    this.#stopListening = undefined;
    this.#giveBack = undefined;
    this.#followed?.stop();
    this.#followed = undefined;
    stopListening?.();
    giveBack?.();
  }

  /** `undefined` if the reply was already sent, because events follow it. */
  async #outcomeOf(request: LiveRequest, ref: RequestRef): Promise<RequestOutcome | undefined> {
    const control = this.#control;
    switch (request.type) {
      case 'follow':
        this.#outlet.send({ type: 'done', ref, ...NO_HINTS });
        this.#followed?.stop();
        this.#followed = new FollowedLines(request.from ?? control.nextSeq, control.nextSeq, this.#outlet);
        return undefined;
      case 'control':
        this.#outlet.send({ type: 'done', ref, ...NO_HINTS });
        this.#takeCharge();
        return undefined;
      case 'held':
        return { ...NO_HINTS, held: control.held.map(plainHeld) };
      case 'mode':
        return hintsOf(await control.setMode(request.mode, request.filter));
      case 'decide': {
        const { type, id, ...requested } = request;
        return hintsOf(await control.decide(id, requested));
      }
      case 'inject': {
        const { type, ...injection } = request;
        return hintsOf(await control.inject(injection));
      }
      case 'save':
        return { ...NO_HINTS, path: await control.save(request.path) };
      case 'end':
        control.requestEnd();
        return NO_HINTS;
    }
  }

  #takeCharge(): void {
    if (this.#giveBack !== undefined) return;
    this.#giveBack = this.#control.takeCharge();
    for (const held of this.#control.held) this.#outlet.send({ type: 'held', held: plainHeld(held) });
  }

  #listener(): SessionListener {
    const outlet = this.#outlet;
    const reportInCharge = (event: () => LiveEvent): void =>
      outlet.guard(() => this.#giveBack !== undefined && outlet.send(event()));
    return {
      onLines: (firstSeq, lines) => outlet.guard(() => this.#followed?.take(firstSeq, lines)),
      onHeld: (held) => reportInCharge(() => ({ type: 'held', held: plainHeld(held) })),
      onReleased: (release) => reportInCharge(() => ({ type: 'released', release: plainRelease(release) })),
      onState: (state) => outlet.guard(() => outlet.send({ type: 'state', state: plainState(state) })),
      onEnd: () =>
        outlet.guard(() => {
          this.#followed?.end();
          outlet.finish();
        }),
    };
  }
}

function hintsOf({ hints }: { readonly hints: readonly string[] }): RequestOutcome {
  return { hints };
}

/** The functions below copy the listed members, so that no other member of a session's objects is sent. */

function plainFacts({ id, label, pid, startedAtMs, transport, trace, folder }: LiveSessionFacts): LiveSessionFacts {
  return { id, label, pid, startedAtMs, transport, trace, folder };
}

function plainState({ mode, filter, holdTimeoutMs, failClosed }: HoldState): HoldState {
  return { mode, filter, holdTimeoutMs, failClosed };
}

function plainHeld(held: HeldMessage): HeldMessage {
  const { id, direction, conversation, exchange, atMs, untilMs, rule, text, changedText } = held;
  return { id, direction, conversation, exchange, atMs, untilMs, rule, text, changedText };
}

function plainRelease({ id, decision, by, heldMs }: ReleaseReport): ReleaseReport {
  return { id, decision: plainDecision(decision), by, heldMs };
}

function plainDecision(decision: Decision): Decision {
  const { action } = decision;
  return action === 'edit' || action === 'answer' ? { action, text: decision.text } : { action };
}
