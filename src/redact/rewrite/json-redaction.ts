import { type JsonPaths, type PathState, writeStep } from '../../json/json-path.ts';
import { CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../../json/punctuation.ts';
import { decodeString, documentSpan, scanString, scanValue, skipSpace, type TextSpan } from '../../json/scan.ts';
import type { JsonText } from '../../model/entry.ts';
import { findInCommand, takesPassword } from '../detect/command-words.ts';
import type { DetectedSpan } from '../detect/detector.ts';
import { isFrameHeader, isLinkHeader } from '../detect/header-values.ts';
import { findInContainer, findInMember, findInNumber } from '../detect/member-values.ts';
import { KeyLines } from '../detect/private-key.ts';
import type { StringRules } from '../detect/string-rules.ts';
import type { KeyNames } from '../names/key-names.ts';
import { strengthOfName } from '../names/secret-names.ts';
import { isPlaceholder, UNJUDGED } from '../placeholder.ts';
import { COST, WorkBudget } from '../work-budget.ts';
import { type ContainerLevel, nameOfValue, PAIR_NAMES, PAIR_VALUES, plainNameOfPair } from './container-level.ts';
import { endOfSmallChildren, isConfigMap, isJwkSecret } from './container-text.ts';
import { applyEdits, followedBy, inLiteral, type TextEdit } from './edits.ts';
import { editsWithin } from './embedded-json.ts';
import { type FrameKind, holdsRecords, isOfFrame } from './frame-fields.ts';
import { isRevision, type ProtectedFields, protectedFieldsOf } from './protected-fields.ts';
import { holdsOwnNames, isProtocolName, isSchemaWord } from './protocol-names.ts';

/** All rules that redact values in a JSON text. */
export interface JsonRules {
  readonly strings: StringRules;
  readonly keys: KeyNames;
  readonly paths: JsonPaths;
}

/** The context in which a text is redacted. */
export interface RedactionScope {
  /** Whether the text is a JSON-RPC message, whose own fields stay. */
  readonly isMessage: boolean;
  /** What the text is a part of, if that is a recording itself, whose times, kinds and ids stay. */
  readonly frame?: FrameKind;
  /** Called for every redacted value, with its kind and path. */
  readonly tell: (kind: string, path: () => string) => void;
  /** Spans to redact in the string under a key of the outermost object. */
  readonly known?: { readonly key: string; readonly findings: readonly DetectedSpan[] } | undefined;
  /** The number of strings that the text is nested in. */
  readonly nesting?: number | undefined;
  /** The work that the text may cause, together with the text that contains it. */
  readonly budget?: WorkBudget;
}

/** JSON within strings is parsed down to this level. Below it is plain text. */
const DEEPEST_NESTING = 5;
/** The maximum number of steps in a reported path. */
const MAX_PATH = 64;
/** Longer arguments are no options. */
const MAX_OPTION = 64;
/** Returns the edits that redact a JSON text. `undefined` if the text is not JSON. */
export function editsOfJson(text: JsonText, rules: JsonRules, scope: RedactionScope): readonly TextEdit[] | undefined {
  const document = documentSpan(text);
  return document && new JsonRedaction(text, rules, scope).run(document.start, document.end);
}

/** Returns the edits that redact a string, which may be plain text or contain JSON. */
export function editsOfString(
  value: string,
  rules: JsonRules,
  { tell: report, nesting = 0, budget = new WorkBudget() }: RedactionScope,
  path: () => string,
): readonly TextEdit[] {
  const mayNest = nesting < DEEPEST_NESTING && /^\s{0,64}[{["]/.test(value);
  const mayHoldKeys = mayNest && !rules.keys.none;
  if (!mayHoldKeys && !rules.strings.mayFindIn(value)) return [];
  const editsOf = (text: string, isMessage: boolean): readonly TextEdit[] | undefined =>
    editsOfJson(text, rules, {
      isMessage,
      tell: (kind, below) => report(kind, () => `${path()} > ${below()}`),
      nesting: nesting + 1,
      budget,
    });
  const inner = mayNest ? editsOf(value, value.includes('"jsonrpc"')) : undefined;
  const tellHere = (kind: string): void => report(kind, path);
  if (inner === undefined) {
    const within =
      nesting < DEEPEST_NESTING && rules.strings.secrets
        ? editsWithin(value, budget, (part) => editsOf(part, false))
        : [];
    if (within.length === 0) return rules.strings.edit(value, 'all', tellHere, [], budget);
    const around = rules.strings.edit(applyEdits(value, within), 'detected', tellHere, [], budget);
    return rules.strings.editBeside(value, followedBy(within, around), tellHere);
  }
  // A pattern may match the names of members, or across several members.
  return rules.strings.editBeside(value, inner, tellHere);
}

/** Redacts a valid JSON text in one pass, without recursion. */
class JsonRedaction {
  readonly #text: JsonText;
  readonly #rules: JsonRules;
  readonly #scope: RedactionScope & { readonly budget: WorkBudget };
  readonly #levels: ContainerLevel[] = [];
  #edits: TextEdit[] = [];
  /** Whether an edit was added for a value that came before others. */
  #outOfOrder = false;
  /** Whether the text holds a Kubernetes `Secret`. */
  readonly #holdsManifest: boolean;
  /** The budget has been increased for the text up to here. */
  #paid = 0;

  constructor(text: JsonText, rules: JsonRules, scope: RedactionScope) {
    this.#text = text;
    this.#rules = rules;
    this.#scope = { budget: new WorkBudget(), ...scope };
    this.#holdsManifest = rules.strings.secrets && /"kind"\s{0,8}:\s{0,8}"Secret"/.test(text);
  }

  run(start: number, end: number): readonly TextEdit[] {
    const text = this.#text;
    let i = this.#value(start, undefined);
    while (i < end) {
      const level = this.#levels.at(-1);
      const c = text.charCodeAt(i);
      if (c === CLOSE_BRACE || c === CLOSE_BRACKET) {
        this.#levels.pop();
        i++;
      } else if (level === undefined || c <= 0x20 || c === 0x2c) {
        i++;
      } else {
        i = this.#child(level, i);
      }
    }
    return this.#outOfOrder ? this.#edits.toSorted((a, b) => a.start - b.start) : this.#edits;
  }

  /** Reads the key or index of the child that begins at `at`. Returns the offset at which to continue. */
  #child(level: ContainerLevel, at: number): number {
    if (this.#isTooMuch(at) && this.#mayCut(level)) {
      const end = this.#cut(level, at);
      if (end > at) return end;
    }
    if (!level.isObject) {
      level.index++;
      if (level.alternates && level.index % 2 === 0) level.name = this.#stringAt(at);
      return this.#value(at, level);
    }
    const keyEnd = scanString(this.#text, at);
    const literal = this.#text.slice(at, keyEnd);
    level.key = decodeString(literal);
    if (level.protectedFields !== 'fixed') this.#editName(level, literal, at);
    const colon = skipSpace(this.#text, keyEnd);
    return this.#value(skipSpace(this.#text, colon + 1), level);
  }

  #isTooMuch(at: number): boolean {
    const { budget } = this.#scope;
    if (!budget.isSpent) return false;
    budget.advance(at - this.#paid);
    this.#paid = at;
    return budget.isSpent;
  }

  /** Returns whether children of a container may be redacted without a look. What the protocol needs stays. */
  #mayCut({ protectedFields }: ContainerLevel): boolean {
    const isInside = this.#scope.isMessage ? this.#levels.length > (this.#scope.nesting ? 1 : 2) : this.#scope.nesting;
    return Boolean(isInside) && protectedFields === 'none' && this.#rules.strings.secrets;
  }

  /**
   * Redacts the small children of a container from the one at `at` on, until they have some length. Returns the offset
   * after them.
   */
  #cut(level: ContainerLevel, at: number): number {
    const text = this.#text;
    const end = endOfSmallChildren(text, at, level.isObject);
    if (end === at) return at;
    this.#tell(UNJUDGED);
    const placeholder = `"${this.#rules.strings.placeholder(UNJUDGED, text.slice(at, end))}"`;
    const name = level.cuts === 0 ? UNJUDGED : `${UNJUDGED}-${level.cuts + 1}`;
    level.cuts++;
    this.#edits.push({ start: at, end, text: level.isObject ? `"${name}":${placeholder}` : placeholder });
    return end;
  }

  #editName({ key, ownName, ownNames, protectedFields }: ContainerLevel, literal: string, at: number): void {
    const isSchema = protectedFields === 'schema';
    if (isSchema && this.#rules.strings.noneNamed) return;
    const isOwn = ownNames || (isSchema && ownName === 'properties');
    const mustStay = this.#scope.frame !== undefined || !(isOwn || !isProtocolName(key));
    const edits = this.#rules.strings.editName(key, mustStay, (kind) => this.#tell(kind));
    if (edits.length > 0) this.#edits.push(...inLiteral(literal, at, edits));
  }

  /** Applies the rules for a value's location. Returns the offset after the value, or after its opening bracket. */
  #value(at: number, level: ContainerLevel | undefined): number {
    const c = this.#text.charCodeAt(at);
    const isContainer = c === OPEN_BRACE || c === OPEN_BRACKET;
    const { strings, keys, paths } = this.#rules;
    const isMember = level?.isObject === true;
    const inEnvelope = this.#scope.isMessage && this.#isOuterObject();
    const outer = level?.protectedFields ?? 'none';
    const isProtocol = level?.isProtocol === true;
    const inError = isProtocol && level.ownName === 'error' && this.#scope.isMessage && this.#levels.length === 2;
    const protectedFields = isMember
      ? protectedFieldsOf(outer, level.key, {
          isContainer,
          isNumber: c >= 0x30 && c <= 0x39,
          inEnvelope,
          isProtocol,
          isContent: this.#scope.isMessage && !isProtocol,
          inError,
          text: this.#text,
          at,
        })
      : isProtocol && isRevision(level.sharedName, this.#text, at)
        ? 'fixed'
        : outer;
    const { matches, state } = level
      ? paths.step(level.paths, isMember ? level.key : level.index)
      : { matches: false, state: this.#scope.isMessage && !this.#scope.nesting ? paths.start : [] };

    const ownKey = isMember && this.#levels.length === 1 ? level.key : undefined;
    if (protectedFields === 'fixed' || isOfFrame(this.#text, at, ownKey, this.#scope.frame))
      return scanValue(this.#text, at);
    if (matches) return this.#remove(at, 'path');
    const key = isMember ? level.key : plainNameOfPair(level);
    if (key !== undefined && protectedFields === 'none' && !keys.none) {
      const kind = keys.kindOf(key);
      const stays = isContainer && holdsRecords(this.#text, at, this.#levels.length);
      if (kind !== undefined && !stays) return this.#remove(at, kind);
    }
    // In strict mode, whatever is below the name of a secret may be one.
    if (isContainer && isMember && strings.isStrict && protectedFields === 'none') {
      const kind = findInContainer(level.key);
      if (kind !== undefined) return this.#remove(at, kind);
    }
    if (c === QUOTE) return this.#string(at, level, protectedFields);
    if (!isContainer) return this.#scalar(at, isMember && protectedFields === 'none' ? level.key : undefined);
    if (protectedFields === 'schema' && strings.noneNamed && state.length === 0) return scanValue(this.#text, at);
    this.#open(at, level, protectedFields, state);
    return at + 1;
  }

  /** Returns whether the innermost object is the document, or an element of a batch. */
  #isOuterObject(): boolean {
    const [first] = this.#levels;
    return this.#levels.length === (first?.isObject === false ? 2 : 1);
  }

  #open(at: number, outer: ContainerLevel | undefined, protectedFields: ProtectedFields, paths: PathState): void {
    const key = outer?.isObject ? outer.key : '';
    const holdsHeaders = outer?.holdsHeaders === true || /headers$/i.test(key.slice(-16));
    const isObject = this.#text.charCodeAt(at) === OPEN_BRACE;
    const isPair = outer?.holdsHeaders === true && !outer.isObject;
    this.#levels.push({
      isObject,
      start: at,
      protectedFields,
      isProtocol:
        outer === undefined ? this.#scope.isMessage || !this.#scope.nesting : outer.isProtocol && !CONTENTS.has(key),
      ownNames: outer === undefined ? !this.#scope.isMessage : outer.ownNames || (isObject && holdsOwnNames(key)),
      paths,
      holdsHeaders,
      sharedName: isObject ? undefined : outer?.isObject ? key : outer?.sharedName,
      alternates: !isObject && (isPair || /rawHeaders$/i.test(key.slice(-16))),
      allSecret: isObject && this.#holdsManifest && /^(?:string)?data$/i.test(key) && !isConfigMap(outer, this.#text),
      key: '',
      index: -1,
      cuts: 0,
      name: undefined,
      ownName: isObject && outer?.isObject ? key : undefined,
      previous: undefined,
      program: isObject ? undefined : outer?.program,
      pending: undefined,
      keyLines: undefined,
    });
  }

  /** Redacts a whole value. */
  #remove(at: number, kind: string): number {
    const end = scanValue(this.#text, at);
    const literal = this.#text.slice(at, end);
    const value = literal.startsWith('"') ? decodeString(literal) : literal;
    if (!isPlaceholder(value)) {
      this.#scope.budget.spend(COST.finding);
      this.#tell(kind);
      this.#edits.push({ start: at, end, text: `"${this.#rules.strings.placeholder(kind, value)}"` });
    }
    return end;
  }

  /** Redacts a number that is a password, or in which a value is that the user gave or a pattern of theirs matches. */
  #scalar(at: number, key: string | undefined): number {
    const { strings } = this.#rules;
    const end = scanValue(this.#text, at);
    const number = this.#text.slice(at, Math.min(end, at + MAX_NUMBER));
    const byName = key !== undefined && strings.secrets ? findInNumber(key, number) : undefined;
    const kind = byName ?? strings.kindOfNumber(number);
    return kind === undefined ? end : this.#remove(at, kind);
  }

  /** Redacts parts of a string. */
  #string(at: number, level: ContainerLevel | undefined, protectedFields: ProtectedFields): number {
    const end = scanString(this.#text, at);
    const literal = this.#text.slice(at, end);
    const value = decodeString(literal);
    const edits = inLiteral(literal, at, this.#editsOf(value, level, protectedFields));
    if (edits.length > 0) for (const edit of edits) this.#edits.push(edit);
    if (level?.isObject === true && protectedFields === 'none') this.#notePair(level, { start: at, end }, value);
    return end;
  }

  /** Keeps the name of a pair for its value. If the value came first, it is redacted now. */
  #notePair(level: ContainerLevel, span: TextSpan, value: string): void {
    if (takesPassword(value)) level.program = value;
    if (PAIR_VALUES.has(level.key)) {
      if (level.name === undefined) level.pending = span;
    } else if (PAIR_NAMES.has(level.key)) {
      if (level.name === undefined || strengthOfName(value) !== undefined) level.name = value;
      if (level.pending !== undefined) this.#redactPending(level, level.pending, value);
      level.pending = undefined;
    }
  }

  #redactPending(level: ContainerLevel, { start, end }: TextSpan, name: string): void {
    const literal = this.#text.slice(start, end);
    const value = decodeString(literal);
    const found = this.#rules.strings.secrets ? this.#findInMember(name, value, level) : [];
    if (found.length === 0) return;
    this.#edits = this.#edits.filter((edit) => edit.start < start || edit.start >= end);
    const edits = this.#rules.strings.edit(value, 'all', (kind) => this.#tell(kind), found, this.#scope.budget);
    this.#edits.push(...inLiteral(literal, start, edits));
    this.#outOfOrder = true;
  }

  #editsOf(value: string, level: ContainerLevel | undefined, protectedFields: ProtectedFields): readonly TextEdit[] {
    const { strings } = this.#rules;
    const report = (kind: string): void => this.#tell(kind);
    const name = level && nameOfValue(level);
    if (level?.alternates && level.index % 2 === 0 && HEADER_NAME.test(value))
      return strings.editName(value, true, report);
    const isHeader = name !== undefined && level?.holdsHeaders === true;
    if (isHeader && isFrameHeader(name, value)) return [];
    const isLink = isHeader && isLinkHeader(name);
    if (isLink) return strings.edit(value, 'given', report, [], this.#scope.budget);
    if (protectedFields === 'schema') {
      const isWord = isSchemaWord(level?.isObject ? level.key : (level?.sharedName ?? ''), value);
      return isWord ? [] : strings.edit(value, 'named', report, [], this.#scope.budget);
    }
    const known = level === undefined ? [] : this.#known(value, level, name);
    if (known.length > 0) return strings.edit(value, 'all', report, known, this.#scope.budget);
    return editsOfString(value, this.#rules, this.#scope, () => this.#path());
  }

  /** Returns the spans to redact in a string for reasons outside the string. */
  #known(value: string, level: ContainerLevel, name: string | undefined): readonly DetectedSpan[] {
    const { known } = this.#scope;
    if (known !== undefined && this.#levels.length === 1 && level.key === known.key) return known.findings;
    if (!this.#rules.strings.secrets) return [];
    if (isJwkSecret(level, value, this.#text))
      return findInMember('private key', value, { isHeader: true, isStrict: false });
    if (level.allSecret && value.length > 2) return findInMember('secret', value, { isHeader: true, isStrict: false });
    if (!level.isObject && (level.keyLines?.inside || KeyLines.areBegunBy(value))) {
      level.keyLines ??= new KeyLines();
      return level.keyLines.take(value);
    }
    const found = name === undefined ? [] : this.#findInMember(name, value, level);
    return found.length > 0 || level.isObject ? found : this.#findInArgument(value, level);
  }

  /** The value of an option in a list of arguments. */
  #findInArgument(value: string, level: ContainerLevel): readonly DetectedSpan[] {
    const { previous, program } = level;
    level.previous = value.length <= MAX_OPTION && value.startsWith('-') ? value : undefined;
    if (takesPassword(value)) level.program = value;
    if (previous === undefined && (program === undefined || !value.startsWith('-'))) return [];
    return findInCommand([program ?? '', previous ?? '', value])[2] ?? [];
  }

  #findInMember(name: string, value: string, { holdsHeaders }: ContainerLevel): readonly DetectedSpan[] {
    if (strengthOfName(name) === undefined) return [];
    this.#scope.budget.spend(COST.look);
    return findInMember(name, value, { isHeader: holdsHeaders, isStrict: this.#rules.strings.isStrict });
  }

  #stringAt(at: number): string | undefined {
    const isString = this.#text.charCodeAt(at) === QUOTE;
    return isString ? decodeString(this.#text.slice(at, scanString(this.#text, at))) : undefined;
  }

  #tell(kind: string): void {
    this.#scope.tell(kind, () => this.#path());
  }

  #path(): string {
    const steps = this.#levels.slice(0, MAX_PATH).map(({ isObject, key, index }) => writeStep(isObject ? key : index));
    return `$${steps.join('')}${this.#levels.length > MAX_PATH ? '…' : ''}`;
  }
}

const HEADER_NAME = /^[A-Za-z][\w-]{0,63}$/;

/** The beginning of a longer number is looked at. */
const MAX_NUMBER = 64;

/** Members that hold what tools, prompts and resources take and give. */
const CONTENTS = new Set(['arguments', 'structuredContent', 'content', 'contents', 'data']);
