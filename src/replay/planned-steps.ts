import { ReelError } from '../model/errors.ts';
import type { RecordedSession } from '../model/session.ts';
import { type ClientStep, dialoguesOf, type RecordedDialogue } from '../recorded/recorded-dialogue.ts';
import { type ReplayChoices, ReplayPlan, type StepAction } from './replay-plan.ts';
import { inOrder } from './step-order.ts';

/** A client message and what a replay would do with it. */
export interface PlannedStep {
  readonly step: ClientStep;
  readonly action: StepAction;
}

/** Lists what a replay would send, without sending it (dry run). */
export async function plannedSteps(session: RecordedSession, options: ReplayChoices): Promise<readonly PlannedStep[]> {
  const dialogues = await dialoguesOf(session, 'target');
  const plan = planFor(dialogues, options);
  return Array.from(inOrder(dialogues), ({ step }) => ({ step, action: plan.actionOf(step) }));
}

/** Creates the plan for a session. Throws if the session has no messages to replay. */
export function planFor(dialogues: readonly RecordedDialogue[], options: ReplayChoices): ReplayPlan {
  refuseEmpty(dialogues);
  const plan = new ReplayPlan(options);
  for (const { steps } of dialogues) {
    for (const { method, answer } of steps) {
      if (method === 'tools/list' && answer !== undefined) plan.learnTools(answer.text);
    }
  }
  return plan;
}

function refuseEmpty(dialogues: readonly RecordedDialogue[]): void {
  const isThere = dialogues.some(({ steps }) =>
    steps.some(({ kind }) => kind === 'request' || kind === 'notification'),
  );
  if (isThere) return;
  throw new ReelError('session-empty', 'The session has no client messages to replay', {
    hint: 'Record one: mcpreel record',
  });
}
