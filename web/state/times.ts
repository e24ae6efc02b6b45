import { formatClock, formatElapsed } from '../../src/present/figures.ts';
import type { TimeStyle } from './place.ts';

/** Formats a time for the list. */
export function formatTime(atMs: number, style: TimeStyle, startMs: number, beforeMs: number): string {
  return style === 'absolute' ? formatClock(atMs) : formatElapsed(atMs - (style === 'delta' ? beforeMs : startMs));
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** `1 message`, `1,200 messages`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
