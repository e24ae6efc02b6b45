import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { MockForwarding } from '../../../mock/forwarding.ts';
import type { OpenMock } from '../../../mock/open-mock.ts';
import type { RecordedDialogue } from '../../../recorded/recorded-dialogue.ts';
import type { TargetChoice } from '../../../transport/outbound/connect-target.ts';
import type { ProcessFacts } from '../../context.ts';
import { startServer } from '../../early-start.ts';
import { type CaptureFlagValues, TARGET_FLAGS } from '../../flags/capture-flags.ts';
import { targetFrom } from '../../flags/capture-options.ts';
import { refuseFlags } from '../../flags/connection-options.ts';
import { usage } from '../../flags/flag-values.ts';

export type RecordMode = 'once' | 'new' | 'none' | 'all';

/** How to handle requests that are not in the recording. */
export type MissPlan =
  | { readonly kind: 'error' }
  | {
      readonly kind: 'forward';
      readonly target: TargetChoice;
      /** Whether all requests are forwarded and the recording is replaced. */
      readonly isAll: boolean;
      /** Whether there is a recording to add to. */
      readonly exists: boolean;
    };

interface MissFlags {
  readonly onMiss: 'error' | 'forward';
  readonly recordMode?: RecordMode;
}

/** Reads the plan from the flags. `isCi`: no user is there to review additions to the recording. */
export function missPlanFrom(
  reference: string,
  { onMiss, recordMode }: MissFlags,
  values: CaptureFlagValues,
  isCi: boolean,
  note: (line: string) => void,
): MissPlan {
  if (onMiss === 'error') {
    const why = 'works only with --on-miss forward';
    refuseFlags(values, TARGET_FLAGS, why, 'Add it, or remove the flag.');
    if (recordMode !== undefined) throw usage(`--record-mode ${why}`, 'Add it, or remove the flag.');
    return { kind: 'error' };
  }
  const target = liveTargetFrom(values);
  const mode = recordMode ?? (isCi ? 'none' : 'new');
  if (mode === 'none' && recordMode === undefined) note('mcpreel: CI is set: requests are not forwarded or recorded');
  if (mode === 'none') return { kind: 'error' };
  if (reference === '-') throw usage('Cannot record to standard input', 'Name a file, or use --record-mode none.');
  const exists = existsSync(reference);
  if (mode === 'once' && exists) return { kind: 'error' };
  return { kind: 'forward', target, isAll: mode === 'all', exists };
}

/** Whether all requests are forwarded and the recording is replaced. */
export function isAll(plan: MissPlan): boolean {
  return plan.kind === 'forward' && plan.isAll;
}

/**
 * Opens forwarding to the live server, if enabled. `own`: the mock's own listener. `parent`: the process that starts
 * the server.
 */
export async function forwardingFor(
  plan: MissPlan,
  dialogues: readonly RecordedDialogue[],
  note: (line: string) => void,
  own: () => OpenMock['listener'],
  parent: ProcessFacts,
): Promise<MockForwarding | undefined> {
  if (plan.kind === 'error') return undefined;
  const { target } = plan;
  const { openForwarding } = await import('../../../mock/forwarding.ts');
  const startTarget = (): ReturnType<typeof startServer> =>
    startServer(target.transport === 'stdio' ? target : { command: [], env: {} }, parent);
  const deps = { nowMs: Date.now, newId: randomUUID, note, startTarget, own, env: parent.env };
  return openForwarding({ target, dialogues: isAll(plan) ? [] : dialogues, ...deps });
}

function liveTargetFrom(values: CaptureFlagValues): TargetChoice {
  if (values['target-command'] === undefined && values['target-url'] === undefined) {
    throw usage('--on-miss forward needs a live server', 'Add --target-command or --target-url.');
  }
  return targetFrom(values, []);
}
