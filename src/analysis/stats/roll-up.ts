import type { Entry } from '../../model/entry.ts';
import type { Call } from '../calls/call.ts';
import { measureCall } from './measured-call.ts';
import { SessionStats, type Stats } from './stats.ts';
import { type CallFigures, CallTallies, CallTally } from './tally.ts';

/** Statistics for all sessions of one server. */
export interface ServerStats extends Stats {
  readonly server: string;
  readonly sessions: number;
}

/** Statistics for one day. */
export interface DayStats extends CallFigures {
  /** Such as `2026-03-04`, in UTC. */
  readonly day: string;
}

export interface RolledUp {
  readonly sessions: number;
  readonly total: CallFigures;
  /** Sorted by name. */
  readonly servers: readonly ServerStats[];
  /** Sorted by day. Sessions without times are not included. */
  readonly days: readonly DayStats[];
}

/** The properties of a session to add. */
export interface RolledUpSession {
  readonly server: string;
  /** Whether the session records times. */
  readonly hasTimes: boolean;
}

/** Receives the entries and calls of one session. */
export interface SessionTaker {
  takeEntry(entry: Entry): void;
  takeCall(call: Call): void;
}

/** Aggregates the statistics of many sessions: by server, by day and in total. */
export class StatsRollUp {
  readonly #servers = new Map<string, { readonly stats: SessionStats; sessions: number }>();
  readonly #days = new CallTallies();
  readonly #total = new CallTally();

  /** Starts adding a session. */
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

/** Cached, because most calls fall on the same day as the call before. */
function dayOf(atMs: number): string {
  const day = Math.floor(atMs / DAY_MS);
  if (day !== lastDay) {
    lastDayText = new Date(day * DAY_MS).toISOString().replace(/T.*/, '');
    lastDay = day;
  }
  return lastDayText;
}
