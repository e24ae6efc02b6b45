import type { FindingOptions } from '../analysis/findings/finder.ts';
import { createRedactor, type Removal } from '../redact/redactor.ts';

/** Makes what tells findings of secrets: by the rules that recordings are redacted with, what they would remove. */
export function secretDetector(salt: Uint8Array): NonNullable<FindingOptions['detectSecrets']> {
  const removals: Removal[] = [];
  const redactor = createRedactor({ mode: 'secrets', salt, onRemoved: (removal) => removals.push(removal) });
  // A name on the way to a secret may be one itself.
  const withoutSecrets = secretCleaner(salt);
  return (entry) => {
    redactor.entry(entry);
    return removals.splice(0).map(({ kind, part, path }) => ({ kind, place: withoutSecrets(`${part} ${path}`) }));
  };
}

/** Makes what takes secrets out of sentences that quote a recording. */
export function secretCleaner(salt: Uint8Array): (text: string) => string {
  const redactor = createRedactor({ mode: 'secrets', salt });
  return (text) =>
    redactor.footer({ endedAtMs: 0, exitCode: undefined, durationMs: undefined, reason: text }).reason ?? '';
}
