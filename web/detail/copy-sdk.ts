import { pretty } from '../../src/json/layout.ts';
import { ObjectView } from '../../src/json/object-view.ts';
import { decodeString } from '../../src/json/scan.ts';
import { forEachToken } from '../../src/json/tokens.ts';
import type { JsonText } from '../../src/model/entry.ts';
import { visibleJson } from '../parts/shell-quote.ts';

/** Methods of the SDK's client that take the params unchanged. */
const CLIENT_METHODS: Readonly<Record<string, string>> = {
  'tools/call': 'callTool',
  'tools/list': 'listTools',
  'prompts/get': 'getPrompt',
  'prompts/list': 'listPrompts',
  'resources/read': 'readResource',
  'resources/list': 'listResources',
  'resources/templates/list': 'listResourceTemplates',
  'resources/subscribe': 'subscribeResource',
  'resources/unsubscribe': 'unsubscribeResource',
  'completion/complete': 'complete',
};

/** Members that the SDK writes itself. */
const OWN_MEMBERS: ReadonlySet<string> = new Set(['_meta', 'inputResponses', 'requestState']);

/** Generates TypeScript that sends a request with the SDK's client. */
export function asSdkCode(text: JsonText): string | undefined {
  const message = ObjectView.of(text);
  const method = message?.string('method');
  if (message === undefined || method === undefined || !message.has('id')) return undefined;
  const params = message.object('params')?.only((key) => !OWN_MEMBERS.has(key));
  if (method === 'ping') return 'const result = await client.ping();\n';
  const name = CLIENT_METHODS[method];
  if (name !== undefined)
    return `const result = await client.${name}(${params === undefined ? '' : literalOf(params)});\n`;
  const named = visibleJson(JSON.stringify(method));
  const request = params === undefined ? `{ method: ${named} }` : `{ method: ${named}, params: ${literalOf(params)} }`;
  return `const result = await client.request(${request}, z.looseObject({}));\n`;
}

/** The value as code. JSON is valid JavaScript, except for one key and for numbers beyond its precision. */
function literalOf(json: JsonText): string {
  const { hasPrototype, losesDigits } = oddities(json);
  const text = visibleJson(pretty(json));
  const note = losesDigits ? '/* JavaScript cannot hold all digits of some of these numbers */ ' : '';
  return hasPrototype ? `${note}JSON.parse(${visibleJson(JSON.stringify(json))})` : `${note}${text}`;
}

function oddities(json: JsonText): { readonly hasPrototype: boolean; readonly losesDigits: boolean } {
  let hasPrototype = false;
  let losesDigits = false;
  forEachToken(json, (kind, start, end) => {
    const literal = json.slice(start, end);
    if (kind === '"' && literal.length < 100) hasPrototype ||= decodeString(literal) === '__proto__';
    else if (kind === 'v') losesDigits ||= /^-?\d{16,}$/.test(literal) && !Number.isSafeInteger(Number(literal));
  });
  return { hasPrototype, losesDigits };
}
