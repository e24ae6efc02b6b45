import type { RolledUp } from '../../../analysis/stats/roll-up.ts';
import type { MethodStats, Stats, ToolStats } from '../../../analysis/stats/stats.ts';
import type { CallFigures } from '../../../analysis/stats/tally.ts';

type StatsData = Readonly<Record<string, unknown>>;

/** Statistics of a session, for `--json`. */
export function statsData(stats: Stats): StatsData {
  return {
    messages: stats.messages,
    events: stats.events,
    calls: figuresData(stats.total),
    tools: stats.tools.map(toolData),
    methods: stats.methods.map(methodData),
    definition_bytes: stats.definitionBytes,
    never_called: stats.neverCalled,
    not_advertised: stats.notAdvertised,
  };
}

/** Statistics of many sessions, for `--json`. */
export function rolledUpData({ sessions, total, servers, days }: RolledUp): StatsData {
  return {
    sessions,
    messages: servers.reduce((sum, { messages }) => sum + messages, 0),
    calls: figuresData(total),
    servers: servers.map((server) => ({ server: server.server, sessions: server.sessions, ...statsData(server) })),
    days: days.map((day) => ({ day: day.day, ...figuresData(day) })),
  };
}

function toolData({ name, definitionBytes, ...figures }: ToolStats): StatsData {
  return { name, definition_bytes: definitionBytes ?? null, ...figuresData(figures) };
}

function methodData({ method, direction, ...figures }: MethodStats): StatsData {
  return { method, direction, ...figuresData(figures) };
}

function figuresData(figures: CallFigures): StatsData {
  const { byStatus } = figures;
  return {
    calls: figures.calls,
    ok: byStatus.ok,
    errors: byStatus.error,
    pending: byStatus.pending,
    cancelled: byStatus.cancelled,
    late: byStatus.late,
    streams: byStatus.stream,
    p50_ms: figures.p50Ms ?? null,
    p95_ms: figures.p95Ms ?? null,
    p99_ms: figures.p99Ms ?? null,
    max_ms: figures.maxMs ?? null,
    exact: figures.exact,
    human_ms: figures.humanMs,
    sent_bytes: figures.sentBytes,
    received_bytes: figures.receivedBytes,
  };
}
