import type { FindingOptions } from '../../src/analysis/findings/finder.ts';

const SALT_BYTES = 16;

/** Loads what tells findings of secrets: what the rules of redaction would remove. */
export async function secretFinder(): Promise<NonNullable<FindingOptions['detectSecrets']>> {
  const { createRedactor } = await import('../../src/redact/redactor.ts');
  const found: { readonly kind: string; readonly place: string }[] = [];
  const redactor = createRedactor({
    mode: 'secrets',
    salt: crypto.getRandomValues(new Uint8Array(SALT_BYTES)),
    onRemoved: ({ kind, part, path }) => found.push({ kind, place: `${part} ${path}` }),
  });
  return (entry) => {
    redactor.entry(entry);
    return found.splice(0);
  };
}
