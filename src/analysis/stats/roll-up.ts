import type { Entry } from '../../model/entry.ts';
import type { Call } from '../calls/call.ts';
import { measureCall } from './measured-call.ts';
import { SessionStats, type Stats } from './stats.ts';
import { type CallFigures, CallTallies, CallTally } from './tally.ts';

/** What the sessions of one server come to. */
export interface ServerStats extends Stats {
  readonly server: string;
  readonly sessions: number;
}

/** What one day comes to. */
export interface DayStats extends CallFigures {
  /** `2026-03-04`, by UTC. */
  readonly day: string;
}

export interface RolledUp {
  readonly sessions: number;
  readonly total: CallFigures;
  /** In the order of their names. */
  readonly servers: readonly ServerStats[];
  /** In their order. Sessions that have no times have no days. */
  readonly days: readonly DayStats[];
}

/** What a session is added under. */
export interface RolledUpSession {
  readonly server: string;
  /** Whether it has times of its own. */
  readonly hasTimes: boolean;
}

/** Takes what was said in one of the sessions. */
export interface SessionTaker {
  takeEntry(entry: Entry): void;
  takeCall(call: Call): void;
}

/** Adds up many sessions: by server, by day, and all together. */
export class StatsRollUp {
  readonly #servers = new Map<string, { readonly stats: SessionStats; sessions: number }>();
  readonly #days = new CallTallies();
  readonly #total = new CallTally();

  /** Begins with one more session. */
  begin({ server, hasTimes }: RolledUpSession): SessionTaker {
    const known = this.#servers.get(server) ?? { stats: new SessionStats(), sessions: 0 };
    known.sessions++;
    this.#servers.set(server, known);
    return {
      takeEntry: (entry) => known.stats.takeEntry(entry),
      takeCall: (call) => {
        const measured = measureCall(call, hasTimes);
        known.stats.takeCall(call, measured);
        this.#total.add(measured);
        if (hasTimes) this.#days.add(dayOf(call.request.atMs), measured);
      },
    };
  }

  result(): RolledUp {
    const servers = [...this.#servers].map(([server, { stats, sessions }]) => ({
      server,
      sessions,
      ...stats.result(),
    }));
    const days = this.#days.figures().map(([day, figures]) => ({ day, ...figures }));
    return {
      sessions: servers.reduce((sum, { sessions }) => sum + sessions, 0),
      total: this.#total.figures(),
      servers: servers.sort((a, b) => (a.server < b.server ? -1 : 1)),
      days: days.sort((a, b) => (a.day < b.day ? -1 : 1)),
    };
  }
}

const DAY_MS = 86_400_000;
let lastDay = Number.NaN;
let lastDayText = '';

/** Most calls share their day with the one before. */
function dayOf(atMs: number): string {
  const day = Math.floor(atMs / DAY_MS);
  if (day !== lastDay) {
    lastDayText = new Date(day * DAY_MS).toISOString().replace(/T.*/, '');
    lastDay = day;
  }
  return lastDayText;
}
