import { wholeSeconds } from './figures.ts';

const ACTIONS = { forward: 'forwarded', edit: 'edited', drop: 'dropped', answer: 'answered' } as const;
const REASONS = {
  screen: 'by another controller',
  timeout: 'timeout',
  'screen gone': 'the last controller disconnected',
  mode: 'interception was turned off',
  end: 'the session ended',
} as const;

/** The action that released a held message. */
export type ReleaseAction = keyof typeof ACTIONS;

/** The reason for the release: a decision of some controller, or none. */
export type ReleaseReason = keyof typeof REASONS;

/** Describes how a held message was released and why, such as `forwarded: its time was up`. */
export function releaseWords(action: ReleaseAction, by: ReleaseReason, isOwn = false): string {
  return `${ACTIONS[action]}: ${isOwn ? 'by you' : REASONS[by]}`;
}

/** How long a message has been held: `held 5 s`. */
export function heldText(ms: number): string {
  return `held ${wholeSeconds(ms)}`;
}
