import { compileReplacement, replaceIn } from './replacement.ts';
import { faultAt, jsonOf, placeWithin, type RuleNode } from './rule-document.ts';
import { countOf, durationMsOf, fieldsOf, filterOf, pathOf, requireTrue, shown, textOf } from './rule-fields.ts';
import { type Rule, Rulebook, type RuleEnding } from './rulebook.ts';
import { setAt, type TextChange } from './set-value.ts';

const ENDINGS = ['hold', 'drop', 'answer', 'error'] as const;
const ACTIONS = ['set', 'replace', 'delay', ...ENDINGS] as const;
const KEYS = ['name', 'match', 'skip', 'times', ...ACTIONS] as const;

/** With this limit the sum of all delays stays within a timer's range. */
const MAX_RULES = 500;

/** Parses a rules file. Throws a usage error with the position of the first error. */
export async function readRules(document: RuleNode): Promise<Rulebook> {
  const list = document.kind === 'map' ? fieldsOf(document, ['rules'], 'rules').get('rules') : undefined;
  if (list?.kind !== 'list')
    throw faultAt(
      (list ?? document).at,
      document.kind === 'map'
        ? `rules must be a list, got ${list === undefined ? 'nothing' : shown(list)}`
        : `Expected a map with the key rules, got ${shown(document)}`,
      'Example: rules: [{ match: tool:search, delay: 2s }]',
    );
  const tooMany = list.items[MAX_RULES];
  if (tooMany !== undefined) throw faultAt(tooMany.at, `More than ${MAX_RULES} rules`);
  const rules = new Map<string, Rule>();
  for (const [index, item] of list.items.entries()) {
    const rule = await readRule(item, `rule ${index + 1}`);
    if (rules.has(rule.name)) throw faultAt(item.at, `Two rules are named ${rule.name}`, 'Rename one.');
    rules.set(rule.name, rule);
  }
  return new Rulebook([...rules.values()]);
}

type RuleFields = ReadonlyMap<(typeof KEYS)[number], RuleNode>;

async function readRule(node: RuleNode, unnamed: string): Promise<Rule> {
  const fields: RuleFields = fieldsOf(node, KEYS, 'a rule');
  if (!ACTIONS.some((action) => fields.has(action))) {
    throw faultAt(node.at, 'The rule has no action', `Add one of ${ACTIONS.join(', ')}.`);
  }
  const match = fields.get('match');
  const skip = fields.get('skip');
  const times = fields.get('times');
  const delay = fields.get('delay');
  return {
    name: nameOf(fields.get('name'), unnamed),
    filter: match && (await filterOf(textOf(match, 'match', node))),
    skip: skip === undefined ? 0 : countOf(skip, 'skip', 1),
    times: times === undefined ? Number.POSITIVE_INFINITY : countOf(times, 'times', 1),
    changes: [...settings(fields.get('set')), ...(await replacements(fields.get('replace')))],
    delayMs: delay === undefined ? 0 : durationMsOf(delay, 'delay'),
    ending: endingOf(fields),
  };
}

function nameOf(node: RuleNode | undefined, unnamed: string): string {
  if (node === undefined) return unnamed;
  const { text, at } = textOf(node, 'name', node);
  if (!/^\P{Cc}{1,100}$/u.test(text)) throw faultAt(at, 'name must be one line of up to 100 characters');
  return text;
}

function settings(node: RuleNode | undefined): readonly TextChange[] {
  if (node === undefined) return [];
  if (node.kind !== 'map' || node.members.length === 0) {
    throw faultAt(node.at, 'Expected paths and their values after set:', 'Example: $.params.arguments.user: alice');
  }
  return node.members.map(({ key, value }) => setAt(pathOf(key), jsonOf(value)));
}

/** Reads one replacement, or a list of them. */
async function replacements(node: RuleNode | undefined): Promise<readonly TextChange[]> {
  if (node === undefined) return [];
  const changes: TextChange[] = [];
  for (const item of node.kind === 'list' ? node.items : [node]) changes.push(await replacement(item));
  return changes;
}

async function replacement(node: RuleNode): Promise<TextChange> {
  const fields = fieldsOf(node, ['pattern', 'with', 'in'], 'a replacement');
  const pattern = textOf(fields.get('pattern'), 'pattern', node);
  const template = textOf(fields.get('with'), 'with', node);
  const place = fields.get('in');
  const path = place && pathOf(textOf(place, 'in', node));
  const found = await compileReplacement(pattern.text, template.text);
  if (typeof found === 'function') return replaceIn(path, found);
  if (found.in === 'with') {
    throw faultAt(
      placeWithin(template, found.offset),
      found.why,
      'Use $1 for the first group, $0 for the whole match, $$ for a dollar sign.',
    );
  }
  throw faultAt(
    pattern.at,
    `Cannot use the pattern ${pattern.text}: ${found.why}`,
    'Use RE2 syntax: look-around and back-references are not supported.',
  );
}

function endingOf(fields: RuleFields): RuleEnding | undefined {
  const [action, other] = ENDINGS.filter((name) => fields.has(name));
  const node = action && fields.get(action);
  if (action === undefined || node === undefined) return undefined;
  const rival = other && fields.get(other);
  if (rival !== undefined)
    throw faultAt(rival.at, `A rule cannot have both ${action} and ${other}`, 'Split it into two rules.');
  switch (action) {
    case 'answer':
      return { kind: 'answer', body: { key: 'result', json: jsonOf(node) } };
    case 'error':
      return { kind: 'answer', body: { key: 'error', json: errorOf(node) } };
    case 'hold':
    case 'drop':
      requireTrue(node, action);
      return { kind: action };
  }
}

function errorOf(node: RuleNode): string {
  const fields = fieldsOf(node, ['code', 'message', 'data'], 'an error');
  const code = fields.get('code');
  if (code?.kind !== 'literal' || !/^-?\d+$/.test(code.json)) {
    const fault = code === undefined ? 'code is missing' : `code must be a whole number, got ${shown(code)}`;
    throw faultAt((code ?? node).at, fault, 'Example: code: -32000');
  }
  textOf(fields.get('message'), 'message', node);
  return jsonOf(node);
}
