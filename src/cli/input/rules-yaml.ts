import type { Document, Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import {
  type DocumentPlace,
  faultAt,
  type RuleMember,
  type RuleNode,
  type RuleText,
} from '../../analysis/rules/rule-document.ts';

type YamlModule = typeof import('yaml');

const QUOTE_IT = 'Quote characters that have a meaning in YAML, like match: "> tool:search".';

/** No real file nests this deep, and each level takes stack space. */
const DEEPEST = 100;
/**
 * The budget for reading a file, because aliases can expand a small file into a huge one. A value costs more than a
 * character.
 */
const HIGHEST_COST = 1 << 23;
const COST_OF_VALUE = 16;

/** Parses YAML, which includes JSON. Throws a usage error with the position if the text is invalid. */
export async function parseYaml(text: string, file: string): Promise<RuleNode> {
  return new YamlReader(await import('yaml'), text, file).read();
}

class YamlReader {
  readonly #yaml: YamlModule;
  readonly #text: string;
  readonly #file: string;
  /** The values of anchors, with the cost of reading them. */
  readonly #anchors = new Map<string, { readonly node: RuleNode; readonly cost: number }>();
  #left = HIGHEST_COST;

  constructor(yaml: YamlModule, text: string, file: string) {
    this.#yaml = yaml;
    this.#text = text;
    this.#file = file;
  }

  read(): RuleNode {
    const options = { uniqueKeys: false, intAsBigInt: true, prettyErrors: false };
    const composed = new this.#yaml.Composer(options).compose(this.#tokens(), true, this.#text.length);
    const [document, second] = [...composed];
    const [problem] = document?.errors ?? [];
    if (problem !== undefined) throw this.#fault(problem.pos[0], ...syntaxFault(problem));
    if (second !== undefined)
      throw this.#fault(second.range[0], 'A second YAML document begins here', 'Use one document.');
    const contents = (document as Document.Parsed | undefined)?.contents;
    return contents ? this.#node(contents, 0) : { kind: 'nothing', at: this.#place(0) };
  }

  /** Stops before deeply nested text reaches the recursive parser. */
  *#tokens(): ReturnType<InstanceType<YamlModule['Parser']>['parse']> {
    const parser = new this.#yaml.Parser();
    for (const lexeme of new this.#yaml.Lexer().lex(this.#text)) {
      yield* parser.next(lexeme);
      if (parser.stack.length > 2 * DEEPEST) throw this.#tooDeep(parser.offset);
    }
    yield* parser.end();
  }

  #node(node: Node | null, depth: number): RuleNode {
    const start = node?.range?.[0] ?? 0;
    const at = this.#place(start);
    if (node === null) return { kind: 'nothing', at };
    if (depth > DEEPEST) throw this.#tooDeep(start);
    if (this.#yaml.isAlias(node)) return this.#anchored(node.source, start);
    const before = this.#left;
    this.#spend(COST_OF_VALUE, start);
    if (!isPlain(node.tag)) throw this.#fault(start, `Unsupported YAML tag ${node.tag}`, 'Use JSON values only.');
    const read = this.#value(node, depth, at);
    // Set only now, so that no value can contain itself.
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, { node: read, cost: before - this.#left });
    return read;
  }

  #value(node: Scalar | YAMLMap | YAMLSeq, depth: number, at: DocumentPlace): RuleNode {
    if (this.#yaml.isMap(node)) return { kind: 'map', at, members: this.#members(node, depth) };
    if (this.#yaml.isSeq(node)) {
      return { kind: 'list', at, items: node.items.map((item) => this.#node(item as Node | null, depth + 1)) };
    }
    return this.#scalar(node, at);
  }

  #members(map: YAMLMap, depth: number): readonly RuleMember[] {
    const known = new Set<string>();
    return map.items.map((pair) => {
      const { key: keyNode, value } = pair as Pair<Node, Node | null>;
      const key = this.#key(this.#node(keyNode, depth + 1));
      if (known.has(key.text)) throw faultAt(key.at, `Duplicate key ${key.text}`, 'Remove one of them.');
      known.add(key.text);
      // If a key has no value, the missing value is reported at the key.
      return { key, value: value === null ? { kind: 'nothing', at: key.at } : this.#node(value, depth + 1) };
    });
  }

  #key(node: RuleNode): RuleText {
    if (node.kind === 'text') return node;
    if (node.kind === 'literal') return { kind: 'text', text: node.json, at: node.at };
    throw faultAt(node.at, 'A key must be a string');
  }

  #scalar({ value, source = '', range, type }: Scalar, at: DocumentPlace): RuleNode {
    const start = range?.[0] ?? 0;
    if (typeof value === 'string') {
      this.#spend(value.length, start);
      const textStart = type === 'PLAIN' ? start : start + 1;
      const isVerbatim = !value.includes('\n') && this.#text.startsWith(value, textStart);
      return { kind: 'text', text: value, at, ...(isVerbatim && { textAt: this.#place(textStart) }) };
    }
    if (value === null && source === '') return { kind: 'nothing', at };
    const json = jsonLiteral(value, source);
    if (json === undefined) throw this.#fault(start, `${source} is not a JSON value`, 'Quote it if it is a string.');
    return { kind: 'literal', at, json };
  }

  #anchored(name: string, start: number): RuleNode {
    const anchored = this.#anchors.get(name);
    if (anchored === undefined) throw this.#fault(start, `Unknown anchor &${name}`);
    // It is parsed once but costs its full amount at each use.
    this.#spend(anchored.cost, start);
    return anchored.node;
  }

  #spend(amount: number, start: number): void {
    this.#left -= amount;
    if (this.#left < 0) throw this.#fault(start, 'Too many values, including those repeated by aliases');
  }

  #tooDeep(offset: number): Error {
    return this.#fault(offset, `More than ${DEEPEST} nested levels`);
  }

  #fault(offset: number, what: string, hint?: string): Error {
    return faultAt(this.#place(offset), what, hint);
  }

  #place(offset: number): DocumentPlace {
    return new PlaceInText(this.#file, this.#text, offset);
  }
}

/** Every value has a position, but few are ever needed, so line and column are computed on demand. */
class PlaceInText implements DocumentPlace {
  readonly file: string;
  readonly #text: string;
  readonly #offset: number;

  constructor(file: string, text: string, offset: number) {
    this.file = file;
    this.#text = text;
    this.#offset = offset;
  }

  get line(): number {
    return this.#before().split('\n').length;
  }

  get column(): number {
    const before = this.#before();
    return Array.from(before.slice(before.lastIndexOf('\n') + 1)).length + 1;
  }

  #before(): string {
    return this.#text.slice(0, this.#offset);
  }
}

function isPlain(tag: string | undefined): boolean {
  return tag === undefined || /^tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq)$/.test(tag);
}

/** A number keeps its digits as written, if they are valid JSON. */
function jsonLiteral(value: unknown, source: string): string | undefined {
  if (typeof value === 'boolean' || value === null) return String(value);
  if (typeof value !== 'bigint' && typeof value !== 'number') return undefined;
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(source)) return source;
  return Number.isFinite(Number(value)) ? String(value) : undefined;
}

/** What is wrong with the syntax, and what to do. The library's own words are for those who know its terms. */
function syntaxFault({
  code,
  message,
}: {
  readonly code: string;
  readonly message: string;
}): [what: string, hint: string] {
  if (code === 'TAB_AS_INDENT') return [message, 'Use spaces.'];
  if (/^Flow (?:sequence|map) in block collection/.test(message)) {
    const bracket = message.startsWith('Flow map') ? '}' : ']';
    return [`A list or map before this line has no closing ${bracket}`, `Add ${bracket}.`];
  }
  return [message, QUOTE_IT];
}
