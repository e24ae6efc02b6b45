import { type JsonPaths, type PathState, writeStep } from '../../json/json-path.ts';
import { CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../../json/punctuation.ts';
import { decodeString, documentSpan, scanMembers, scanString, scanValue, skipSpace } from '../../json/scan.ts';
import type { JsonText } from '../../model/entry.ts';
import { isAwsSecret } from '../detect/context-detectors.ts';
import { type DetectedSpan, RANK } from '../detect/detector.ts';
import { findInHeader, isLinkHeader, isSecretHeader } from '../detect/header-values.ts';
import type { KeyNames } from '../detect/key-names.ts';
import type { StringRules } from '../detect/string-rules.ts';
import { isPlaceholder } from '../placeholder.ts';
import { inLiteral, type TextEdit } from './edits.ts';

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
  /** Called for every redacted value, with its kind and path. */
  readonly tell: (kind: string, path: string) => void;
  /** Spans to redact in the string under a key of the outermost object. */
  readonly known?: { readonly key: string; readonly findings: readonly DetectedSpan[] } | undefined;
  /** The number of strings that the text is nested in. */
  readonly nesting?: number | undefined;
}

/** JSON within strings is parsed down to this level. Below it is plain text. */
const DEEPEST_NESTING = 5;
/** The maximum number of steps in a reported path. */
const MAX_PATH = 64;

/** An open object or array. */
interface ContainerLevel {
  readonly start: number;
  readonly isObject: boolean;
  readonly protectedFields: ProtectedFields;
  readonly paths: PathState;
  /** Whether it contains HTTP headers. */
  readonly holdsHeaders: boolean;
  /** The header whose values it contains, if the header matters for redaction. */
  readonly header: string | undefined;
  /** Whether its elements alternate between header names and values. */
  readonly alternates: boolean;
  key: string;
  index: number;
  /** The header's name in a pair, or in an object with `name` and `value`. */
  name: string | undefined;
}

/** Returns the edits that redact a JSON text. `undefined` if the text is not JSON. */
export function editsOfJson(text: JsonText, rules: JsonRules, scope: RedactionScope): readonly TextEdit[] | undefined {
  const document = documentSpan(text);
  return document && new JsonRedaction(text, rules, scope).run(document.start, document.end);
}

