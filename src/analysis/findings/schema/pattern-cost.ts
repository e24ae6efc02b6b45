/** The worst-case cost of a pattern: `choices` times the text length to the power of `degree`. */
export interface PatternCost {
  readonly degree: number;
  readonly choices: number;
}

interface PatternGroup {
  degree: number;
  choices: number;
  alternatives: number;
  /** Whether it contains a counted repetition, which multiplies the size of the compiled pattern. */
  counts: boolean;
}

const MAX_PATTERN = 2000;
const MAX_REPEATS = 1000;

/** A quantifier at the start of a text: `*`, `+`, `?`, `{2}`, `{2,}`, `{2,5}`. */
const REPETITION = /^(?:([*+?])|\{(\d{1,6})(,(\d{0,6}))?\})\??/;
/** Lookarounds and backreferences, whose cost cannot be bounded. */
const UNBOUNDED = /^(?:\(\?(?:[=!]|<[=!])|\\(?:[1-9]|k))/;
const ESCAPE = /^\\(?:[pPux]\{[^}]{0,100}\}|c[A-Za-z]|.)/su;
const CLASS = /^\[(?:[^\]\\]|\\.)*\]/su;

/**
 * The worst-case cost of a pattern in a backtracking engine, or `undefined` if it cannot be bounded. Repeating a part
 * that can match in several ways may take exponential time. Servers supply the patterns.
 */
export function patternCost(pattern: string): PatternCost | undefined {
  if (pattern.length > MAX_PATTERN) return undefined;
  const open: PatternGroup[] = [newGroup()];
  for (let rest = pattern; rest !== ''; ) {
    const group = open.at(-1);
    if (group === undefined || UNBOUNDED.test(rest)) return undefined;
    const opening = /^\((?:\?(?::|<\w+>))?/.exec(rest)?.[0];
    if (opening !== undefined) {
      open.push(newGroup());
      rest = rest.slice(opening.length);
      continue;
    }
    const atom = (rest.startsWith(')') && ')') || (ESCAPE.exec(rest) ?? CLASS.exec(rest))?.[0] || rest.charAt(0);
    rest = rest.slice(atom.length);
    if (atom === '|') {
      group.alternatives++;
      continue;
    }
    const inner = atom === ')' ? open.pop() : undefined;
    const outer = open.at(-1);
    if (outer === undefined) return undefined;
    const repetition = REPETITION.exec(rest);
    rest = rest.slice(repetition?.[0].length ?? 0);
    if (!addTo(outer, inner, repetition)) return undefined;
  }
  const [whole, ...unclosed] = open;
  if (whole === undefined || unclosed.length > 0) return undefined;
  // An unanchored pattern is tried at every character.
  return { degree: whole.degree + 1, choices: whole.choices * whole.alternatives };
}

function newGroup(): PatternGroup {
  return { degree: 0, choices: 1, alternatives: 1, counts: false };
}

/** Adds an atom or group with its quantifier to a group; returns false if the cost is unbounded. */
function addTo(group: PatternGroup, inner: PatternGroup | undefined, repetition: RegExpExecArray | null): boolean {
  const ways = inner === undefined ? 1 : inner.choices * inner.alternatives;
  const degree = inner?.degree ?? 0;
  if (repetition !== null && repetition[1] !== '?') {
    const [, sign, least = '', range, max] = repetition;
    if (degree > 0 || ways > 1 || inner?.counts) return false;
    if (Number(least) > MAX_REPEATS || Number(max ?? 0) > MAX_REPEATS) return false;
    group.counts ||= sign === undefined;
    if (sign !== undefined || (range !== undefined && max !== least)) group.degree++;
    return true;
  }
  group.degree += degree;
  group.choices *= ways * (repetition === null ? 1 : 2);
  group.counts ||= inner?.counts === true;
  return true;
}

/** About as many steps as fit into a second. */
const MAX_STEPS = 1e8;

/** The longest text to which a pattern of this cost may be applied. */
export function maxLengthFor({ degree, choices }: PatternCost): number {
  return Math.floor((MAX_STEPS / choices) ** (1 / degree));
}
