import { BACKSLASH } from '../../json/punctuation.ts';
import { UNJUDGED } from '../placeholder.ts';
import { secretsInColumns } from '../regions/columns.ts';
import { secretsInEntities, secretsInPercentCodes } from '../regions/encoded-text.ts';
import { type ManifestProgress, secretsInManifest } from '../regions/kubernetes-secret.ts';
import { secretsInInsert, secretsInTable, type TableProgress } from '../regions/tables.ts';
import { LAST_PART, TextBlocks } from '../regions/text-blocks.ts';
import { COST, WorkBudget } from '../work-budget.ts';
import { type Anchored, AnchorIndex } from './anchor-index.ts';
import { NAME_ANCHORS } from './assignment-patterns.ts';
import { AssignmentFinder } from './assignments.ts';
import { type DetectedSpan, type Detector, RANK } from './detector.ts';
import { DETECTORS } from './detectors.ts';
import { type CookieProgress, cookiesInText } from './header-values.ts';
import { decodeBase64 } from './plausibility.ts';
import { PRIVATE_KEY } from './private-key.ts';
import { RepeatedText } from './repeated-text.ts';

/** MCP encodes header values that a header cannot contain in this way. The decoded value is checked. */
const ENCODED: Detector = {
  kind: 'encoded-secret',
  anchors: ['=?ba'],
  pattern: /=\?base64\?([A-Za-z0-9+/]+={0,2})\?=/dy,
  hint: /=\?base64\?/y,
  anywhere: true,
  accepts: (base64) => findSecrets(decodeBase64(base64) ?? '').length > 0,
};

/** One way to find secrets, with the anchors that call for it. */
export type ScanItem =
  | ShapeItem
  | {
      readonly by:
        | 'name'
        | 'manifest'
        | 'cookie'
        | 'table'
        | 'insert'
        | 'command'
        | 'jwk'
        | 'escape'
        | 'percent'
        | 'entity'
        | 'headers'
        | 'given';
      readonly anchors: readonly string[];
      readonly lead?: number;
    };

/** A detector whose patterns are adapted on first use, because a session uses few of them. */
class ShapeItem implements Anchored {
  readonly by = 'shape';
  readonly detector: Detector;
  readonly anchors: readonly string[];
  readonly lead: number;
  #pattern: RegExp | undefined;
  #hint: RegExp | undefined;

  constructor(detector: Detector) {
    this.detector = detector;
    this.anchors = detector.anchors;
    this.lead = detector.lead ?? 0;
  }

  get pattern(): RegExp {
    this.#pattern ??= withoutCounting(this.detector.pattern);
    return this.#pattern;
  }

  get hint(): RegExp {
    this.#hint ??= this.detector.hint ?? new RegExp(this.pattern.source, this.pattern.flags.replace('d', ''));
    return this.#hint;
  }
}

let items: AnchorIndex<ScanItem> | undefined;

/** Builds the index on first use, so that sessions without redaction do not pay for it. */
export function scanIndex(): AnchorIndex<ScanItem> {
  items ??= new AnchorIndex<ScanItem>([
    { by: 'name', anchors: NAME_ANCHORS },
    { by: 'manifest', anchors: ['kind'] },
    { by: 'cookie', anchors: ['[Oo]oki', 'OOKI'], lead: 1 },
    { by: 'table', anchors: ['|--[|-]', '| --', '|:--'] },
    { by: 'insert', anchors: ['[Ii][Nn][Ss][Ee]'] },
    { by: 'command', anchors: ['ysql', 'riad', 'shpa', 's-cl', 'ongo', 'daps'] },
    { by: 'jwk', anchors: ['kty["\\]'] },
    { by: 'headers', anchors: ['[Aa]der'] },
    { by: 'percent', anchors: ['%22[%A-Za-z0-9]', '%3[AaDd][%A-Za-z0-9]', '%5[Dd]='], lead: 0 },
    { by: 'entity', anchors: ['&quo', '&lt;', '&#34', '&#39'] },
    { by: 'escape', anchors: ['\\u00'] },
    ...[...DETECTORS, ENCODED].map((detector) => new ShapeItem(detector)),
  ]);
  return items;
}

/**
 * Rewrites `[a-z]{20,}` as `[a-z]{20}[a-z]*` in a pattern. For an unlimited count, the regex engine uses stack space
 * for every character, and several megabytes would overflow it.
 */
function withoutCounting(pattern: RegExp): RegExp {
  return new RegExp(pattern.source.replaceAll(/(\[(?:[^\]\\]|\\.)+\])\{(\d+),\}/g, '$1{$2}$1*'), pattern.flags);
}

/**
 * Finds the secrets in a string, in no particular order. They may overlap. While the budget is spent, a place that may
 * hold a secret counts as one together with what follows it, so that text made to look like secrets takes little more
 * time and memory than other text.
 */
