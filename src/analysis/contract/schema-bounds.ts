/** What the change of one keyword does to the values that are valid. */
interface Effect {
  readonly narrows: boolean;
  readonly widens: boolean;
}

type Judge = (a: string | undefined, b: string | undefined) => Effect;

const SAME: Effect = { narrows: false, widens: false };
const NARROWS: Effect = { narrows: true, widens: false };
const WIDENS: Effect = { narrows: false, widens: true };
const BOTH: Effect = { narrows: true, widens: true };

const lowerBound: Judge = (a, b) => {
  const [was, is] = [numberIn(a, -Infinity), numberIn(b, -Infinity)];
  if (was === is) return SAME;
  return is > was ? NARROWS : WIDENS;
};

const upperBound: Judge = (a, b) => {
  const [was, is] = [numberIn(a, Infinity), numberIn(b, Infinity)];
  if (was === is) return SAME;
  return is < was ? NARROWS : WIDENS;
};

const condition: Judge = (a, b) => {
  if (a === undefined) return NARROWS;
  return b === undefined ? WIDENS : BOTH;
};

const flag: Judge = (a, b) => {
  if ((a === 'true') === (b === 'true')) return SAME;
  return b === 'true' ? NARROWS : WIDENS;
};

/** Without a bound there is none; a draft's `exclusiveMinimum: true` is no number. */
function numberIn(text: string | undefined, none: number): number {
  const number = Number(text ?? Number.NaN);
  return Number.isNaN(number) ? none : number;
}

/** Keywords that a value passes or not, by what a change of them does. The texts are those of their values. */
export const BOUNDS: ReadonlyMap<string, Judge> = new Map([
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains'].map(
    (keyword): [string, Judge] => [keyword, lowerBound],
  ),
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains'].map(
    (keyword): [string, Judge] => [keyword, upperBound],
  ),
  ...['pattern', 'format', 'multipleOf', 'contentEncoding', 'contentMediaType', 'not'].map(
    (keyword): [string, Judge] => [keyword, condition],
  ),
  ['uniqueItems', flag],
]);