/** Returns the edits that redact a string, which may be plain text or contain JSON. */
export function editsOfString(
  value: string,
  rules: JsonRules,
  { tell: report, nesting = 0 }: RedactionScope,
  path: () => string,
): readonly TextEdit[] {
  const mayNest = nesting < DEEPEST_NESTING && /^\s{0,64}[{["]/.test(value);
  const mayHoldKeys = mayNest && !rules.keys.none;
  if (!mayHoldKeys && !rules.strings.mayFindIn(value)) return [];
  const inner = mayNest
    ? editsOfJson(value, rules, {
        isMessage: value.includes('"jsonrpc"'),
        tell: (kind, below) => report(kind, `${path()} > ${below}`),
        nesting: nesting + 1,
      })
    : undefined;
  return inner ?? rules.strings.edit(value, 'all', (kind) => report(kind, path()));
}

/** Redacts a valid JSON text in one pass, without recursion. */
class JsonRedaction {
  readonly #text: JsonText;
  readonly #rules: JsonRules;
  readonly #scope: RedactionScope;
  readonly #levels: ContainerLevel[] = [];
  readonly #edits: TextEdit[] = [];

  constructor(text: JsonText, rules: JsonRules, scope: RedactionScope) {
    this.#text = text;
    this.#rules = rules;
    this.#scope = scope;
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
    return this.#edits;
  }

  /** Reads the key or index of the child that begins at `at`. Returns the offset at which to continue. */
  #child(level: ContainerLevel, at: number): number {
    if (!level.isObject) {
      level.index++;
      if (level.alternates && level.index % 2 === 0) level.name = this.#stringAt(at);
      return this.#value(at, level);
    }
    const keyEnd = scanString(this.#text, at);
    level.key = decodeString(this.#text.slice(at, keyEnd));
    const colon = skipSpace(this.#text, keyEnd);
    return this.#value(skipSpace(this.#text, colon + 1), level);
  }

  /** Applies the rules for a value's location. Returns the offset after the value, or after its opening bracket. */
  #value(at: number, level: ContainerLevel | undefined): number {
    const c = this.#text.charCodeAt(at);
    const isContainer = c === OPEN_BRACE || c === OPEN_BRACKET;
    const { strings, keys, paths } = this.#rules;
    const isMember = level?.isObject === true;
    const inEnvelope = this.#scope.isMessage && this.#isOuterObject();
    const outer = level?.protectedFields ?? 'none';
    const protectedFields = isMember ? protectedFieldsOf(outer, level.key, isContainer, inEnvelope) : outer;
    const { matches, state } = level
      ? paths.step(level.paths, isMember ? level.key : level.index)
      : { matches: false, state: this.#scope.isMessage && !this.#scope.nesting ? paths.start : [] };

    if (protectedFields === 'fixed') return scanValue(this.#text, at);
    if (matches) return this.#remove(at, 'path');
    const key = isMember ? level.key : plainNameOfPair(level);
    if (key !== undefined && protectedFields === 'none' && !keys.none) {
      const rule = keys.ruleFor(key);
      const isText = c === QUOTE && this.#text.charCodeAt(at + 1) !== QUOTE;
      if (rule !== undefined && (rule.anyValue || isText)) return this.#remove(at, rule.kind);
    }
    if (c === QUOTE) return this.#string(at, level, protectedFields);
    if (!isContainer) return scanValue(this.#text, at);
    if (protectedFields === 'schema' && strings.noneGiven && state.length === 0) return scanValue(this.#text, at);
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
    const matters = outer?.holdsHeaders === true && (isSecretHeader(key) || isLinkHeader(key));
    const header = outer?.header ?? (matters ? key : undefined);
    const isObject = this.#text.charCodeAt(at) === OPEN_BRACE;
    const isPair = outer?.holdsHeaders === true && !outer.isObject;
    this.#levels.push({
      start: at,
      isObject,
      protectedFields,
      paths,
      holdsHeaders,
      header,
      alternates: !isObject && (isPair || /rawHeaders$/i.test(key.slice(-16))),
      key: '',
      index: -1,
      name: undefined,
    });
  }

  /** Redacts a whole value. */
  #remove(at: number, kind: string): number {
    const end = scanValue(this.#text, at);
    const literal = this.#text.slice(at, end);
    const value = literal.startsWith('"') ? decodeString(literal) : literal;
    if (!isPlaceholder(value)) {
      this.#scope.tell(kind, this.#path());
      this.#edits.push({ start: at, end, text: `"${this.#rules.strings.placeholder(kind, value)}"` });
    }
    return end;
  }

  /** Redacts parts of a string. */
  #string(at: number, level: ContainerLevel | undefined, protectedFields: ProtectedFields): number {
    const end = scanString(this.#text, at);
    const literal = this.#text.slice(at, end);
    const value = decodeString(literal);
    for (const edit of inLiteral(literal, at, this.#editsOf(value, level, protectedFields))) this.#edits.push(edit);
    return end;
  }

  #editsOf(value: string, level: ContainerLevel | undefined, protectedFields: ProtectedFields): readonly TextEdit[] {
    const { strings } = this.#rules;
    const report = (kind: string): void => this.#scope.tell(kind, this.#path());
    const header = level?.holdsHeaders ? this.#headerOf(level) : undefined;
    const isLink = header !== undefined && isLinkHeader(header);
    if (protectedFields === 'schema' || isLink) return strings.edit(value, 'given', report);
    const known = level === undefined ? [] : this.#known(value, level, header);
    if (known.length > 0) return strings.edit(value, 'all', report, known);
    return editsOfString(value, this.#rules, this.#scope, () => this.#path());
  }

  /** Returns the spans to redact in a string for reasons outside the string. */
  #known(value: string, level: ContainerLevel, header: string | undefined): readonly DetectedSpan[] {
    const { known } = this.#scope;
    if (known !== undefined && this.#levels.length === 1 && level.key === known.key) return known.findings;
    if (!this.#rules.strings.secrets) return [];
    if (isAwsSecret(level.key, value)) {
      return [{ start: 0, end: value.length, kind: 'aws-secret-key', rank: RANK.shape }];
    }
    return header !== undefined && isSecretHeader(header) ? findInHeader(header, value) : [];
  }

  /** Returns the name of the header that a string among headers is the value of. */
  #headerOf(level: ContainerLevel): string | undefined {
    if (level.alternates) return nameOfPair(level);
    if (level.header !== undefined || !level.isObject) return level.header;
    if (level.key === 'value') level.name ??= this.#memberName(level.start);
    return level.key === 'value' ? level.name : level.key;
  }

  #stringAt(at: number): string | undefined {
    const isString = this.#text.charCodeAt(at) === QUOTE;
    return isString ? decodeString(this.#text.slice(at, scanString(this.#text, at))) : undefined;
  }

  /** Returns the string under `name` in the object at `at`. */
  #memberName(at: number): string {
    let name = '';
    scanMembers(this.#text, at, ({ key, start, end }) => {
      if (key === 'name' && this.#text.charCodeAt(start) === QUOTE) name = decodeString(this.#text.slice(start, end));
    });
    return name;
  }

  #path(): string {
    const steps = this.#levels.slice(0, MAX_PATH).map(({ isObject, key, index }) => writeStep(isObject ? key : index));
    return `$${steps.join('')}${this.#levels.length > MAX_PATH ? '…' : ''}`;
  }
}

/** Returns the name before a value in a list that alternates between header names and values. */
function nameOfPair({ alternates, index, name }: ContainerLevel): string | undefined {
  return alternates && index % 2 === 1 ? name : undefined;
}

/** Like `nameOfPair`, but without headers that are secret by their names. More specific rules apply to those. */
function plainNameOfPair(level: ContainerLevel | undefined): string | undefined {
  const name = level && nameOfPair(level);
  return name === undefined || isSecretHeader(name) ? undefined : name;
}

/**
 * What the rules may do to a value:
 * - `none`: anything.
 * - `schema`: only redact values that the user gave and paths that the user named. A JSON Schema describes secrets
 *   (`"password": {"type": "string"}`) but contains none.
 * - `fixed`: nothing. The value links messages with each other.
 */
type ProtectedFields = 'none' | 'schema' | 'fixed';

const ENVELOPE = new Set(['jsonrpc', 'id', 'method']);
const LINKS = new Set(['progressToken', 'requestId', 'cursor', 'nextCursor', 'taskId']);
const SCHEMAS = new Set(['inputSchema', 'outputSchema', 'requestedSchema', 'input_schema', 'output_schema']);

/** Returns the protection of an object's member, given that of the object. */
function protectedFieldsOf(
  outer: ProtectedFields,
  key: string,
  isContainer: boolean,
  inEnvelope: boolean,
): ProtectedFields {
  if (outer !== 'none') return outer;
  if (isContainer) return SCHEMAS.has(key) ? 'schema' : 'none';
  return LINKS.has(key) || (inEnvelope && ENVELOPE.has(key)) ? 'fixed' : 'none';
}
