import { fingerprint } from '../../json/fingerprint.ts';
import type { JsonPaths, PathState } from '../../json/json-path.ts';
import { canonicalNumber } from '../../json/number.ts';
import { decodeString, skipSpace } from '../../json/scan.ts';
import { forEachToken } from '../../json/tokens.ts';
import { withoutDigits } from '../../model/placeholder.ts';
import type { Profile } from '../import/profile.ts';
import { defaultOf, isTimeNumber, isVolatile, placeWithin, type ValuePlace, withoutTimes } from './volatile.ts';

/** Which values a tree omits, and which values count as equal. */
export interface TreeRules {
  readonly profile: Profile;
  /** Paths that are not compared. */
  readonly ignored?: JsonPaths | undefined;
  /** Members of a result that are compared elsewhere. */
  readonly resultWithout?: ReadonlySet<string> | undefined;
}

/** A value of a message, without the parts that are not compared. */
export interface ValueNode {
  readonly form: 'object' | 'array' | 'scalar';
  /** Whether the value is a string that contains JSON; the members or elements are those of that JSON. */
  readonly isText: boolean;
  /** Equal for values that count as equal. */
  readonly identity: number;
  readonly members: ReadonlyMap<string, ValueNode>;
  readonly elements: readonly ValueNode[];
  /** The span of the value: `text.slice(start, end)`. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The exact text of a value. */
export function textOf({ text, start, end }: ValueNode): string {
  return text.slice(start, end);
}

/** Parses a message for comparison; `undefined` if the text is not JSON. It takes one pass and does not recurse. */
export function readTree(message: string, rules: TreeRules): ValueNode | undefined {
  return new TreeReader(message, rules).read({ place: 'message', paths: rules.ignored?.start ?? [], isIgnored: false });
}

const NO_MEMBERS: ReadonlyMap<string, ValueNode> = new Map();
const NO_ELEMENTS: readonly ValueNode[] = [];

/** The context of a value before it is read. */
interface ValuePosition {
  readonly place: ValuePlace;
  readonly paths: PathState;
  readonly isIgnored: boolean;
}

interface TreeLevel {
  readonly position: ValuePosition;
  readonly start: number;
  readonly members: Map<string, ValueNode> | undefined;
  readonly elements: ValueNode[];
  key: string | undefined;
}

class TreeReader {
  readonly #text: string;
  readonly #rules: TreeRules;
  readonly #open: TreeLevel[] = [];
  #root: ValueNode | undefined;

  constructor(text: string, rules: TreeRules) {
    this.#text = text;
    this.#rules = rules;
  }

  read(begin: ValuePosition): ValueNode | undefined {
    const isJson = forEachToken(this.#text, (kind, start, end) => {
      const level = this.#open.at(-1);
      switch (kind) {
        case '{':
        case '[': {
          const members = kind === '{' ? new Map<string, ValueNode>() : undefined;
          const position = this.#positionIn(level) ?? begin;
          this.#open.push({ position, start, members, elements: [], key: undefined });
          break;
        }
        case '}':
        case ']':
          this.#close(end);
          break;
        case '"':
          if (level?.members !== undefined && level.key === undefined) {
            level.key = keyIn(level.members, decodeString(this.#text.slice(start, end)));
          } else {
            const position = this.#positionIn(level) ?? begin;
            this.#complete(this.#string(start, end, position), position);
          }
          break;
        case 'v':
          this.#complete(this.#scalar(start, end, level?.key ?? ''), this.#positionIn(level) ?? begin);
          break;
        default:
      }
    });
    return isJson ? this.#root : undefined;
  }

  #positionIn(level: TreeLevel | undefined): ValuePosition | undefined {
    if (level === undefined) return undefined;
    const { position, members, elements } = level;
    const key = members === undefined ? elements.length : (level.key ?? '');
    const isIgnored = this.#isLeftOut(position.place, key);
    const place = placeWithin(position.place, key);
    const { ignored } = this.#rules;
    if (ignored === undefined || position.paths.length === 0) return { place, paths: [], isIgnored };
    const { matches, state } = ignored.step(position.paths, key);
    return { place, paths: state, isIgnored: isIgnored || matches };
  }

  #isLeftOut(place: ValuePlace, key: string | number): boolean {
    const { profile, resultWithout } = this.#rules;
    if (profile === 'strict' ? place === 'message' && key === 'id' : isVolatile(place, key)) return true;
    const inBody = this.#open.length === 2 && typeof key === 'string';
    return resultWithout !== undefined && inBody && this.#open[0]?.key === 'result' && resultWithout.has(key);
  }

