import { onTestFinished } from 'vitest';
import { serveLive } from '../../src/control/control-server.ts';
import type { LiveSessionFacts } from '../../src/control/session-control.ts';
import type { ReleaseCause } from '../../src/intercept/held-message.ts';
import { announce } from '../../src/state/live-sessions.ts';
import { SampleSession } from './control/sample-session.ts';
import type { Place } from './place.ts';

/** A session for tests that other processes find and speak to. */
export interface LiveSample {
  readonly session: SampleSession;
  /** What became of the messages that were held. */
  readonly released: readonly ReleaseCause[];
  /** Ends it, as a session does that is over. */
  end(): Promise<void>;
}

/** Lets a session run in this place, which takes part in nothing but what the test does. */
export async function runSample(place: Place, facts: Partial<LiveSessionFacts> = {}): Promise<LiveSample> {
  const session = new SampleSession({ pid: process.pid, trace: place.path('trace.jsonl'), ...facts });
  const released: ReleaseCause[] = [];
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
