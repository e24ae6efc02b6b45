import { onTestFinished } from 'vitest';
import { serveLive } from '../../src/control/control-server.ts';
import type { LiveSessionFacts, ReleaseReport } from '../../src/intercept/session-control.ts';
import { announce } from '../../src/state/live-sessions.ts';
import { SampleSession } from './control/sample-session.ts';
import type { Place } from './place.ts';

/** A session for tests that other processes can find and connect to. */
export interface LiveSample {
  readonly session: SampleSession;
  /** What happened to the held messages. */
  readonly released: readonly ReleaseReport[];
  /** Ends the session normally. */
  end(): Promise<void>;
}

/** Runs a session in this place; only the test changes it. */
export async function runSample(place: Place, facts: Partial<LiveSessionFacts> = {}): Promise<LiveSample> {
  const session = new SampleSession({ pid: process.pid, trace: place.path('trace.jsonl'), ...facts });
  const released: ReleaseReport[] = [];
  session.listen({ onReleased: (release) => released.push(release) });
  const announcement = announce(place.home, session.facts, { platform: process.platform, env: {} });
  if (announcement?.socket === undefined) throw new Error('There is no place for a socket');
  const server = await serveLive(session, { socket: announcement.socket, token: announcement.token });
  const end = async (): Promise<void> => {
    announcement.withdraw();
    await server?.close();
  };
  onTestFinished(end);
  return { session, released, end };
}
