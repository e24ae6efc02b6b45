import { readTree, type TreeRules, type ValueNode } from '../analysis/diff/value-tree.ts';
import { fingerprint } from '../json/fingerprint.ts';
import type { JsonPaths } from '../json/json-path.ts';
import type { JsonText } from '../model/entry.ts';
import { messagePaths } from '../protocol/message-paths.ts';

/**
 * How alike a request and a recorded one are: `strict` in all that is said; `same` but for volatile metadata; `input` but for
 * what a person or a model was asked; `alike` but for cursors, task ids and times; `name` in the method and the tool, prompt
 * or resource alone.
 */
export type MatchTier = 'strict' | 'same' | 'input' | 'alike' | 'name';

/** How exactly a request has to be the recorded one. */
export type MatchLevel = 'strict' | 'normal' | 'loose';

/** The tiers of a level, in the order in which they are tried. */
export const TIERS: Readonly<Record<MatchLevel, readonly MatchTier[]>> = {
  strict: ['strict'],
  normal: ['strict', 'same', 'input'],
  loose: ['strict', 'same', 'input', 'alike', 'name'],
};

/** What says who asks, and under which names, and never what is asked. */
const VOLATILE_META = [
  'progressToken',
  'traceparent',
  'tracestate',
  'baggage',
  'io.modelcontextprotocol/protocolVersion',
  'io.modelcontextprotocol/clientInfo',
  'io.modelcontextprotocol/clientCapabilities',
  'io.modelcontextprotocol/logLevel',
];

const VOLATILE: readonly string[] = VOLATILE_META.map((key) => `$.params._meta['${key}']`);
/** What is no part of what is asked. */
const WRAPPING = ['$.id', '$.jsonrpc'];

const RULES: Readonly<Record<Exclude<MatchTier, 'name'>, TreeRules>> = {
  strict: rules('strict', ['$.params._meta.progressToken']),
  same: rules('strict', VOLATILE),
  input: rules('strict', [...VOLATILE, '$.params.inputResponses[*]', '$.params.inputResponses.*']),
  alike: rules('semantic', VOLATILE),
};

/** Whom a client greets does not depend on who it is. */
const GREETINGS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** What a request is found by: the same text for requests that are alike. `undefined` where the tier is not for it. */
export function keyOf(text: JsonText, method: string, tier: MatchTier): string | undefined {
  if (tier === 'strict') return `${method} ${readTree(text, RULES.strict)?.identity}`;
  if (GREETINGS.has(method)) return method;
  const params = treeOf(text, tier)?.members.get('params');
  if (tier === 'name') return `${method} ${nameIn(params)}`;
  if (tier === 'input' && !params?.members.has('inputResponses')) return undefined;
  return `${method} ${describe(params)}`;
}

/** A request without what says nothing, for telling how it differs from another. */
export function substanceOf(text: JsonText): ValueNode | undefined {
  const message = readTree(text, RULES.same);
  const params = message?.members.get('params');
  if (message === undefined || params?.form !== 'object') return message;
  const sent = new Map([...params.members].filter(saysSomething));
  const members = new Map(message.members);
  if (sent.size === 0) members.delete('params');
  else members.set('params', { ...params, members: sent });
  return { ...message, members };
}

function treeOf(text: JsonText, tier: MatchTier): ValueNode | undefined {
  return readTree(text, RULES[tier === 'name' ? 'same' : tier]);
}

/** Empty metadata and empty arguments are as good as none. */
function describe(params: ValueNode | undefined): number {
  if (params === undefined) return EMPTY;
  if (params.form !== 'object') return params.identity;
  const sent = [...params.members].filter(saysSomething);
  return fingerprint(
    sent
      .map(([key, { identity }]) => `${key.length} ${key} ${identity}`)
      .sort()
      .join(','),
  );
}

const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['_meta', 'arguments']);
const EMPTY = fingerprint('');

function saysSomething([key, { form, members }]: readonly [string, ValueNode]): boolean {
  return !(MAY_BE_EMPTY.has(key) && form === 'object' && members.size === 0);
}

/** The tool, the prompt, the resource or the task that a request is about. */
function nameIn(params: ValueNode | undefined): string {
  const named = ['name', 'uri', 'taskId', 'ref'].map((key) => params?.members.get(key)?.identity);
  return named.join(' ');
}

function rules(profile: 'strict' | 'semantic', paths: readonly string[]): TreeRules {
  const ignored: JsonPaths = messagePaths([...WRAPPING, ...paths]);
  return { profile, ignored };
}
