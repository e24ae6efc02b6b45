/** Formats times and sizes in the few characters that a row has for them. */

/** The time since the session began: `+1.204`, or `+1:02:03` from 1,000 s on. */
export function sinceStart(ms: number): string {
  const passed = Math.max(0, ms);
  if (passed < 1_000_000) return `+${(passed / 1000).toFixed(3)}`;
  const seconds = Math.floor(passed / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `+${hours}:${pad(minutes)}:${pad(seconds % 60)}`;
}

/** `31 ms`, `1.2 s`, `2 m 05 s`. */
export function howLong(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} m ${pad(Math.floor(ms / 1000) % 60)} s`;
}

export function wholeSeconds(ms: number): number {
  return Math.max(0, Math.floor(ms / 1000));
}

/** `640 B`, `1.2 kB`, `5.0 MB`. */
export function howLarge(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function pad(n: number): string {
  return String(n).padStart(2, '0');
}
