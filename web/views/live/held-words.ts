import { formatDuration, wholeSeconds } from '../../../src/present/figures.ts';
import { heldText, releaseWords } from '../../../src/present/release-words.ts';
import { wordsOf } from '../../../src/present/row-words.ts';
import type { LiveNews } from '../../sources/served-live.ts';
import type { ServedHeldMessage } from '../../sources/served-protocol.ts';

/** The title and a short summary of a held message. */
export function heldWords({ id, direction, text, changedText, atMs, conversation }: ServedHeldMessage): {
  readonly name: string;
  readonly brief: string;
} {
  const sent = changedText ?? text;
  return wordsOf({ kind: 'message', sequence: -1, proxyId: id, atMs, direction, text: sent, conversation });
}

/** The time a message has been held and the time left, in whole seconds. */
export function heldClock(
  { atMs, untilMs }: ServedHeldMessage,
  nowMs: number,
): { readonly held: string; readonly left: string } {
  return { held: heldText(nowMs - atMs), left: `${wholeSeconds(untilMs - nowMs)} left` };
}

/** The elapsed fraction of its hold time, from 0 to 1. */
export function heldPart({ atMs, untilMs }: ServedHeldMessage, nowMs: number): number {
  return Math.min(1, Math.max(0, (nowMs - atMs) / Math.max(1, untilMs - atMs)));
}

/** Describes the outcome of a held message, and its cause. */
export function newsWords({ decision, by, isOwn, heldMs, message }: LiveNews): string {
  const name = message === undefined ? 'a message' : heldWords(message).name;
  return `${name} ${releaseWords(decision.action, by, isOwn)}, after ${formatDuration(heldMs)}`;
}
