/** One step of a path: a member, an element, or `undefined` for any child; at this depth or at any depth below. */
interface PathStep {
  readonly at: string | number | undefined;
  readonly deep: boolean;
  /** Whether this step is the last of its path. */
  readonly last: boolean;
}

/** A parsed path. */
export type PathSteps = readonly PathStep[];

/** The steps of all paths that could match next at a position in a document. */
export type PathState = readonly number[];

/** How a child relates to the paths. */
export interface PathMatch {
  readonly matches: boolean;
  readonly state: PathState;
}

const NOWHERE: PathMatch = { matches: false, state: [] };
const STEP =
  /(\.\.|\.)?(?:([A-Za-z_$\u0080-\u{10ffff}][\w$\u0080-\u{10ffff}-]*)|(\*)|\[(?:(\d{1,9})|(\*)|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"))\])/suy;

/** Matches several JSONPath expressions against a document in a single pass, one step down at a time. */
export class JsonPaths {
  readonly #steps: readonly PathStep[];
  /** The state at the root of a document. */
  readonly start: PathState;

  constructor(paths: readonly PathSteps[]) {
    this.#steps = paths.flat();
    let next = 0;
    this.start = paths.map((steps) => {
      const first = next;
      next += steps.length;
      return first;
    });
  }

  /** Matches the child under a key or an index. */
  step(state: PathState, key: string | number): PathMatch {
    if (state.length === 0) return NOWHERE;
    let matches = false;
    const next = new Set<number>();
    for (const number of state) {
      const step = this.#steps[number];
      if (step === undefined) continue;
      if (step.deep) next.add(number);
      if (step.at !== undefined && step.at !== key) continue;
      if (step.last) matches = true;
      else next.add(number + 1);
    }
    return { matches, state: [...next] };
  }
}

/**
 * Parses a path, or returns the offset of the first character that it cannot parse. The supported subset of JSONPath is
 * `$`, `.name`, `['name']`, `[0]`, `[*]`, `.*` and `..` before any of these. A path without steps would name the whole
 * document and is rejected.
 */
export function readPath(path: string): PathSteps | { readonly fault: number } {
  if (!path.startsWith('$')) return { fault: 0 };
  const steps: PathStep[] = [];
  let at = 1;
  while (at < path.length) {
    STEP.lastIndex = at;
    const match = STEP.exec(path);
    const step = match && readStep(match);
    if (!step) return { fault: at };
    steps.push(step);
    at = STEP.lastIndex;
  }
  const last = steps.pop();
  return last === undefined ? { fault: at } : [...steps, { ...last, last: true }];
}

const PLAIN_NAME = /^[A-Za-z_$\u0080-\u{10ffff}][\w$\u0080-\u{10ffff}-]*$/u;

/** Formats the step to a member or an element. */
export function writeStep(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  return PLAIN_NAME.test(key) ? `.${key}` : `['${key.replaceAll(/['\\]/g, '\\$&')}']`;
}

function readStep([, dots, name, anyName, index, anyIndex, quoted]: RegExpExecArray): PathStep | undefined {
  const inBrackets = index ?? anyIndex ?? quoted;
  // A name needs one or two dots before it; a bracket takes none or two.
  if (inBrackets === undefined ? dots === undefined : dots === '.') return undefined;
  const deep = dots === '..';
  if (anyName !== undefined || anyIndex !== undefined) return { at: undefined, deep, last: false };
  if (index !== undefined) return { at: Number(index), deep, last: false };
  return { at: name ?? unquoted(quoted ?? ''), deep, last: false };
}

function unquoted(literal: string): string {
  return literal.slice(1, -1).replaceAll(/\\(.)/gsu, '$1');
}
