import { secretsOfTarget } from '../capture/bridge/bridge-target.ts';
import { ObjectView } from '../json/object-view.ts';
import type { JsonText } from '../model/entry.ts';
import type { SessionHeader } from '../model/session.ts';
import { DEFAULT_REDACTION, REDACT_MODES } from '../redact/redaction-rules.ts';
import { createRedactor, type Redactor } from '../redact/redactor.ts';
import type { ReplayTarget } from './replay-options.ts';

/**
 * What removes from a replay what its recording would not hold either, and the values that the user gave for the target.
 * A recording that was made with everything in it is replayed with everything in it.
 */
export function replayRedactor({ keepsakes }: SessionHeader, target: ReplayTarget, salt: string): Redactor | undefined {
  const sent = ObjectView.of(keepsakes?.trace ?? '{}')?.string('redact');
  const mode = REDACT_MODES.find((known) => known === sent) ?? DEFAULT_REDACTION.mode;
  return mode === 'off' ? undefined : createRedactor({ mode, salt, exactValues: secretsOfTarget(target) });
}

/** The text of a message without what a redactor removes, which is made for the first text: most replays need none. */
export function cleanedBy(makeRedactor: () => Redactor | undefined): (text: JsonText) => JsonText {
  let made: { readonly redactor: Redactor | undefined } | undefined;
  return (text) => {
    made ??= { redactor: makeRedactor() };
    const { redactor } = made;
    if (redactor === undefined) return text;
    const entry = { kind: 'message', sequence: 0, proxyId: '', atMs: 0, direction: 'server_to_client', text } as const;
    const redacted = redactor.entry(entry);
    return redacted.kind === 'message' ? redacted.text : text;
  };
}
