import { joinCommandLine } from '../../../model/command-line.ts';
import { formatSessionTime } from '../../../model/times.ts';
import { oneLine } from '../../../present/visible-text.ts';
import type { KnownSession } from './sessions-lookup.ts';

/**
 * The state of a session: `live`, `exit 0`, `SIGTERM` or `cut short`, with `probe` added if a client only probed the
 * server.
 */
export function stateText(session: KnownSession): string {
  return session.isProbe ? `${endingText(session)}, probe` : endingText(session);
}

function endingText({ live, footer }: KnownSession): string {
  if (live !== undefined) return 'live';
  if (footer === undefined) return 'cut short';
  if (footer.signal !== undefined) return oneLine(footer.signal);
  return footer.exitCode === undefined ? 'ended' : `exit ${footer.exitCode}`;
}

/** The time from start to end. Without an end, until now if it is running, otherwise until its last entry. */
export function durationOf(session: KnownSession, nowMs: number): number {
  const { header, footer, live, modifiedAtMs } = session;
  const untilMs = footer?.endedAtMs ?? (live === undefined ? modifiedAtMs : nowMs);
  return Math.max(0, Math.round(footer?.durationMs ?? untilMs - header.startedAtMs));
}

/** The properties of a session, for `--json`. */
export function asData(session: KnownSession, nowMs: number): Record<string, unknown> {
  const { header, footer, live, isProbe, entries, bytes, files } = session;
  return {
    session: header.id,
    label: header.label,
    transport: header.transport,
    server_command: header.command.length > 0 ? joinCommandLine(header.command) : null,
    server_url: header.url ?? null,
    started_at: formatSessionTime(header.startedAtMs),
    ended_at: footer === undefined ? null : formatSessionTime(footer.endedAtMs),
    duration_ms: durationOf(session, nowMs),
    state: live === undefined ? (footer === undefined ? 'cut short' : 'ended') : 'live',
    exit_code: footer?.exitCode ?? null,
    signal: footer?.signal ?? null,
    probe: isProbe,
    entries: entries ?? null,
    bytes,
    pid: live?.pid ?? null,
    files: files.map((file) => ({ path: file.path, bytes: file.bytes })),
  };
}
