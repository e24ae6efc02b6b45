import { type PathSteps, readPath } from '../../json/json-path.ts';
import { ReelError } from '../../model/errors.ts';
import { type Filter, loadFilter } from '../filter/filter.ts';
import { parseExpression } from '../filter/parser.ts';
import { faultAt, placeWithin, type RuleNode, type RuleText } from './rule-document.ts';

/** Reads and validates the fields of rules. */

/** The members of a map by key. Throws on an unknown key. */
export function fieldsOf<Key extends string>(
  node: RuleNode,
  known: readonly Key[],
  noun: string,
): ReadonlyMap<Key, RuleNode> {
  if (node.kind !== 'map')
    throw faultAt(node.at, `Expected ${noun} here, got ${shown(node)}`, `Its keys are ${listed(known)}.`);
  const fields = new Map<Key, RuleNode>();
  for (const { key, value } of node.members) {
    const name = known.find((word) => word === key.text);
    if (name === undefined) throw faultAt(key.at, `Unknown key: ${key.text}`, `Use ${listed(known)}.`);
    fields.set(name, value);
  }
  return fields;
}

/** A value as an error shows it. */
export function shown(node: RuleNode): string {
  switch (node.kind) {
    case 'text':
      return node.text.slice(0, MAX_SHOWN);
    case 'literal':
      return node.json.slice(0, MAX_SHOWN);
    case 'list':
      return 'a list';
    case 'map':
      return 'a map';
    case 'nothing':
      return 'nothing';
  }
}

const MAX_SHOWN = 60;

function listed(words: readonly string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : words.join('');
}

/** A required text. */
export function textOf(node: RuleNode | undefined, key: string, owner: RuleNode): RuleText {
  if (node === undefined) throw faultAt(owner.at, `${key} is missing`, `Example: ${key}: "text"`);
  if (node.kind !== 'text') throw faultAt(node.at, `${key} must be a string, got ${shown(node)}`, 'Quote it.');
  return node;
}

/** An integer of at least `least`. */
export function countOf(node: RuleNode, key: string, least: number): number {
  const count = node.kind === 'literal' && /^\d{1,9}$/.test(node.json) ? Number(node.json) : -1;
  if (count < least) throw faultAt(node.at, `${key} must be a whole number of at least ${least}, got ${shown(node)}`);
  return count;
}

/** Checks a flag, which can only be `true` or absent. */
export function requireTrue(node: RuleNode, key: string): void {
  if (node.kind === 'literal' && node.json === 'true') return;
  throw faultAt(node.at, `${key} must be true, got ${shown(node)}`, 'Remove the key to turn it off.');
}

const MAX_DELAY_MS = 3_600_000;

/** A duration, spelled as after `dur:` in a filter. */
export function durationMsOf(node: RuleNode, key: string): number {
  const spelled = node.kind === 'text' ? node.text : node.kind === 'literal' ? node.json : '';
  let ms = 0;
  if (/^\d[\w.]*$/.test(spelled)) {
    try {
      const { expression } = parseExpression(`dur:=${spelled}`);
      ms = expression.kind === 'comparison' ? expression.value : 0;
    } catch {
      // Not a valid duration; the error is thrown below.
    }
  }
  const hint = 'Use one like 250ms, 1.5s or 2m, up to 60m.';
  if (!(ms > 0 && ms <= MAX_DELAY_MS)) throw faultAt(node.at, `${key} must be a duration, got ${shown(node)}`, hint);
  return ms;
}

/** Parses a filter; errors have their position in the rules file. */
export async function filterOf(node: RuleText): Promise<Filter> {
  try {
    return await loadFilter(node.text);
  } catch (cause) {
    if (!(cause instanceof ReelError)) throw cause;
    const [, what = cause.message, column = '1'] = /^(.*) \(column (\d+)\)$/s.exec(cause.message) ?? [];
    const offset = Array.from(node.text)
      .slice(0, Number(column) - 1)
      .join('').length;
    throw faultAt(placeWithin(node, offset), node.textAt === undefined ? cause.message : what, cause.hint, cause);
  }
}

/** Parses a path into a message; errors have their position in the rules file. */
export function pathOf(node: RuleText): PathSteps {
  const steps = readPath(node.text);
  if (!('fault' in steps)) return steps;
  const why = node.text === '$' ? 'it selects the whole message' : 'invalid from here on';
  throw faultAt(
    placeWithin(node, node.text === '$' ? 0 : steps.fault),
    `Cannot use the path ${node.text}: ${node.text.startsWith('$') ? why : 'it does not start with $'}`,
    "Use a path like $.params.arguments.name, $..['name'] or $.result.content[*].text.",
  );
}
