import { ObjectView } from '../json/object-view.ts';
import type { JsonText } from '../model/entry.ts';
import type { SessionHeader } from '../model/session.ts';
import { type KnownSettings, secretsAmong } from '../redact/detect/given-values.ts';
import { DEFAULT_REDACTION, REDACT_MODES } from '../redact/redaction-rules.ts';
import { createRedactor, type Redactor } from '../redact/redactor.ts';
import { settingsOfTarget } from '../transport/outbound/connect-target.ts';
import type { ReplayTarget } from './replay-options.ts';

/**
 * The redactor for a replay: the mode of the recording, plus the secrets that the user passed for the target and that it
 * inherits. If the recording was made with redaction off, the replay is not redacted either.
 */
export function replayRedactor(
  { keepsakes }: SessionHeader,
  target: ReplayTarget,
  salt: string,
  env: KnownSettings['env'],
): Redactor | undefined {
  const sent = ObjectView.of(keepsakes?.trace ?? '{}')?.string('redact');
  const mode = REDACT_MODES.find((known) => known === sent) ?? DEFAULT_REDACTION.mode;
  if (mode === 'off') return undefined;
  return createRedactor({ mode, salt, exactValues: secretsAmong({ given: settingsOfTarget(target), env }) });
}

/** Redacts message texts. The redactor is created on first use, because most replays need none. */
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
