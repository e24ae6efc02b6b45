const ACTIONS = { forward: 'forwarded', edit: 'sent with changes', drop: 'dropped', answer: 'answered' } as const;
const REASONS = {
  screen: 'by another screen',
  timeout: 'its time was up',
  'screen gone': 'nobody was there to decide',
  mode: 'messages are let through again',
  end: 'the session ended',
} as const;

/** What becomes of a message that was held. */
export type ReleaseAction = keyof typeof ACTIONS;

/** Why: some screen decided, or nobody did. */
export type ReleaseReason = keyof typeof REASONS;

/** `forwarded: its time was up`: what became of a message that was held, and why. */
export function releaseWords(action: ReleaseAction, by: ReleaseReason, isOwn = false): string {
  return `${ACTIONS[action]}: ${isOwn ? 'by you' : REASONS[by]}`;
}
