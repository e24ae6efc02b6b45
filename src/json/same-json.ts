import { canonicalNumber } from './number.ts';
import { decodeString } from './scan.ts';
import { forEachToken } from './tokens.ts';

/**
 * Whether two JSON texts are equal in value, ignoring white space, key order and the spelling of strings and numbers.
 * Numbers are compared exactly at any size. The last of duplicate keys counts. A text that is not JSON equals only
 * itself.
 */
export function sameJson(a: string, b: string): boolean {
  if (a === b) return true;
  const known = new Map<string, number>();
  const left = internValue(a, known);
  return left !== undefined && left === internValue(b, known);
}

interface OpenContainer {
  readonly members: Map<string, number> | undefined;
  readonly elements: number[];
  key: string | undefined;
}

/**
 * Assigns a number to every value, the same for equal values. It works from the inside out: a container is identified
 * by the numbers of its children. This needs no recursion at any depth and builds no large text.
 */
function internValue(text: string, known: Map<string, number>): number | undefined {
  const open: OpenContainer[] = [];
  let result: number | undefined;

  const intern = (description: string): number => {
    const number = known.get(description) ?? known.size;
    known.set(description, number);
    return number;
  };
  const complete = (number: number): void => {
    const container = open.at(-1);
    if (container === undefined) result = number;
    else if (container.members === undefined) container.elements.push(number);
    else {
      container.members.set(container.key ?? '', number);
      container.key = undefined;
    }
  };

  const isJson = forEachToken(text, (kind, start, end) => {
    switch (kind) {
      case '{':
        open.push({ members: new Map(), elements: [], key: undefined });
        break;
      case '[':
        open.push({ members: undefined, elements: [], key: undefined });
        break;
      case '}':
      case ']': {
        const closed = open.pop();
        if (closed !== undefined) complete(intern(describe(closed)));
        break;
      }
      case '"': {
        const value = decodeString(text.slice(start, end));
        const container = open.at(-1);
        if (container?.members !== undefined && container.key === undefined) container.key = value;
        else complete(intern(`"${value}`));
        break;
      }
      case 'v': {
        const lexeme = text.slice(start, end);
        complete(intern(/^[-\d]/.test(lexeme) ? canonicalNumber(lexeme) : lexeme));
        break;
      }
      default:
    }
  });
  return isJson ? result : undefined;
}

function describe(container: OpenContainer): string {
  if (container.members === undefined) return `[${container.elements.join(',')}`;
  const keys = [...container.members.keys()].sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}${container.members?.get(key)}`).join(',')}`;
}
