/** One step of a path: a member or an element, or `undefined` for any; at this depth or at any depth below. */
interface PathStep {
  readonly at: string | number | undefined;
  readonly deep: boolean;
  /** Whether the path ends with this step. */
  readonly last: boolean;
}

/** A path that was read. */
export type PathSteps = readonly PathStep[];

/** Which steps of which paths could come next at some place in a document. */
export type PathState = readonly number[];

/** What a child of some place is to the paths. */
export interface PathMatch {
  readonly matches: boolean;
  readonly state: PathState;
}

const NOWHERE: PathMatch = { matches: false, state: [] };
const STEP =
  /(\.\.|\.)?(?:([\p{L}_$][\p{L}\p{N}_$-]*)|(\*)|\[(?:(\d{1,9})|(\*)|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"))\])/suy;

/**
 * Follows several paths through a document at once, one step down at a time, so that a document is read once however
 * many there are.
 */
export class JsonPaths {
  readonly #steps: readonly PathStep[];
  /** Where a document begins. */
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

  /** What the child under a key or an index is. */
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
 * Reads a path, or tells the offset from which on it cannot be read. The subset of JSONPath: `$`, `.name`, `['name']`,
 * `[0]`, `[*]`, `.*` and `..` before any of these. A path of no steps names the whole document and is none.
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

const PLAIN_NAME = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;

/** How the step to a member or an element is written. */
export function writeStep(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  return PLAIN_NAME.test(key) ? `.${key}` : `['${key.replaceAll(/['\\]/g, '\\$&')}']`;
}

function readStep([, dots, name, anyName, index, anyIndex, quoted]: RegExpExecArray): PathStep | undefined {
  const inBrackets = index ?? anyIndex ?? quoted;
  // A name needs a dot before it, a bracket needs none and takes only two.
  if (inBrackets === undefined ? dots === undefined : dots === '.') return undefined;
  const deep = dots === '..';
  if (anyName !== undefined || anyIndex !== undefined) return { at: undefined, deep, last: false };
  if (index !== undefined) return { at: Number(index), deep, last: false };
  return { at: name ?? unquoted(quoted ?? ''), deep, last: false };
}

function unquoted(literal: string): string {
  return literal.slice(1, -1).replaceAll(/\\(.)/gsu, '$1');
}
