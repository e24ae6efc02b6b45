import type { TimeStyle } from './place.ts';

/** Formats a time for the list. */
export function formatTime(atMs: number, style: TimeStyle, startMs: number, beforeMs: number): string {
  if (style === 'absolute') return clock(atMs);
  const ms = style === 'delta' ? atMs - beforeMs : atMs - startMs;
  return `${ms < 0 ? '-' : '+'}${(Math.abs(ms) / 1000).toFixed(3)}`;
}

/** The time of day, with milliseconds. */
function clock(atMs: number): string {
  const date = new Date(atMs);
  const two = (n: number): string => String(n).padStart(2, '0');
  const ms = String(date.getMilliseconds()).padStart(3, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${ms}`;
}

/** Formats a duration with about three digits. */
export function formatDuration(ms: number): string {
  if (ms < 1) return ms === 0 ? '0 ms' : '<1 ms';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Formats the time since the start of a call. */
export function formatOffset(ms: number): string {
  const digits = Math.abs(ms) < 1000 ? 3 : Math.abs(ms) < 10_000 ? 2 : 1;
  return `${ms < 0 ? '-' : '+'}${(Math.abs(ms) / 1000).toFixed(digits)} s`;
}

/** Formats a size in bytes. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** `1 message`, `1,200 messages`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
