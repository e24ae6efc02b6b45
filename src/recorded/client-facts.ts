import { ObjectView } from '../json/object-view.ts';
import type { JsonText } from '../model/entry.ts';
import { FIRST_MODERN, isModern, LAST_WITH_HANDSHAKE, VERSION_KEY } from '../protocol/era.ts';
import type { ClientStep, RecordedDialogue } from './recorded-dialogue.ts';

/** What the recorded client said about itself, as JSON texts. */
export interface ClientFacts {
  readonly capabilities: JsonText;
  readonly info: JsonText;
}

/** How a dialogue began, which determines what the target must support. */
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

/** Whether the recorded response to a request is a result. */
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

/** The request that opens a session before 2026-07-28. */
export function initializeText({ capabilities, info }: ClientFacts): JsonText {
  const params = `{"protocolVersion":"${LAST_WITH_HANDSHAKE}","capabilities":${capabilities},"clientInfo":${info}}`;
  return `{"jsonrpc":"2.0","id":0,"method":"initialize","params":${params}}`;
}

/** The notification that completes the handshake. */
export const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

/** The request that asks a server of 2026-07-28 for its capabilities. */
export function discoverText(facts: ClientFacts): JsonText {
  return `{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{"_meta":{${modernMembers(facts)}}}}`;
}

/** The `_meta` members that every request of 2026-07-28 carries. */
export function modernMembers({ capabilities, info }: ClientFacts, logLevel?: JsonText): string {
  const members = [
    `"${VERSION_KEY}":"${FIRST_MODERN}"`,
    `"${PREFIX}clientInfo":${info}`,
    `"${PREFIX}clientCapabilities":${capabilities}`,
    ...(logLevel === undefined ? [] : [`"${PREFIX}logLevel":${logLevel}`]),
  ];
  return members.join(',');
}

/** The `_meta` members that exist only in 2026-07-28. */
export const MODERN_MEMBERS: readonly string[] = [
  VERSION_KEY,
  ...['clientInfo', 'clientCapabilities', 'logLevel'].map((name) => `${PREFIX}${name}`),
];
