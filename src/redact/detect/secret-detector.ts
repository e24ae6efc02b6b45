import type { Entry } from '../../model/entry.ts';
import type { RecordedSession } from '../../model/session.ts';
import { createRedactor, type Removal } from '../redactor.ts';

/** A secret in a session: its kind and where it is. */
interface PlacedSecret {
  readonly kind: string;
  readonly place: string;
}

type SessionEdges = Pick<RecordedSession, 'header' | 'footer'>;

/** Finds the secrets of a session. */
interface SecretSearch {
  /** The secrets in the header and the end: in the command, the address, the metadata and the reason. */
  readonly edgeSecrets: readonly PlacedSecret[];
  readonly detectSecrets: (entry: Entry) => readonly PlacedSecret[];
}

/** Searches a session for secrets with the same rules that redact recordings. */
export function secretSearch({ header, footer }: SessionEdges, salt: Uint8Array): SecretSearch {
  const removals: Removal[] = [];
  const redactor = createRedactor({ mode: 'secrets', salt, onRemoved: (removal) => removals.push(removal) });
  // A key on the path to a secret may itself be a secret.
  const withoutSecrets = secretCleaner(salt);
  const found = (): readonly PlacedSecret[] =>
    removals.splice(0).map(({ kind, part, path }) => ({ kind, place: withoutSecrets(`${part} ${path}`) }));
  redactor.header(header);
  if (footer !== undefined) redactor.footer(footer);
  return {
    edgeSecrets: found(),
    detectSecrets: (entry) => {
      redactor.entry(entry);
      return found();
    },
  };
}

/** Creates a function that redacts secrets in sentences that quote a recording. */
export function secretCleaner(salt: Uint8Array): (text: string) => string {
  const redactor = createRedactor({ mode: 'secrets', salt });
  return (text) =>
    redactor.footer({ endedAtMs: 0, exitCode: undefined, durationMs: undefined, reason: text }).reason ?? '';
}
