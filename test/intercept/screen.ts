import { readFileSync } from 'node:fs';
import { onTestFinished, vi } from 'vitest';
import { type ControlClient, connectLive } from '../../src/control/control-client.ts';
import type { HeldMessage } from '../../src/intercept/held-message.ts';
import type { HoldState, ReleaseReport } from '../../src/intercept/session-control.ts';
import { liveSessions, type RunningSession } from '../../src/state/live-sessions.ts';
import type { Place } from '../support/place.ts';
import type { Json } from '../support/recordings.ts';
import { Watch } from '../support/watch.ts';

/** The live session in this folder; the last one if the client started a server twice. */
export async function runningSession(place: Place): Promise<RunningSession> {
  return vi.waitFor(
    async () => {
      const sessions = await liveSessions(place.home, process.kill);
      const session = sessions.toSorted((a, b) => a.startedAtMs - b.startedAtMs).at(-1);
      if (session === undefined) throw new Error('No session is running.');
      return session;
    },
    { interval: 10 },
  );
}

/** A control client of a session that keeps everything it receives. */
export class Screen {
  readonly live: ControlClient;
  readonly released: readonly ReleaseReport[];
  readonly #reported: Reported;
  #taken = 0;

  private constructor(live: ControlClient, reported: Reported) {
    this.live = live;
    this.#reported = reported;
    this.released = reported.released;
  }

  /** Waits for the socket, which opens after the session has started, and follows new entries. */
  static async open(place: Place): Promise<Screen> {
    const session = await runningSession(place);
    const reported = new Reported();
    const live = await vi.waitFor(() => connectLive(session, { listener: reported }), { interval: 10 });
    onTestFinished(() => live.close());
    await live.follow();
    return new Screen(live, reported);
  }

  trace(): string {
    return readFileSync(this.live.facts.trace, 'utf8');
  }

  /** Takes control and holds the messages that match the filter. */
  async hold(filter?: string): Promise<void> {
    await this.live.takeCharge();
    await this.live.setMode('intercept', filter);
  }

  /** The next held message, in the order of notification. */
  nextHeld(): Promise<HeldMessage> {
    const index = this.#taken++;
    return this.#reported.changes.until(() => this.#reported.held[index]);
  }

  /** Resolves with what happened to a held message. */
  releaseOf({ id }: HeldMessage): Promise<ReleaseReport> {
    return this.#reported.changes.until(() => this.released.find((release) => release.id === id));
  }

  /** Resolves with the first matching line of the trace. */
  recorded(isRequested: (line: Json) => boolean): Promise<Json> {
    return this.#reported.changes.until(() => this.#reported.lines.find(isRequested));
  }

  /** Resolves with the trace line of a held message. */
  recordedMessage({ id }: HeldMessage): Promise<Json> {
    return this.recorded((line) => line.type === undefined && line.id === id);
  }

  /** Resolves when the session's hold state matches. */
  stands(isRequested: (state: HoldState) => boolean): Promise<true> {
    return this.#reported.changes.until(() => isRequested(this.live.state) || undefined);
  }
}

class Reported {
  readonly changes = new Watch();
  readonly held: HeldMessage[] = [];
  readonly released: ReleaseReport[] = [];
  readonly lines: Json[] = [];

  onHeld(held: HeldMessage): void {
    this.held.push(held);
    this.changes.changed();
  }

  onReleased(release: ReleaseReport): void {
    this.released.push(release);
    this.changes.changed();
  }

  onLines(_firstSeq: number, lines: readonly string[]): void {
    this.lines.push(...lines.map((line) => JSON.parse(line) as Json));
    this.changes.changed();
  }

  onState(): void {
    this.changes.changed();
  }
}
