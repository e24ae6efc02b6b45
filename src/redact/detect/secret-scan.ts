import { BACKSLASH } from '../../json/punctuation.ts';
import { AnchorIndex } from './anchor-index.ts';
import { type DetectedSpan, type Detector, RANK } from './detector.ts';
import { DETECTORS } from './detectors.ts';
import { decodeBase64 } from './plausibility.ts';

/** The regular expressions of a detector, adapted for texts of any length. */
interface ShapeExpressions {
  readonly pattern: RegExp;
  readonly hint: RegExp;
}

/** MCP encodes header values that a header cannot contain in this way. The decoded value is checked. */
const ENCODED: Detector = {
  kind: 'encoded-secret',
  anchors: ['=?ba'],
  pattern: /=\?base64\?([A-Za-z0-9+/]+={0,2})\?=/dy,
  hint: /=\?base64\?/y,
  anywhere: true,
  accepts: (base64) => findSecrets(decodeBase64(base64) ?? '').length > 0,
};

const ALL_DETECTORS = [...DETECTORS, ENCODED];

let index: AnchorIndex | undefined;
const expressions = new Map<Detector, ShapeExpressions>();

/**
 * Returns whether a JSON text may contain a secret in one of its strings. This is the only scan that clean text goes
 * through. It reads the raw text including escapes, and may return false positives but no false negatives.
 */
export function mayHoldSecret(text: string): boolean {
  const may = (index ?? detectorIndex()).someQuickly(text, callsForLook);
  lastRequested = undefined;
  return may;
}

/** Builds the index on first use, so that sessions without redaction do not pay for it. */
function detectorIndex(): AnchorIndex {
  if (index === undefined) {
    for (const detector of ALL_DETECTORS) {
      const pattern = withoutCounting(detector.pattern);
      const hint = detector.hint ?? new RegExp(pattern.source, pattern.flags.replace('d', ''));
      expressions.set(detector, { pattern, hint });
    }
    index = new AnchorIndex(ALL_DETECTORS);
  }
  return index;
}

/**
 * Rewrites `[a-z]{20,}` as `[a-z]{20}[a-z]*` in a pattern. For an unlimited count, the regex engine uses stack space
 * for every character, and several megabytes would overflow it.
 */
function withoutCounting(pattern: RegExp): RegExp {
  return new RegExp(pattern.source.replaceAll(/(\[(?:[^\]\\]|\\.)+\])\{(\d+),\}/g, '$1{$2}$1*'), pattern.flags);
}

function callsForLook(detector: Detector, at: number, text: string): boolean {
  if (!detector.anywhere && !startsToken(text, at)) return false;
  const hint = expressions.get(detector)?.hint;
  if (hint === undefined) return false;
  hint.lastIndex = at;
  return hint.test(text) && (detector.onlyWith === undefined || hasAlso(detector.onlyWith, text));
}

let lastRequested: { readonly text: string; readonly pattern: RegExp; readonly answer: boolean } | undefined;

/** Evaluates the pattern once per text, however often the same hint matches. */
function hasAlso(pattern: RegExp, text: string): boolean {
  if (lastRequested?.text !== text || lastRequested.pattern !== pattern) {
    lastRequested = { text, pattern, answer: pattern.test(text) };
  }
  return lastRequested.answer;
}

/** Finds the secrets in a string, in no particular order. They may overlap. */
export function findSecrets(text: string): DetectedSpan[] {
  const findings: DetectedSpan[] = [];
  // A detector continues where its last match ended, so that it never matches the same text twice.
  let ends: Map<Detector, number> | undefined;
  detectorIndex().some(text, (detector, at) => {
    if (at < (ends?.get(detector) ?? 0)) return false;
    if (!detector.anywhere && !startsToken(text, at)) return false;
    const found = matchAt(detector, text, at);
    if (found === undefined) return false;
    ends ??= new Map();
    ends.set(detector, found.end);
    findings.push(found);
    return false;
  });
  return findings;
}

/** Returns the kind if the whole string is one secret with a recognizable shape. */
export function shapeOf(value: string): string | undefined {
  return findSecrets(value).find(({ start, end, rank }) => start === 0 && end === value.length && rank === RANK.shape)
    ?.kind;
}

function matchAt(detector: Detector, text: string, at: number): DetectedSpan | undefined {
  const { kind, byContext, accepts, endOf } = detector;
  const pattern = expressions.get(detector)?.pattern;
  if (pattern === undefined) return undefined;
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  const span = match?.indices?.[1] ?? match?.indices?.[0];
  if (span === undefined) return undefined;
  const [start, matchEnd] = span;
  const end = endOf ? endOf(text, matchEnd) : matchEnd;
  if (end === undefined || accepts?.(text.slice(start, end), text, at) === false) return undefined;
  return { start, end, kind, rank: byContext ? RANK.context : RANK.shape };
}

const PERCENT = 0x25;
const LOWER_U = 0x75;
const LOWER_X = 0x78;
const LOWER_M = 0x6d;
const CONTROL_LETTERS = 'nrtbfv0';

/** The end of a terminal color sequence, either raw or escaped in source code. */
const COLOUR = /(?:\p{Cc}|\\u001b|\\x1b|\\033|\\e)\[[0-9;]{0,12}m$/iu;
const MAX_COLOUR = 24;

/**
 * Returns whether a token may begin here instead of within a longer word. A run of token characters has only one such
 * offset, so each run is checked once.
 */
function startsToken(text: string, at: number): boolean {
  return at === 0 || !isTokenCharacter(text.charCodeAt(at - 1)) || followsEscape(text, at);
}

/**
 * Returns whether the letter or digit before `at` ends a source-code escape, a percent-encoded character or a terminal
 * color. It is then not part of the following word.
 */
function followsEscape(text: string, at: number): boolean {
  if (text.charCodeAt(at - 2) === BACKSLASH) return CONTROL_LETTERS.includes(text.charAt(at - 1));
  if (text.charCodeAt(at - 3) === PERCENT) return true;
  if (text.charCodeAt(at - 4) === BACKSLASH && text.charCodeAt(at - 3) === LOWER_X) return true;
  if (text.charCodeAt(at - 6) === BACKSLASH && text.charCodeAt(at - 5) === LOWER_U) return true;
  return text.charCodeAt(at - 1) === LOWER_M && COLOUR.test(text.slice(Math.max(0, at - MAX_COLOUR), at));
}

function isTokenCharacter(c: number): boolean {
  return (c >= 0x61 && c <= 0x7a) || (c >= 0x41 && c <= 0x5a) || (c >= 0x30 && c <= 0x39) || c === 0x5f || c === 0x2d;
}
