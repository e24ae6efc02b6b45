import { readTree, type TreeRules, type ValueNode } from '../analysis/diff/value-tree.ts';
import { fingerprint } from '../json/fingerprint.ts';
import type { JsonPaths } from '../json/json-path.ts';
import type { JsonText } from '../model/entry.ts';
import { messagePaths } from '../protocol/message-paths.ts';

/**
 * How closely a request matches a recorded one. `strict`: everything is equal. `same`: volatile metadata may differ.
 * `input`: answers to elicitation and sampling may differ too. `alike`: cursors, task ids and times may differ. `name`:
 * only the method and the tool, prompt or resource are equal.
 */
export type MatchTier = 'strict' | 'same' | 'input' | 'alike' | 'name';

/**
 * How closely a request must match a recorded one.
 *
 * @example
 * ```ts
 * import { type MatchLevel, startMock } from 'mcpreel';
 *
 * const match: MatchLevel = 'loose';
 * const mock = await startMock('session.json', { match });
 * await mock.stop();
 * ```
 */
export type MatchLevel = 'strict' | 'normal' | 'loose';

/** The tiers of each level, in the order they are tried. */
export const TIERS: Readonly<Record<MatchLevel, readonly MatchTier[]>> = {
  strict: ['strict'],
  normal: ['strict', 'same', 'input'],
  loose: ['strict', 'same', 'input', 'alike', 'name'],
};

/** Metadata that identifies the client or the request, and does not affect the result. */
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
/** Envelope members that are not part of the request's content. */
const WRAPPING = ['$.id', '$.jsonrpc'];

const RULES: Readonly<Record<Exclude<MatchTier, 'name'>, TreeRules>> = {
  strict: rules('strict', ['$.params._meta.progressToken']),
  same: rules('strict', VOLATILE),
  input: rules('strict', [...VOLATILE, '$.params.inputResponses[*]', '$.params.inputResponses.*']),
  alike: rules('semantic', VOLATILE),
};

/** Any recorded greeting matches, whatever the client says about itself. */
const GREETINGS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/**
 * The lookup key of a request; matching requests have equal keys. `undefined` if the tier does not apply to this
 * request.
 */
export function keyOf(text: JsonText, method: string, tier: MatchTier): string | undefined {
  if (tier === 'strict') return `${method} ${readTree(text, RULES.strict)?.identity}`;
  if (GREETINGS.has(method)) return method;
  const params = treeOf(text, tier)?.members.get('params');
  if (tier === 'name') return `${method} ${nameIn(params)}`;
  if (tier === 'input' && !params?.members.has('inputResponses')) return undefined;
  return `${method} ${describe(params)}`;
}

/** A request without its volatile and empty parts, for reporting how it differs from another. */
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

/** Empty `_meta` and `arguments` count as absent. */
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

/** The tool, prompt, resource or task that a request names. */
export function nameIn(params: ValueNode | undefined): string {
  const named = ['name', 'uri', 'taskId', 'ref'].map((key) => params?.members.get(key)?.identity);
  return named.join(' ');
}

function rules(profile: 'strict' | 'semantic', paths: readonly string[]): TreeRules {
  const ignored: JsonPaths = messagePaths([...WRAPPING, ...paths]);
  return { profile, ignored };
}
