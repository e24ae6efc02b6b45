import { strengthOfName } from '../names/secret-names.ts';
import { AnchorIndex } from './anchor-index.ts';
import { type DetectedSpan, RANK } from './detector.ts';
import { isSecretHeader, SCHEME } from './header-values.ts';
import { isFullPath, isLiteral, isPlausibleSecret, isRandom } from './plausibility.ts';
import { mayHoldSecret } from './secret-gate.ts';
import { findSecrets, type ScanItem, scanIndex, shapeOf } from './secret-scan.ts';

/** Shorter values are settings (`1`, `true`, `debug`) and would match within words. */
const MIN_SECRET = 6;
/** The same for values that the user did not pass to mcpreel. */
const MIN_INHERITED = 8;

/** Common settings that users pass in the environment and that occur in ordinary text. */
const ORDINARY_WORDS = new Set([
  'production',
  'development',
  'localhost',
  'default',
  'enabled',
  'disabled',
  'verbose',
  'warning',
]);

/** One way to write a value, and a part of it that any JSON text spells the same. */
interface ValueSpelling {
  readonly by: 'given';
  readonly text: string;
  readonly kind: string;
  readonly anchors: readonly string[];
  readonly lead: number;
}

/** What a session knows beforehand that may be secret. */
export interface KnownSettings {
  /** Variables and headers that the user gave for the target. */
  readonly given: readonly (readonly [name: string, value: string])[];
  /** Values that are secret, whatever they look like. */
  readonly tokens?: readonly string[];
  /** Variables that the target inherits. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Returns the secrets among the settings of a session. */
export function secretsAmong({ given, tokens = [], env }: KnownSettings): string[] {
  const inherited = Object.entries(env).flatMap(([name, value = '']) => inheritedSecret(name, value));
  return [...tokens, ...given.flatMap(([name, value]) => givenSecrets(name, value)), ...inherited];
}

/** A value that the user gave is secret if its name says so. Otherwise the secrets within it count. */
function givenSecrets(name: string, value: string): string[] {
  const strength = strengthOfName(name);
  const saysSecret = isSecretHeader(name) || (strength !== undefined && strength !== 'weak');
  if (saysSecret && isLiteral(value.trim()) && !isFullPath(value.trim())) return [value];
  if (isRandom(value.trim())) return [value];
  return findSecrets(value).map(({ start, end }) => value.slice(start, end));
}

/** An inherited value is secret if its name says so, and if it is long and unusual enough to look for. */
function inheritedSecret(name: string, value: string): string[] {
  const strength = strengthOfName(name);
  const trimmed = value.trim();
  if (strength === undefined || trimmed.length < MIN_INHERITED) return [];
  const isPlausible = isPlausibleSecret(trimmed, { strength, quoted: true, isSetting: true });
  return isPlausible || (strength !== 'weak' && isUnusual(trimmed)) ? [value] : [];
}

/** Returns whether a value with spaces or symbols hardly occurs in other texts. */
function isUnusual(value: string): boolean {
  return isLiteral(value) && !isFullPath(value) && /\d/.test(value) && /[^\w./:-]/.test(value);
}

/**
 * Values that are known to be secret, regardless of their shape: what the user passed with `--env`, `--header` and
 * `--token`, and what secret variables of the environment hold.
 */
export class GivenValues {
  readonly #spellings: readonly ValueSpelling[];
  readonly #index: AnchorIndex<ValueSpelling>;
  #indexOfAll: AnchorIndex<ScanItem> | undefined;
  /** Whether a value has no part that any JSON text spells the same, so that each text must be parsed. */
  readonly #mayBeAnywhere: boolean;

  constructor(values: readonly string[]) {
    const credentials = values.map((value) => value.trim().replace(SCHEME, ''));
    const secrets = new Set(credentials.filter((value) => value.length >= MIN_SECRET && !ORDINARY_WORDS.has(value)));
    const spellings = [...secrets].flatMap((secret) => {
      const kind = shapeOf(secret) ?? 'given-value';
      return spellingsOf(secret).map((text) => ({ by: 'given' as const, text, kind, ...anchorOf(text) }));
    });
    this.#spellings = spellings;
    this.#index = new AnchorIndex(spellings);
    this.#mayBeAnywhere = spellings.some(({ anchors }) => anchors.length === 0);
  }

  get none(): boolean {
    return this.#spellings.length === 0;
  }

  /** Returns whether a JSON text may contain one of the values, however it is escaped. */
  mayBeIn(text: string): boolean {
    return this.#mayBeAnywhere || (!this.none && (this.#index.some(text, () => true) || text.includes('\\u00')));
  }

