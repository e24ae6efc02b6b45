import { BACKSLASH } from '../../json/punctuation.ts';
import { AnchorIndex } from './anchor-index.ts';

import { type DetectedSpan, type Detector, RANK } from './detector.ts';
import { DETECTORS } from './detectors.ts';
import { decodeBase64 } from './plausibility.ts';

/** A detector's expressions, ready for texts of any length. */
interface ShapeExpressions {
  readonly pattern: RegExp;
  readonly hint: RegExp;
}

/** What a header of MCP cannot hold as it is stands in it so, and is judged by what it says. */
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

/** Built when it is first needed: a session without redaction does not pay for it. */
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
 * The same pattern with `[a-z]{20,}` spelled `[a-z]{20}[a-z]*`. Where the engine has to count without a limit it uses
 * room on its stack for every character, and a run of several megabytes would overflow it.
 */
function withoutCounting(pattern: RegExp): RegExp {
  return new RegExp(pattern.source.replaceAll(/(\[(?:[^\]\\]|\\.)+\])\{(\d+),\}/g, '$1{$2}$1*'), pattern.flags);
}

/**
 * Whether a JSON text may hold a secret in one of its strings. The one scan that clean text pays for: it reads the text
 * as it is, escapes and all, and may be wrong in this direction only.
 */
export function mayHoldSecret(text: string): boolean {
  const may = (index ?? detectorIndex()).someQuickly(text, callsForLook);
  lastRequested = undefined;
  return may;
}

function callsForLook(detector: Detector, at: number, text: string): boolean {
  if (!detector.anywhere && !startsToken(text, at)) return false;
  const hint = expressions.get(detector)?.hint;
  if (hint === undefined) return false;
  hint.lastIndex = at;
  return hint.test(text) && (detector.onlyWith === undefined || hasAlso(detector.onlyWith, text));
}

let lastRequested: { readonly text: string; readonly pattern: RegExp; readonly answer: boolean } | undefined;

/** Asked once for a text, however often the same hint is found in it. */
function hasAlso(pattern: RegExp, text: string): boolean {
  if (lastRequested?.text !== text || lastRequested.pattern !== pattern) {
    lastRequested = { text, pattern, answer: pattern.test(text) };
  }
  return lastRequested.answer;
}

/** The secrets in a string, in no order; they may overlap. */
export function findSecrets(text: string): DetectedSpan[] {
  const findings: DetectedSpan[] = [];
  // A detector goes on where its last match ended, so that no text is matched twice by the same one.
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

/** Whether a string is one secret that is known by its look, and of which kind. */
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

/** The end of a colour of a terminal, as itself or in the spelling of a language. */
const COLOUR = /(?:\p{Cc}|\\u001b|\\x1b|\\033|\\e)\[[0-9;]{0,12}m$/iu;
const MAX_COLOUR = 24;

/**
 * Whether a token may begin here, rather than lie within a longer word. A run of the characters that tokens are made of
 * has one such place, so that looking once at every run is all the work there is.
 */
function startsToken(text: string, at: number): boolean {
  return at === 0 || !isTokenCharacter(text.charCodeAt(at - 1)) || followsEscape(text, at);
}

/**
 * Whether the letter or digit before `at` ends an escape of a language within the text, a percent-encoded character or
 * a terminal's colour, and so is no part of the word that follows.
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
