import type { Entry } from '../../model/entry.ts';
import { createRedactor, type Removal } from '../redactor.ts';

/** Creates a function that finds the secrets of an entry, with the same rules that redact recordings. */
export function secretDetector(
  salt: Uint8Array,
): (entry: Entry) => readonly { readonly kind: string; readonly place: string }[] {
  const removals: Removal[] = [];
  const redactor = createRedactor({ mode: 'secrets', salt, onRemoved: (removal) => removals.push(removal) });
  // A key on the path to a secret may itself be a secret.
  const withoutSecrets = secretCleaner(salt);
  return (entry) => {
    redactor.entry(entry);
    return removals.splice(0).map(({ kind, part, path }) => ({ kind, place: withoutSecrets(`${part} ${path}`) }));
  };
}

/** Creates a function that redacts secrets in sentences that quote a recording. */
export function secretCleaner(salt: Uint8Array): (text: string) => string {
  const redactor = createRedactor({ mode: 'secrets', salt });
  return (text) =>
    redactor.footer({ endedAtMs: 0, exitCode: undefined, durationMs: undefined, reason: text }).reason ?? '';
}