export function findSecrets(text: string, budget: WorkBudget = new WorkBudget(), depth = 0): DetectedSpan[] {
  const scan = new TextScan(text, budget, depth);
  scanIndex().some(
    text,
    (item, at) => scan.visit(item, at),
    () => scan.progress,
  );
  scan.end();
  return scan.findings;
}

/** The offset up to which a search has looked, which begins within a text at any line. */
interface SearchProgress {
  end: number;
}
type LinesSearch = (text: string, at: number, progress: SearchProgress) => readonly DetectedSpan[];

/** Text that was encoded more often is not decoded. */
const MAX_ENCODINGS = 3;

/** The cost of lines that are looked at together. */
const COST_OF_CHARACTER = COST.look / 200;

/** A secret that begins so far before the end of another one may end after it. */
const MARGIN = 1024;

interface ShapeState {
  /** A detector continues where its last match ended, so that it never matches the same text twice. */
  end: number;
  /** Offsets at which the detector does not match. */
  readonly rejected: RepeatedText;
}

class TextScan {
  readonly findings: DetectedSpan[] = [];
  readonly #text: string;
  readonly #budget: WorkBudget;
  /** The number of encodings that the text was in. */
  readonly #depth: number;
  /** The end of the findings. */
  #end = 0;
  readonly #shapes = new Map<Detector, ShapeState>();
  /** What begins before this offset has been found. */
  #covered = 0;
  /** The number of visits before that offset. */
  #passed = 0;
  /** The budget has been increased for the text up to here. */
  #paid = 0;
  #blocks: TextBlocks | undefined;
  #names: AssignmentFinder | undefined;
  readonly #manifests: ManifestProgress = { end: 0 };
  readonly #tables: TableProgress = { end: 0 };
  readonly #inserts: TableProgress = { end: 0 };
  readonly #cookies: CookieProgress = { end: 0 };
  readonly #columns: TableProgress = { end: 0 };
  readonly #percent: SearchProgress = { end: 0 };
  readonly #entities: SearchProgress = { end: 0 };
  readonly #findWithin = (text: string): readonly DetectedSpan[] =>
    this.#depth < MAX_ENCODINGS ? findSecrets(text, this.#budget, this.#depth + 1) : [];

  constructor(text: string, budget: WorkBudget, depth: number) {
    this.#text = text;
    this.#budget = budget;
    this.#depth = depth;
  }

