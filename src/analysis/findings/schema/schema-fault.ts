/** Words the errors of the schema validator in the terms of the tool: `must be a string, got a number (5)`. */

type FaultWords = (matched: RegExpExecArray, value: unknown) => string;

const WORDS: readonly (readonly [pattern: RegExp, words: FaultWords])[] = [
  [
    /^Instance type ".*?" is invalid\. Expected "(.*)"\.$/,
    ([, types = ''], value) => `must be ${types.split('", "').map(typeWords).join(' or ')}, got ${valueWords(value)}`,
  ],
  [
    /^Instance does not match any of \[(.*)\]\.$/s,
    ([, allowed = '']) => `must be one of ${allowed.replaceAll(',', ', ')}`,
  ],
  [/^Instance does not match any subschemas\.$/, () => 'matches none of the allowed alternatives'],
  [
    /^Instance does not match exactly one subschema \((\d+) matches\)\.$/,
    ([, count]) => `must match exactly one alternative, matches ${count}`,
  ],
  [/^Instance does not match ("then"|"else") schema\.$/, ([, branch]) => `does not match the schema in ${branch}`],
  [/^Instance does not match (.*)\.$/s, ([, allowed]) => `must be ${allowed}`],
  [/^Instance matched "not" schema\.$/, () => 'matches a schema that "not" excludes'],
  [/^Instance does not have required property (.*)\.$/s, ([, name]) => `has no property ${name}, which is required`],
  [
    /^Instance has (".*") but does not have (".*")\.$/s,
    ([, has, lacks]) => `has ${has} but no ${lacks}, which it requires`,
  ],
  [/^False boolean schema\.$/, () => 'is not allowed'],
  [
    /^Array has too many items \((\d+) > (\d+)\)\.$/,
    ([, is, limit]) => `must have at most ${counted(limit, 'item')}, has ${is}`,
  ],
  [
    /^Array has too few items \((\d+) < (\d+)\)\.$/,
    ([, is, limit]) => `must have at least ${counted(limit, 'item')}, has ${is}`,
  ],
  [/^Duplicate items at indexes (\d+) and (\d+)\.$/, ([, a, b]) => `must have unique items, ${a} and ${b} are equal`],
  [/^(\S+) is less than or equal to +(\S+)\.$/, ([, is, limit]) => `must be more than ${limit}, got ${is}`],
  [/^(\S+) is greater than or equal to +(\S+)\.$/, ([, is, limit]) => `must be less than ${limit}, got ${is}`],
  [/^(\S+) is less than +(\S+)\.$/, ([, is, limit]) => `must be at least ${limit}, got ${is}`],
  [/^(\S+) is greater than +(\S+)\.$/, ([, is, limit]) => `must be at most ${limit}, got ${is}`],
  [/^(\S+) is not a multiple of (\S+)\.$/, ([, is, unit]) => `must be a multiple of ${unit}, got ${is}`],
  [
    /^String is too short \((\d+) < (\d+)\)\.$/,
    ([, is, limit]) => `must have at least ${counted(limit, 'character')}, has ${is}`,
  ],
  [
    /^String is too long \((\d+) > (\d+)\)\.$/,
    ([, is, limit]) => `must have at most ${counted(limit, 'character')}, has ${is}`,
  ],
  [/^String does not match pattern\.$/, () => 'does not match its pattern'],
];

/** The end of a sentence that begins with the name of the value. */
export function schemaFaultWords(error: string, value: unknown): string {
  for (const [pattern, words] of WORDS) {
    const matched = pattern.exec(error);
    if (matched !== null) return words(matched, value);
  }
  const rest = error.replace(/^Instance /, '').replace(/\.$/, '');
  return rest.charAt(0).toLowerCase() + rest.slice(1);
}

function counted(limit: string | undefined, noun: string): string {
  return `${limit} ${noun}${limit === '1' ? '' : 's'}`;
}

function typeWords(type: string): string {
  if (type === 'null') return type;
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** The type of a value. Texts are not shown, because they may be long or secret. */
function valueWords(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  const type = typeof value;
  return type === 'number' || type === 'boolean' ? `a ${type} (${String(value)})` : typeWords(type);
}
