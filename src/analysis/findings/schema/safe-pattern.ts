import { RE2JS } from 're2js';

/** A pattern of an untrusted schema. It takes time in proportion to its size and the length of the text. */
export interface SafePattern {
  /** The number of instructions; each may be run once for each character. */
  readonly size: number;
  test(text: string): boolean;
}

const MAX_PATTERN = 1000;
/** The sum of all counts such as `{20}`, which multiply the size of the compiled pattern. */
const MAX_COUNTS = 2000;

/**
 * Compiles a pattern with RE2, which never backtracks. Returns `undefined` for one that RE2 does not have, such as a
 * lookahead or a backreference, and for one that is too large.
 */
export function safePattern(source: string): SafePattern | undefined {
  const counts = [...source.matchAll(/\d+/g)].reduce((sum, [digits]) => sum + Number(digits), 0);
  if (source.length > MAX_PATTERN || counts > MAX_COUNTS) return undefined;
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    return { size: compiled.programSize(), test: (text) => compiled.test(text) };
  } catch {
    return undefined;
  }
}
