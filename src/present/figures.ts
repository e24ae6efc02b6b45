/** Words numbers for people: durations, times, sizes and counts. */

/** Formats a duration with two or three digits, or two units: `0.4 ms`, `31 ms`, `1.25 s`, `12.5 s`, `1 min 1 s`. */
export function formatDuration(durationMs: number): string {
  // A clock that was set back can make a duration negative.
  const ms = Math.max(0, durationMs);
  if (ms > 0 && ms < 0.05) return '<0.1 ms';
  if (ms < 999.5) return `${ms < 9.95 && !Number.isInteger(ms) ? ms.toFixed(1) : Math.round(ms)} ms`;
  // A value that would round up to the next unit is in that unit.
  if (ms < 59_950) return `${(ms / 1000).toFixed(ms < 9995 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1440) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  const hours = Math.round(ms / 3_600_000);
  return hours < 240 ? `${Math.floor(hours / 24)} d ${hours % 24} h` : `${Math.round(ms / 86_400_000)} d`;
}

/** The duration in seconds without a fraction, for a clock that runs on the screen. */
export function wholeSeconds(ms: number): string {
  return `${Math.max(0, Math.floor(ms / 1000))} s`;
}

/** The time since the start or since another entry: `+1.204`. */
export function formatElapsed(ms: number): string {
  return `${ms < 0 ? '-' : '+'}${(Math.abs(ms) / 1000).toFixed(3)}`;
}

/** The same in at most eight characters: `+1:02:03` from 1,000 s on. */
export function formatElapsedShort(ms: number): string {
  if (ms < 1_000_000) return formatElapsed(Math.max(0, ms));
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `+${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}`;
}

/** `2026-05-13 15:30:07` in the local time zone. */
export function formatDate(atMs: number): string {
  const date = new Date(atMs);
  return `${[date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join('-')} ${clockOf(date)}`;
}

/** `15:30:07.250` in the local time zone. */
export function formatClock(atMs: number): string {
  const date = new Date(atMs);
  return `${clockOf(date)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

function clockOf(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
}

function twoDigits(n: number): string {
  return String(n).padStart(2, '0');
}

const UNITS = ['kB', 'MB', 'GB', 'TB'];

/** `812 B`, `34.5 MB` */
export function formatSize(bytes: number): string {
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

/** `1 message`, `2 messages` */
export function countOf(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** `a`, `a and b`, `a, b and c` */
export function listed(phrases: readonly string[]): string {
  return phrases.length < 2 ? phrases.join('') : `${phrases.slice(0, -1).join(', ')} and ${phrases.at(-1)}`;
}

/** How many differences there are between two sessions. */
export interface DifferenceCounts {
  readonly contract: number;
  readonly breaking: number;
  readonly sequence: number;
  readonly values: number;
}

/** The numbers of differences by kind: `2 in the definitions (1 breaking)`, `3 in values`. */
export function differenceCounts({ contract, breaking, sequence, values }: DifferenceCounts): string[] {
  const inContract = `${contract} in the definitions${breaking > 0 ? ` (${breaking} breaking)` : ''}`;
  return [
    contract > 0 ? inContract : '',
    sequence > 0 ? `${sequence} in the calls` : '',
    values > 0 ? `${values} in values` : '',
  ].filter((count) => count !== '');
}
