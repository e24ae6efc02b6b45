/** How a change of one keyword affects the set of valid values. */
interface BoundEffect {
  readonly narrows: boolean;
  readonly widens: boolean;
}

type BoundJudge = (a: string | undefined, b: string | undefined) => BoundEffect;

const SAME: BoundEffect = { narrows: false, widens: false };
const NARROWS: BoundEffect = { narrows: true, widens: false };
const WIDENS: BoundEffect = { narrows: false, widens: true };
const BOTH: BoundEffect = { narrows: true, widens: true };

/** An array must contain one element unless `minContains` gives another number. */
const minContains: BoundJudge = (a, b) => {
  const [was, is] = [numberIn(a, 1), numberIn(b, 1)];
  if (was === is) return SAME;
  return is > was ? NARROWS : WIDENS;
};

const upperBound: BoundJudge = (a, b) => {
  const [was, is] = [numberIn(a, Infinity), numberIn(b, Infinity)];
  if (was === is) return SAME;
  return is < was ? NARROWS : WIDENS;
};

const condition: BoundJudge = (a, b) => {
  if (a === undefined) return NARROWS;
  return b === undefined ? WIDENS : BOTH;
};

const flag: BoundJudge = (a, b) => {
  if ((a === 'true') === (b === 'true')) return SAME;
  return b === 'true' ? NARROWS : WIDENS;
};

/**
 * Keywords that restrict values, with the effect of changing each. The arguments are the texts of the keyword's values.
 */
export const BOUNDS: ReadonlyMap<string, BoundJudge> = new Map([
  ...['minimum', 'exclusiveMinimum'].map((keyword): [string, BoundJudge] => [keyword, lowerBound(-Infinity)]),
  ...['minLength', 'minItems', 'minProperties'].map((keyword): [string, BoundJudge] => [keyword, lowerBound(0)]),
  ['minContains', minContains],
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains'].map(
    (keyword): [string, BoundJudge] => [keyword, upperBound],
  ),
  ...['pattern', 'format', 'multipleOf', 'contentEncoding', 'contentMediaType', 'not'].map(
    (keyword): [string, BoundJudge] => [keyword, condition],
  ),
  ['uniqueItems', flag],
]);

function lowerBound(none: number): BoundJudge {
  return (a, b) => {
    const [was, is] = [Math.max(numberIn(a, none), none), Math.max(numberIn(b, none), none)];
    if (was === is) return SAME;
    return is > was ? NARROWS : WIDENS;
  };
}

/** Returns `none` without a bound. The boolean `exclusiveMinimum: true` of older drafts is not a bound. */
function numberIn(text: string | undefined, none: number): number {
  const number = Number(text ?? Number.NaN);
  return Number.isNaN(number) ? none : number;
}