  visit(item: ScanItem, at: number): false {
    if (at < this.#covered) this.#passed++;
    else if (this.#isTooMuch(at) && isWorth(item)) this.#addBlock(item, at);
    else this.#visit(item, at);
    return false;
  }

  /** A number that stays the same while nothing is found. */
  get progress(): number {
    return this.findings.length + this.#passed;
  }

  /** Ends the search. */
  end(): void {
    this.#budget.advance(this.#text.length - this.#paid);
  }

  #isTooMuch(at: number): boolean {
    if (!this.#budget.isSpent) return false;
    this.#budget.advance(Math.max(0, at - this.#paid));
    this.#paid = Math.max(at, this.#paid);
    return this.#budget.isSpent;
  }

  /** Adds the place of an item and what is around it as one secret, if it may hold one. */
  #addBlock(item: ScanItem, at: number): void {
    this.#blocks ??= new TextBlocks(this.#text);
    this.#names ??= new AssignmentFinder(this.#text, this.#budget);
    if (item.by === 'name' && !this.#names.mayFind(at)) return;
    const { start, end } = this.#blocks.around(item.by, at);
    this.findings.push({ start: Math.max(start, Math.min(at, this.#end)), end, kind: UNJUDGED, rank: RANK.shape });
    this.#end = Math.max(this.#end, end);
    // What begins in the last part of the block may end after it.
    this.#covered = Math.max(this.#covered, end - LAST_PART);
  }

  #visit(item: ScanItem, at: number): void {
    switch (item.by) {
      case 'name':
        this.#names ??= new AssignmentFinder(this.#text, this.#budget);
        if (!this.#add(this.#names.find(at)) && this.#names.mayBeColumn)
          this.#addAll(at, this.#columns, secretsInColumns);
        break;
      case 'manifest':
        this.#addAll(at, this.#manifests, secretsInManifest);
        break;
      case 'cookie':
        this.#addAll(at, this.#cookies, cookiesInText);
        break;
      case 'table':
        this.#addAll(at, this.#tables, secretsInTable);
        break;
      case 'insert':
        this.#addAll(at, this.#inserts, secretsInInsert);
        break;
      case 'percent':
        this.#addAll(at, this.#percent, (...place) => secretsInPercentCodes(...place, this.#findWithin));
        break;
      case 'entity':
        this.#addAll(at, this.#entities, (...place) => secretsInEntities(...place, this.#findWithin));
        break;
      case 'command':
      case 'jwk':
      case 'escape':
      case 'headers':
      case 'given':
        break;
      case 'shape':
        this.#shape(item.detector, item.pattern, at);
    }
  }

  #shape(detector: Detector, pattern: RegExp, at: number): void {
    const text = this.#text;
    const state = this.#stateOf(detector);
    if (at < state.end || (!detector.anywhere && !startsToken(text, at)) || state.rejected.has(at)) return;
    const found = matchAt(detector, pattern, text, at);
    state.end = found?.end ?? at + (detector.skips ?? 0);
    if (found === undefined) {
      state.rejected.add(at);
      this.#budget.spend(COST.shape);
    }
    this.#add(found);
  }

  #stateOf(detector: Detector): ShapeState {
    const known = this.#shapes.get(detector);
    if (known !== undefined) return known;
    const state = { end: 0, rejected: new RepeatedText(this.#text) };
    this.#shapes.set(detector, state);
    return state;
  }

  /** Adds what a search finds that reads many lines at once. */
  #addAll(at: number, progress: SearchProgress, search: LinesSearch): void {
    const before = Math.max(at, progress.end);
    for (const found of search(this.#text, at, progress)) this.#add(found);
    this.#budget.spend((Math.max(before, progress.end) - before) * COST_OF_CHARACTER);
  }

  /** Adds what was found. Returns whether anything was. */
  #add(found: DetectedSpan | undefined): boolean {
    if (found === undefined) return false;
    this.findings.push(found);
    this.#budget.spend(COST.finding);
    this.#end = Math.max(this.#end, found.end);
    // What begins well within a long secret hardly ends beyond it.
    this.#covered = Math.max(this.#covered, found.end - MARGIN);
    return true;
  }
}

/** Returns whether an item may be judged by its place alone. Keys and manifests may be long, and are rare. */
function isWorth(item: ScanItem): boolean {
  switch (item.by) {
    case 'shape':
      return item.detector.kind !== PRIVATE_KEY.kind;
    case 'name':
    case 'cookie':
    case 'table':
    case 'insert':
      return true;
    default:
      return false;
  }
}

/** Returns the kind if the whole string is one secret with a recognizable shape. */
export function shapeOf(value: string): string | undefined {
  return findSecrets(value).find(({ start, end, rank }) => start === 0 && end === value.length && rank === RANK.shape)
    ?.kind;
}

function matchAt(detector: Detector, pattern: RegExp, text: string, at: number): DetectedSpan | undefined {
  const { kind, byContext, accepts, endOf } = detector;
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  const span = match?.indices?.[1] ?? match?.indices?.[2] ?? match?.indices?.[0];
  if (span === undefined) return undefined;
  const [start, matchEnd] = span;
  const end = endOf ? endOf(text, matchEnd) : byContext ? matchEnd : encodedEnd(text, matchEnd);
  if (
    end === undefined ||
    (!byContext && STANDS_FOR_TOKEN.test(text.slice(start, Math.min(end, start + MAX_STAND_IN))))
  )
    return undefined;
  if (accepts?.(text.slice(start, end), text, at) === false) return undefined;
  return { start, end, kind, rank: byContext ? RANK.context : RANK.shape };
}

/** Tokens in documentation: `ghp_xxxxxxxx…`, `xoxb-your-bot-token`. */
const STANDS_FOR_TOKEN = /([xX*])\1{9}|[-_]your[-_]/;
const MAX_STAND_IN = 96;

/** The rest of a token in a query, where `=`, `+` and `/` are encoded. */
const ENCODED_REST = /(?:%(?:3d|2b|2f)[\w.~+/=-]{0,512}){1,64}/iy;

function encodedEnd(text: string, end: number): number {
  ENCODED_REST.lastIndex = end;
  return text.charCodeAt(end) === PERCENT && ENCODED_REST.test(text) ? ENCODED_REST.lastIndex : end;
}

const PERCENT = 0x25;
const LOWER_U = 0x75;
const LOWER_X = 0x78;
const LOWER_M = 0x6d;
const HYPHEN = 0x2d;
const UNDERSCORE = 0x5f;
const CONTROL_LETTERS = 'nrtbfv0';

/** The end of a terminal color sequence, either raw or escaped in source code. */
const COLOUR = /(?:[^ -~]|\\u001b|\\x1b|\\033|\\e)\[[0-9;]{0,12}m$/i;
const MAX_COLOUR = 24;
/** The maximum length of words with hyphens or underscores before a token, as in `my-backup-ghp_…`. */
const MAX_WORDS_BEFORE = 32;

/**
 * Returns whether a token may begin here instead of within a longer word. A run of token characters has only a few such
 * offsets, all near its start, so that long runs, which are data, are not checked again and again.
 */
export function startsToken(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  if (!isTokenCharacter(before) || followsEscape(text, at)) return true;
  if (before !== HYPHEN && before !== UNDERSCORE) return false;
  for (let i = at - 1; i >= at - MAX_WORDS_BEFORE; i--) if (i < 0 || !isTokenCharacter(text.charCodeAt(i))) return true;
  return false;
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
  return (
    (c >= 0x61 && c <= 0x7a) || (c >= 0x41 && c <= 0x5a) || (c >= 0x30 && c <= 0x39) || c === UNDERSCORE || c === HYPHEN
  );
}
