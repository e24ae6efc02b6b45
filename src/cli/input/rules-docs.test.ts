import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { message } from '../../../test/contract/factories.ts';
import { FilterMemory } from '../../analysis/filter/filter-memory.ts';
import { readRules } from '../../analysis/rules/read-rules.ts';
import type { Rulebook } from '../../analysis/rules/rulebook.ts';
import { type Direction, opposite } from '../../model/entry.ts';
import type { RuleOutcome } from '../../model/rule-outcome.ts';
import { readEnvelope } from '../../protocol/envelope.ts';
import { Pairing } from '../../protocol/pairing.ts';
import { parseYaml } from './rules-yaml.ts';

const page = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/^```yaml\n(.*?)^```\n\n```\n(.*?)^```$/gms)].map(
  ([, rules = '', reported = '']) => ({
    rules,
    lines: reported.trimEnd().split('\n'),
    title: /name: (.*)|(?:match: (.*))/.exec(rules)?.[0] ?? '',
  }),
);

/** An outcome in the words of the docs page. */
function report(outcome: RuleOutcome | undefined, text: string, direction: Direction): string {
  if (outcome === undefined) return `${nameOf(opposite(direction))} receives: ${text}`;
  const { delayMs, holds, end } = outcome;
  const after =
    delayMs === 0 ? '' : ` after ${delayMs % 100 === 0 && delayMs >= 1000 ? `${delayMs / 1000}s` : `${delayMs}ms`}`;
  if (holds) return `held: ${outcome.text}`;
  if (end?.action === 'drop') return 'dropped';
  if (end?.action === 'answer') return `${nameOf(direction)} receives${after}: ${end.text}`;
  return `${nameOf(opposite(direction))} receives${after}: ${outcome.text}`;
}

function nameOf(direction: Direction): string {
  return direction === 'client_to_server' ? 'client' : 'server';
}

/** The outcome of each sent message, in the words of the docs page. */
function play(rules: Rulebook, sent: readonly string[]): string[] {
  const memory = new FilterMemory(rules);
  const pairing = new Pairing();
  return sent.flatMap((line, index) => {
    const [, who, text = ''] = /^(client|server) sends: (.*)$/.exec(line) ?? [];
    const direction = who === 'client' ? 'client_to_server' : 'server_to_client';
    const arrived = message({ text, direction, proxyId: `m${index}` });
    const correlatedId = pairing.match(arrived, readEnvelope(text));
    const entry = { ...arrived, ...(correlatedId !== undefined && { correlatedId }) };
    return [line, report(rules.rule({ entry, call: memory.take(entry) }), text, direction)];
  });
}

describe('docs/rules.md', () => {
  it('shows the outcome of every rules example', () => {
    expect(examples.length).toBe(page.match(/^```yaml$/gm)?.length);
    expect(examples.length).toBeGreaterThan(8);
  });

  it.each(examples)('shows the correct outcome for the rules that begin with $title', async ({ rules, lines }) => {
    const rulebook = await readRules(await parseYaml(rules, 'rules.yaml'));
    const sent = lines.filter((line) => line.includes(' sends: '));
    expect(play(rulebook, sent)).toEqual(lines);
  });

  it('documents every key of a rule, and every action in its own section', async () => {
    const { hint = '' } = await readRules(await parseYaml('rules: [{ nothing: 1 }]', '')).then(
      () => ({ hint: '' }),
      (error: { hint: string }) => error,
    );
    const [, list = ''] = /^Use (.*)\.$/.exec(hint) ?? [];
    const keys = list.split(/, | or /);
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    const reported = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, key]) => key));
    expect(keys.toSorted()).toEqual(reported.toSorted());
    const sections = [...page.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    expect(sections.toSorted()).toEqual(reported.slice(4).toSorted());
  });
});
