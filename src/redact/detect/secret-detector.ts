import type { Entry } from '../../model/entry.ts';
import { createRedactor, type Removal } from '../redactor.ts';

/** Makes what finds the secrets of an entry: by the rules that recordings are redacted with, what they would remove. */
export function secretDetector(
  salt: Uint8Array,
): (entry: Entry) => readonly { readonly kind: string; readonly place: string }[] {
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
