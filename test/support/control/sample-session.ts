import type { Decision, HeldMessage, InterceptMode } from '../../../src/intercept/held-message.ts';
import type {
  ActionResult,
  HoldState,
  Injection,
  LiveSessionFacts,
  ReleaseReport,
  RequestedDecision,
  SessionControl,
  SessionListener,
} from '../../../src/intercept/session-control.ts';
import type { Direction } from '../../../src/model/entry.ts';
import { ReelError } from '../../../src/model/errors.ts';

/** A session for tests of the control socket; only the test changes it. */
export class SampleSession implements SessionControl {
  readonly facts: LiveSessionFacts;
  state: HoldState = { mode: 'passthrough', filter: undefined, holdTimeoutMs: 30_000, failClosed: false };
  nextSeq = 0;
  /** How many control clients have taken control. */
  inCharge = 0;
  #onCharge: () => void = () => undefined;
  readonly injected: Injection[] = [];
  /** The hints in the reply to each decision, mode or injection. */
  hints: readonly string[] = [];
  readonly #listeners = new Set<SessionListener>();
  readonly #held = new Map<string, HeldMessage>();
  #count = 0;

  constructor(facts: Partial<LiveSessionFacts> = {}) {
    this.facts = {
      id: 'abcd1234-0000-4000-8000-000000000000',
      label: 'fs',
      pid: 4242,
      startedAtMs: 1_772_618_400_000,
      transport: 'stdio',
      trace: '/home/me/fs.jsonl',
      folder: '/home/me',
      ...facts,
    };
  }

  get held(): readonly HeldMessage[] {
    return [...this.#held.values()];
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  listen(listener: SessionListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  takeCharge(): () => void {
    this.inCharge++;
    this.#onCharge();
    return () => {
      this.inCharge--;
      if (this.inCharge === 0) this.#releaseAll('screen gone');
      this.#onCharge();
    };
  }

  /** Resolves when this many control clients have taken control. */
  hasInCharge(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#onCharge = () => this.inCharge === count && resolve();
      this.#onCharge();
    });
  }

  async setMode(mode: InterceptMode, filter?: string): Promise<ActionResult> {
    if (filter === '(') throw new ReelError('usage', 'Expected a term after ( (column 2)');
    this.state = { ...this.state, mode, filter };
    if (mode === 'passthrough') this.#releaseAll('mode');
    this.#report((listener) => listener.onState?.(this.state));
    return { hints: [] };
  }

  async decide(id: string, requested: RequestedDecision): Promise<ActionResult> {
    if (!this.#held.has(id))
      throw new ReelError('session-refused', `No held message has the id ${id}`, {
        hint: 'It may have been released.',
      });
    this.release(id, decisionFor(requested), 'screen');
    return { hints: this.hints };
  }

  async inject(injection: Injection): Promise<ActionResult> {
    this.injected.push(injection);
    return { hints: this.hints };
  }

  async save(path = '/home/me/fs.json'): Promise<string> {
    return path;
  }

  requestEnd(): void {
    setImmediate(() => this.end());
  }

  /** Holds a new message. */
  hold(text: string, more: Partial<HeldMessage> = {}): HeldMessage {
    this.#count++;
    const direction: Direction = 'client_to_server';
    const atMs = this.facts.startedAtMs + 1000 * this.#count;
    const untilMs = atMs + this.state.holdTimeoutMs;
    const held = { id: `msg-${this.#count}`, direction, conversation: 0, atMs, untilMs, text, ...more };
    this.#held.set(held.id, held);
    this.#report((listener) => listener.onHeld?.(held));
    return held;
  }

  release(id: string, decision: Decision, by: ReleaseReport['by']): void {
    if (!this.#held.delete(id)) return;
    this.#report((listener) => listener.onReleased?.({ id, decision, by, heldMs: 1500 }));
  }

  /** Appends these lines to the trace. */
  write(...lines: readonly string[]): void {
    const firstSeq = this.nextSeq;
    this.nextSeq += lines.length;
    this.#report((listener) => listener.onLines?.(firstSeq, lines));
  }

  end(): void {
    this.#report((listener) => listener.onEnd?.());
  }

  #releaseAll(by: ReleaseReport['by']): void {
    for (const id of [...this.#held.keys()]) this.release(id, { action: 'forward' }, by);
  }

  #report(report: (listener: SessionListener) => void): void {
    for (const listener of [...this.#listeners]) report(listener);
  }
}

function decisionFor(requested: RequestedDecision): Decision {
  if (requested.action !== 'answer') return requested;
  const text = 'result' in requested ? `{"result":${requested.result}}` : `{"error":${requested.error}}`;
  return { action: 'answer', text };
}
