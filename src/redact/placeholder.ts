import { PLACEHOLDER_START } from '../model/placeholder.ts';
import { shortSha256 } from './sha256.ts';

/** Where placeholders stand in a text. */
export const PLACEHOLDERS: RegExp = /\[REDACTED:[a-z0-9-]{1,64}:[0-9a-f]{8}\]/g;

const WHOLE_PLACEHOLDER = /^\[REDACTED:([a-z0-9-]{1,64}):[0-9a-f]{8}\]$/;

/** What a placeholder hides, or `undefined` where the text is none. */
export function placeholderKind(text: string): string | undefined {
  return WHOLE_PLACEHOLDER.exec(text)?.[1];
}

/** Whether a text is a placeholder and nothing else. */
export function isPlaceholder(text: string): boolean {
  return WHOLE_PLACEHOLDER.test(text);
}

/** Makes the placeholder of a value. */
export type PlaceholderMaker = (kind: string, value: string) => string;

/**
 * Placeholders of one session: equal values have equal digits, and without the salt nobody can try values out. A zero
 * byte keeps salt and value apart.
 */
export function placeholderMaker(salt: string | Uint8Array): PlaceholderMaker {
  const encoder = new TextEncoder();
  const prefix = typeof salt === 'string' ? encoder.encode(salt) : salt;
  return (kind, value) => {
    const bytes = encoder.encode(value);
    const salted = new Uint8Array(prefix.length + 1 + bytes.length);
    salted.set(prefix);
    salted.set(bytes, prefix.length + 1);
    return `${PLACEHOLDER_START}${kind}:${shortSha256(salted)}]`;
  };
}

/** A name as it may stand in a placeholder: `apiKey` and `API_KEY` are both `api-key`. */
export function kindOfName(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
  const kind = words
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, '');
  return kind === '' ? 'key' : kind;
}
