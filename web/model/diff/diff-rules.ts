import type { ContractDifference } from '../../../src/analysis/contract/contract-diff.ts';
import type { ValueDifference } from '../../../src/analysis/diff/diff.ts';
import { writeStep } from '../../../src/json/json-path.ts';

/** A way to ignore a difference: its scope and its rules. */
export interface IgnoreChoice {
  readonly covers: string;
  readonly rules: readonly string[];
}

const INDEX = /\[\d+\]/g;

/** The ways to ignore a value, narrowest first. A whole response cannot be ignored. */
export function choicesForValue({ call, path }: ValueDifference): IgnoreChoice[] {
  if (path === '$') return [];
  const { method, name } = call;
  const tool = method === 'tools/call' && name !== undefined ? toolPrefix(name) : undefined;
  const anywhere = path.replaceAll(INDEX, '[*]');
  const paths = anywhere === path ? [path] : [path, anywhere];
  return [
    ...(tool === undefined ? [] : paths.map((place) => ({ covers: `in ${name}`, rules: [`${tool} ${place}`] }))),
    ...paths.map((place) => ({ covers: 'everywhere', rules: [place] })),
  ];
}

/** A rule cannot contain a name with a quotation mark. */
function toolPrefix(name: string): string | undefined {
  if (name.includes('"') || name === '') return undefined;
  return /\s/.test(name) ? `tool:"${name}"` : `tool:${name}`;
}

const LISTS = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  'resource template': 'resourceTemplates',
} as const;

/** The ways to ignore a contract change. An added or removed tool, prompt or resource cannot be ignored. */
export function choicesForContract({ subject, name, change, path, detail }: ContractDifference): IgnoreChoice[] {
  if (change !== 'changed' || path === undefined) return [];
  const rest = path.slice(1);
  if (subject === 'server') {
    return [{ covers: 'everywhere', rules: [`$.result${writeStep(name)}${rest}`] }];
  }
  const list = `$.result.${LISTS[subject]}[*]`;
  const covers = `in all ${subject}s`;
  if (subject === 'prompt' && rest.startsWith('.arguments')) {
    const within = /^\.arguments(?:\.[^.[]+|\['(?:[^'\\]|\\.)*'\])(.*)$/s.exec(rest)?.[1] ?? '';
    return [{ covers, rules: [within === '' ? `${list}.arguments` : `${list}.arguments[*]${within}`] }];
  }
  const rules = [`${list}${rest}`];
  // A schema lists its required members next to their definitions.
  const place = /required|removed|added/.test(detail) ? rest.lastIndexOf('.properties') : -1;
  if (place >= 0) rules.push(`${list}${rest.slice(0, place)}.required`);
  return [{ covers, rules }];
}
