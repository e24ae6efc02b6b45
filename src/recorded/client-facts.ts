import { ObjectView } from '../json/object-view.ts';
import type { JsonText } from '../model/entry.ts';
import { FIRST_MODERN, isModern, LAST_WITH_HANDSHAKE, VERSION_KEY } from '../protocol/era.ts';
import type { ClientStep, RecordedDialogue } from './recorded-dialogue.ts';

/** What the client of a recording said of itself, as texts. */
export interface ClientFacts {
  readonly capabilities: JsonText;
  readonly info: JsonText;
}

/** How a dialogue began, which tells what its target has to speak. */
export type ClientOpening = 'initialize' | 'later-initialize' | 'modern' | 'probe' | 'none';

const PREFIX = 'io.modelcontextprotocol/';
const OURSELVES = `{"name":"mcpreel","version":"${__MCPREEL_VERSION__}"}`;

export function openingOf({ steps }: RecordedDialogue): ClientOpening {
  if (steps.find(({ kind }) => kind === 'request')?.method === 'initialize') return 'initialize';
  const requests = steps.filter(({ kind }) => kind === 'request');
  if (requests.some(({ method }) => method === 'initialize')) return 'later-initialize';
  const modern = requests.filter(({ text }) => isModern(text));
  if (modern.some((step) => hasResult(step) || step.answer === undefined)) return 'modern';
  return modern.length > 0 ? 'probe' : 'none';
}

/** Whether the recording answers a request with a result. */
export function hasResult({ answer }: ClientStep): boolean {
  return answer !== undefined && isResult(answer.text);
}

export function isResult(response: JsonText): boolean {
  return ObjectView.of(response)?.has('result') === true;
}

export function factsOf({ steps }: RecordedDialogue): ClientFacts {
  for (const { text, method } of steps) {
    const params = ObjectView.of(text)?.object('params');
    const meta = params?.object('_meta');
    if (method === 'initialize') {
      return { capabilities: params?.textOf('capabilities') ?? '{}', info: params?.textOf('clientInfo') ?? OURSELVES };
    }
    if (meta?.has(VERSION_KEY)) {
      return {
        capabilities: meta.textOf(`${PREFIX}clientCapabilities`) ?? '{}',
        info: meta.textOf(`${PREFIX}clientInfo`) ?? OURSELVES,
      };
    }
  }
  return { capabilities: '{}', info: OURSELVES };
}

/** The request that begins a session before 2026-07-28. */
export function initializeText({ capabilities, info }: ClientFacts): JsonText {
  const params = `{"protocolVersion":"${LAST_WITH_HANDSHAKE}","capabilities":${capabilities},"clientInfo":${info}}`;
  return `{"jsonrpc":"2.0","id":0,"method":"initialize","params":${params}}`;
}

/** What confirms that. */
export const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

/** The request that asks a server of 2026-07-28 what it is. */
export function discoverText(facts: ClientFacts): JsonText {
  return `{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{"_meta":{${modernMembers(facts)}}}}`;
}

/** What every request of 2026-07-28 says in its `_meta`. */
export function modernMembers({ capabilities, info }: ClientFacts, logLevel?: JsonText): string {
  const members = [
    `"${VERSION_KEY}":"${FIRST_MODERN}"`,
    `"${PREFIX}clientInfo":${info}`,
    `"${PREFIX}clientCapabilities":${capabilities}`,
    ...(logLevel === undefined ? [] : [`"${PREFIX}logLevel":${logLevel}`]),
  ];
  return members.join(',');
}

/** The members of `_meta` that are of 2026-07-28 alone. */
export const MODERN_MEMBERS: readonly string[] = [
  VERSION_KEY,
  ...['clientInfo', 'clientCapabilities', 'logLevel'].map((name) => `${PREFIX}${name}`),
];