  /** Returns whether a JSON text may contain one of the values or any other secret. */
  orSecretMayBeIn(text: string): boolean {
    if (this.none) return mayHoldSecret(text);
    // One search for both takes no longer than a search for either.
    this.#indexOfAll ??= new AnchorIndex<ScanItem>(this.#spellings, scanIndex());
    return this.#mayBeAnywhere || mayHoldSecret(text, this.#indexOfAll);
  }

  /** Finds the values in a string. */
  find(text: string): DetectedSpan[] {
    const findings: DetectedSpan[] = [];
    let end = 0;
    this.#index.some(text, ({ text: spelling, kind }, at) => {
      if (at < end || !text.startsWith(spelling, at)) return false;
      end = at + spelling.length;
      findings.push({ start: at, end, kind, rank: RANK.given });
      return false;
    });
    for (const { text: spelling, kind, anchors } of this.#spellings) {
      if (anchors.length > 0) continue;
      for (let at = text.indexOf(spelling); at >= 0; at = text.indexOf(spelling, at + spelling.length)) {
        findings.push({ start: at, end: at + spelling.length, kind, rank: RANK.given });
      }
    }
    return findings;
  }
}

/** The ways in which a value occurs: as it is, escaped in JSON, encoded for URLs, forms and HTML, and in base64. */
function spellingsOf(value: string): string[] {
  const all = [value, ...jsonSpellingsOf(value), ...urlSpellingsOf(value), ...htmlSpellingsOf(value)];
  // The longest come first, so that a part of one is not taken for the whole.
  return [...new Set([...all, ...base64SpellingsOf(value)])].sort((a, b) => b.length - a.length);
}

/** JSON may be in a string of JSON, and encoders may escape slashes and what is not ASCII. */
function jsonSpellingsOf(value: string): string[] {
  const escaped = escapedOnce(value);
  const inAscii = escaped.replaceAll(/[\x80-\uffff]/g, unicodeEscape);
  // Go escapes what HTML gives a meaning to, and .NET quotes and plus signs too.
  const inHtml = [/[<>&\u0080-\uffff]/g, /[<>&]/g].map((marks) => escaped.replaceAll(marks, unicodeEscape));
  const inDotNet = escaped.replaceAll('\\"', '"').replaceAll(/["'`<>&+\u0080-\uffff]/g, unicodeEscape);
  const capitals = upperCase(inAscii);
  const once = [escaped, escaped.replaceAll('/', '\\/'), inAscii, capitals, ...inHtml, inDotNet, upperCase(inDotNet)];
  const twice = once.map(escapedOnce);
  return [...once, ...twice, ...twice.map(escapedOnce)];
}

function escapedOnce(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Writes the digits of escapes in capitals. */
function upperCase(escaped: string): string {
  return escaped.replaceAll(/\\u[0-9a-f]{4}/g, (code) => `\\u${code.slice(2).toUpperCase()}`);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Encoders differ in which punctuation they encode, how they write spaces, and in the case of digits. */
function urlSpellingsOf(value: string): string[] {
  const encoded = percentEncoded(value);
  const upper = [/[!'()*~]/g, /[!'()~]/g, /[!'()*]/g].map((marks) => encoded.replaceAll(marks, percentCode));
  const all = [encoded, ...upper].flatMap((text) => [text, text.replaceAll('%20', '+')]);
  // Python leaves slashes in paths as they are.
  const withSlashes = all.map((text) => text.replaceAll('%2F', '/'));
  return [...all, ...withSlashes].flatMap((text) => [
    text,
    text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  ]);
}

function percentCode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function htmlSpellingsOf(value: string): string[] {
  const marks = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quotes = marks.replaceAll('"', '&quot;');
  return [marks, quotes, quotes.replaceAll("'", '&#39;'), quotes.replaceAll("'", '&#x27;')];
}

function percentEncoded(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    // A lone surrogate cannot be encoded.
    return value;
  }
}

/** In base64, a value looks different at each of three alignments. Only digits that its bytes alone determine count. */
function base64SpellingsOf(value: string): string[] {
  const bytes = [...new TextEncoder().encode(value)];
  if (bytes.length < MIN_INHERITED) return [];
  return [0, 1, 2].flatMap((before) => {
    const text = btoa(String.fromCharCode(...Array<number>(before).fill(0), ...bytes));
    const first = Math.ceil((before * 8) / 6);
    const digits = text.slice(first, Math.floor(((before + bytes.length) * 8) / 6));
    return [digits, digits.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Finds four characters of a text that no JSON encoder escapes. Encoders that escape everything are noticed separately. */
function anchorOf(text: string): Pick<ValueSpelling, 'anchors' | 'lead'> {
  const match = /[\w.:;,=+*!?@#$%^(){}|~-]{4}/.exec(text);
  if (match === null) return { anchors: [], lead: 0 };
  const anchor = [...match[0]].map((character) =>
    character === '[' || character === ']' ? `[${character}]` : character,
  );
  return { anchors: [anchor.join('')], lead: match.index };
}
