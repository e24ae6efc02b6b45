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

/** `0.4 s`, `12 s`, `3 min`, `2.5 h`, `4 d` */
export function durationText(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${(seconds / 3600).toFixed(1)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

const UNITS = ['kB', 'MB', 'GB', 'TB'];

/** `812 B`, `34.5 MB` */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let size = bytes;
  let unit = 'B';
  for (const next of UNITS) {
    // A value that would round up to 1000 moves to the next unit.
    if (size < 999.95) break;
    size /= 1000;
    unit = next;
  }
  return `${size.toFixed(1)} ${unit}`;
}

/** `2026-05-13 15:30:07` in the local time zone. */
export function localTime(atMs: number): string {
  const date = new Date(atMs);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':')}`;
}

function twoDigits(n: number): string {
  return String(n).padStart(2, '0');
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
