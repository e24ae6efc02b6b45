import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { PLACEHOLDER_START } from '../model/placeholder.ts';
import { BoundedMemory } from './names/bounded-memory.ts';

/** Matches the placeholders in a text. */
export const PLACEHOLDERS: RegExp = /\[REDACTED:[a-z0-9-]{1,64}:[0-9a-f]{8}\]/g;

const WHOLE_PLACEHOLDER = /^\[REDACTED:([a-z0-9-]{1,64}):[0-9a-f]{8}\]$/;

/** Returns the kind of value that a placeholder replaces, or `undefined` if the text is not a placeholder. */
export function placeholderKind(text: string): string | undefined {
  return WHOLE_PLACEHOLDER.exec(text)?.[1];
}

/** Returns whether a text is exactly one placeholder. */
export function isPlaceholder(text: string): boolean {
  return WHOLE_PLACEHOLDER.test(text);
}

/** A placeholder contains this much of the digest. */
const DIGEST_BYTES = 4;

export type PlaceholderMaker = (kind: string, value: string) => string;

/**
 * Creates the placeholders of one session. Equal values have equal digits, and values cannot be guessed without the
 * salt. A zero byte separates the salt from the value.
 */
export function placeholderMaker(salt: string | Uint8Array): PlaceholderMaker {
  const encoder = new TextEncoder();
  const prefix = typeof salt === 'string' ? encoder.encode(salt) : salt;
  const digits = new BoundedMemory<string>();
  const digitsOf = (value: string): string => {
    const bytes = encoder.encode(value.length > MAX_HASHED ? endsOf(value) : value);
    const salted = new Uint8Array(prefix.length + 1 + bytes.length);
    salted.set(prefix);
    salted.set(bytes, prefix.length + 1);
    return bytesToHex(sha256(salted).subarray(0, DIGEST_BYTES));
  };
  let long = '';
  let digitsOfLong = '';
  return (kind, whole) => {
    const value = kind === UNJUDGED ? `${whole.length} ${whole.slice(0, SAMPLE)}` : whole;
    if (value.length > MAX_REMEMBERED && value !== long) {
      digitsOfLong = digitsOf(value);
      long = value;
    }
    const known = value.length > MAX_REMEMBERED ? digitsOfLong : digits.get(value, digitsOf);
    return `${PLACEHOLDER_START}${kind}:${known}]`;
  };
}

/** The kind of what is redacted without a look. */
export const UNJUDGED: string = 'many-secrets';
/** Of what is redacted without a look, the length and so many characters make the digits. */
const SAMPLE = 64;

/** Of longer values, only the last is remembered. */
const MAX_REMEMBERED = 512;
/** Of longer values only the ends and the length are hashed. */
const MAX_HASHED = 1 << 17;

function endsOf(value: string): string {
  return `${value.length} ${value.slice(0, MAX_HASHED / 2)} ${value.slice(-MAX_HASHED / 2)}`;
}

/** Converts a name for use in a placeholder: `apiKey` and `API_KEY` both become `api-key`. */
export function kindOfName(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
  const kind = words
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, '');
  return kind === '' ? 'key' : kind;
}
