/** The words for single errors of the schema validator. */

/** An error of the validator. Its locations are JSON pointers. */
export interface ValidatorError {
  readonly keyword: string;
  readonly keywordLocation: string;
  readonly instanceLocation: string;
  readonly error: string;
}

/** The values that an error names as allowed, each in words. */
export function allowedIn({ keyword, error }: Pick<ValidatorError, 'keyword' | 'error'>): string[] | undefined {
  const words = /^Instance type ".*?" is invalid\. Expected "(.*)"\.$/s.exec(error)?.[1];
  if (keyword === 'type' && words !== undefined) return words.split('", "').map(typeWords);
  const values = /^Instance does not match (?:any of )?(.*)\.$/s.exec(error)?.[1];
  if (values === undefined) return undefined;
  if (keyword === 'const') return [values];
  return keyword === 'enum' ? (JSON.parse(values) as unknown[]).map((value) => JSON.stringify(value)) : undefined;
}

/** Joins with commas and `or`. */
export function alternatives(allowed: readonly string[]): string {
  const all = [...new Set(allowed)];
  const last = all.at(-1) ?? '';
  return all.length > 1 ? `${all.slice(0, -1).join(', ')} or ${last}` : last;
}

/** The name of a required property that is missing, and why it is required. */
export function missingName({
  keyword,
  error,
}: Pick<ValidatorError, 'keyword' | 'error'>): { readonly name: string; readonly because: string } | undefined {
  const required = /^Instance does not have required property "(.*)"\.$/s.exec(error)?.[1];
  if (keyword === 'required' && required !== undefined) return { name: required, because: '' };
  const [, has, lacks] = /^Instance has "(.*)" but does not have "(.*)"\.$/s.exec(error) ?? [];
  return has === undefined || lacks === undefined ? undefined : { name: lacks, because: ` because ${has} is set` };
}

/** Words the error of a `false` schema, from the error before it. */
export function falseWords(before: ValidatorError | undefined): string {
  const isUnknown = before !== undefined && /^(?:additional|unevaluated)Properties$/.test(before.keyword);
  return isUnknown ? 'is not a property of the schema' : 'is not allowed';
}

/** Words an error that no other error explains: `must be at least 3, got 1`. */
export function leafWords({ keyword, error }: Pick<ValidatorError, 'keyword' | 'error'>, value: unknown): string {
  const allowed = allowedIn({ keyword, error });
  if (allowed !== undefined) {
    const isOneOf = keyword === 'enum' && allowed.length > 1;
    // Of a string nothing can be said: the type is right, and its text may be long or secret.
    const got = keyword !== 'type' && typeof value === 'string' ? '' : `, got ${valueWords(value)}`;
    return `must be ${isOneOf ? `one of ${allowed.join(', ')}` : alternatives(allowed)}${got}`;
  }
  const [is = '', limit = ''] = error.match(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/g) ?? [];
  switch (keyword) {
    case 'minimum':
      return `must be at least ${limit}, got ${is}`;
    case 'maximum':
      return `must be at most ${limit}, got ${is}`;
    case 'exclusiveMinimum':
      return `must be greater than ${limit}, got ${is}`;
    case 'exclusiveMaximum':
      return `must be less than ${limit}, got ${is}`;
    case 'multipleOf':
      return `must be a multiple of ${limit}, got ${is}`;
    case 'minLength':
      return `must have at least ${counted(limit, 'character')}, has ${is}`;
    case 'maxLength':
      return `must have at most ${counted(limit, 'character')}, has ${is}`;
    case 'minItems':
      return `must have at least ${counted(limit, 'item')}, has ${is}`;
    case 'maxItems':
      return `must have at most ${counted(limit, 'item')}, has ${is}`;
    case 'minProperties':
      return `must have at least ${counted(is, 'property')}, has ${sizeOf(value)}`;
    case 'maxProperties':
      return `must have at most ${counted(is, 'property')}, has ${sizeOf(value)}`;
    case 'uniqueItems':
      return `must have unique items, but items ${is} and ${limit} are equal`;
    case 'not':
      return 'must not match the schema in "not"';
    case 'contains':
      return 'must have an item that matches the schema in "contains"';
    case 'minContains':
      return 'has too few items that match the schema in "contains"';
    case 'maxContains':
      return 'has too many items that match the schema in "contains"';
    default:
      return `does not match ${JSON.stringify(keyword)} of the schema`;
  }
}

function sizeOf(value: unknown): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

function counted(limit: string, noun: string): string {
  return `${limit} ${limit === '1' ? noun : noun.replace(/y?$/, (end) => (end === 'y' ? 'ies' : 's'))}`;
}

function typeWords(type: string): string {
  if (type === 'null') return type;
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** The type of a value. Texts are not shown, because they may be long or secret. */
export function valueWords(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  const type = typeof value;
  return type === 'number' || type === 'boolean' ? `a ${type} (${String(value)})` : typeWords(type);
}