  #close(end: number): void {
    const level = this.#open.pop();
    if (level === undefined) return;
    const { position, start, members, elements } = level;
    const content = members === undefined ? this.#describeList(elements) : describeObject(members);
    this.#complete(
      {
        form: members === undefined ? 'array' : 'object',
        isText: false,
        identity: fingerprint(content),
        members: members ?? NO_MEMBERS,
        elements: members === undefined ? elements : NO_ELEMENTS,
        text: this.#text,
        start,
        end,
      },
      position,
    );
  }

  #describeList(elements: readonly ValueNode[]): string {
    const identities = elements.map(({ identity }) => identity);
    const isShape = this.#rules.profile === 'shape';
    return `[${isShape ? [...new Set(identities)].sort().join(',') : identities.join(',')}`;
  }

  #string(start: number, end: number, position: ValuePosition): ValueNode {
    const value = decodeString(this.#text.slice(start, end));
    const { profile } = this.#rules;
    if (profile !== 'strict' && mayBeJson(value)) {
      const rules = { ...this.#rules, resultWithout: undefined };
      const inner = new TreeReader(value, rules).read({ ...position, place: 'data' });
      if (inner !== undefined) {
        return { ...inner, isText: true, identity: fingerprint(`"${inner.identity}`), text: this.#text, start, end };
      }
    }
    if (profile === 'shape') return this.#leaf(start, end, 'string');
    return this.#leaf(
      start,
      end,
      `"${profile === 'strict' ? withoutDigits(value) : withoutTimes(withoutDigits(value))}`,
    );
  }

  #scalar(start: number, end: number, name: string): ValueNode {
    const lexeme = this.#text.slice(start, end);
    const isNumber = /^[-\d]/.test(lexeme);
    const { profile } = this.#rules;
    if (profile === 'shape' && lexeme !== 'null') return this.#leaf(start, end, isNumber ? 'number' : 'boolean');
    if (!isNumber) return this.#leaf(start, end, lexeme);
    const isTime = profile === 'semantic' && isTimeNumber(name, lexeme);
    return this.#leaf(start, end, isTime ? '<time>' : canonicalNumber(lexeme));
  }

  #leaf(start: number, end: number, content: string): ValueNode {
    const identity = fingerprint(content);
    const text = this.#text;
    return { form: 'scalar', isText: false, identity, members: NO_MEMBERS, elements: NO_ELEMENTS, text, start, end };
  }

  /** An ignored member is omitted; an ignored element is kept and equals any other ignored element. */
  #complete(node: ValueNode, position: ValuePosition): void {
    const level = this.#open.at(-1);
    if (level === undefined) this.#root = node;
    else if (level.members === undefined) level.elements.push(position.isIgnored ? { ...node, identity: 0 } : node);
    else {
      const key = level.key ?? '';
      if (!position.isIgnored && !this.#saysNothing(node, position, level, key)) level.members.set(key, node);
      level.key = undefined;
    }
  }

  /** Empty metadata counts as absent, and so does a member with its default value. */
  #saysNothing(node: ValueNode, { place }: ValuePosition, parent: TreeLevel, key: string): boolean {
    if (this.#rules.profile === 'strict') return false;
    if (place === 'meta') return node.form === 'object' && node.members.size === 0;
    const granted = defaultOf(parent.position.place, key);
    return granted !== undefined && textOf(node) === granted;
  }
}

/** A name without the salt of a placeholder in it. Further placeholders of the same kind are told apart by their order. */
function keyIn(members: ReadonlyMap<string, ValueNode>, name: string): string {
  const key = withoutDigits(name);
  if (key === name) return name;
  let count = 1;
  while (members.has(count === 1 ? key : `${key} ${count}`)) count++;
  return count === 1 ? key : `${key} ${count}`;
}

/** Only objects and arrays: the string `"12"` stays a string. */
function mayBeJson(value: string): boolean {
  const first = value.charAt(skipSpace(value, 0));
  return first === '{' || first === '[';
}

function describeObject(members: ReadonlyMap<string, ValueNode>): string {
  const keys = [...members.keys()].sort();
  return `{${keys.map((key) => `${key.length} ${key} ${members.get(key)?.identity}`).join(',')}`;
}
