import { ObjectView } from '../json/object-view.ts';
import { sliceAt, spliceAt } from '../json/splice.ts';
import type { JsonText } from '../model/entry.ts';
import { answerText } from '../protocol/answer-text.ts';
import { FIRST_MODERN, isModernRevision, LAST_WITH_HANDSHAKE } from '../protocol/era.ts';
import type { ServerMessage } from '../recorded/recorded-dialogue.ts';
import type { RecordedExchange } from './recorded-exchange.ts';

/** Methods whose results must state a cache lifetime in the newest revision. */
const CACHEABLE: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** Converts a recorded response of an older revision for a client of the newest one. */
export function asModernAnswer(text: JsonText, method: string): JsonText {
  const result = ObjectView.of(text)?.object('result');
  if (result === undefined) return text;
  const missing: [string, JsonText][] = [];
  if (!result.has('resultType')) missing.push(['resultType', '"complete"']);
  if (CACHEABLE.has(method) && !result.has('ttlMs')) missing.push(['ttlMs', '0']);
  if (CACHEABLE.has(method) && !result.has('cacheScope')) missing.push(['cacheScope', '"private"']);
  return missing.reduce((answer, [key, value]) => spliceAt(answer, ['result', key], value) ?? answer, text);
}

/** The `input_required` result that replaces server requests for a client of the newest revision. */
export function inputRequired(id: JsonText, questions: readonly ServerMessage[], state: string): JsonText {
  const requests = questions.map(({ text, method }, index) => {
    const params = sliceAt(text, ['params']);
    const body = params === undefined ? '' : `,"params":${params}`;
    return `"${index + 1}":{"method":${JSON.stringify(method)}${body}}`;
  });
  const result = `{"resultType":"input_required","inputRequests":{${requests.join(',')}},"requestState":${JSON.stringify(state)}}`;
  return answerText(id, 'result', result);
}

/** The input requests of an `input_required` result, with the names the server gave them. */
export function questionsIn(answer: JsonText): { name: string; request: ObjectView }[] | undefined {
  const result = ObjectView.of(answer)?.object('result');
  if (result?.string('resultType') !== 'input_required') return undefined;
  const requests = result.object('inputRequests');
  return (requests?.members ?? []).flatMap(({ key }) => {
    const request = requests?.object(key);
    return request === undefined ? [] : [{ name: key, request }];
  });
}

/** The request as a client of the newest revision would retry it, with its answers to the input requests. */
export function asRetry(request: JsonText, answer: JsonText, responses: ReadonlyMap<string, JsonText>): JsonText {
  const given = [...responses].map(([name, response]) => `${JSON.stringify(name)}:${response}`);
  const retried = spliceAt(request, ['params', 'inputResponses'], `{${given.join(',')}}`) ?? request;
  const state = sliceAt(answer, ['result', 'requestState']);
  return state === undefined ? retried : (spliceAt(retried, ['params', 'requestState'], state) ?? retried);
}

/** The recorded server's introduction: its capabilities, info and instructions as JSON text. */
export interface ClientIntroduction {
  readonly capabilities: JsonText;
  readonly serverInfo: JsonText;
  readonly instructions: JsonText | undefined;
  /** Whether the capabilities were inferred from the recorded methods. */
  readonly isGuessed: boolean;
}

/** The recorded server's introduction, from `initialize` or `server/discover`. */
export function introductionIn(exchanges: readonly RecordedExchange[], label: string): ClientIntroduction {
  const results = exchanges.map(({ replies }) => {
    const answer = replies.find(({ role }) => role === 'answer')?.message.text;
    return answer === undefined ? undefined : ObjectView.of(answer)?.object('result');
  });
  const named = results
    .map((result) => result?.object('_meta')?.textOf(SERVER_INFO))
    .find((info) => info !== undefined);
  const serverInfo = named ?? JSON.stringify({ name: label, version: '0.0.0' });
  for (const [index, { method }] of exchanges.entries()) {
    const result = results[index];
    const capabilities = result?.textOf('capabilities');
    if ((method !== 'initialize' && method !== 'server/discover') || capabilities === undefined) continue;
    const info = result?.textOf('serverInfo') ?? serverInfo;
    return { capabilities, serverInfo: info, instructions: result?.textOf('instructions'), isGuessed: false };
  }
  return { capabilities: guessedCapabilities(exchanges), serverInfo, instructions: undefined, isGuessed: true };
}

/** A generated response to `server/discover`. */
export function discovery(id: JsonText, { capabilities, serverInfo, instructions }: ClientIntroduction): JsonText {
  const sent = instructions === undefined ? '' : `,"instructions":${instructions}`;
  const result = `{"supportedVersions":["${FIRST_MODERN}"],"capabilities":${capabilities}${sent},"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":{"${SERVER_INFO}":${serverInfo}}}`;
  return answerText(id, 'result', result);
}

/** A generated response to `initialize`. */
export function welcome(request: JsonText, id: JsonText, introduction: ClientIntroduction): JsonText {
  const { capabilities, serverInfo, instructions } = introduction;
  const sent = instructions === undefined ? '' : `,"instructions":${instructions}`;
  const revision = JSON.stringify(requestedRevision(request) ?? LAST_WITH_HANDSHAKE);
  const result = `{"protocolVersion":${revision},"capabilities":${capabilities},"serverInfo":${serverInfo}${sent}}`;
  return answerText(id, 'result', result);
}

/** A recorded `initialize` response, with the client's revision if that is older. */
export function inRequestedRevision(answer: JsonText, request: JsonText): JsonText {
  const requested = requestedRevision(request);
  const agreed = ObjectView.of(answer)?.object('result')?.string('protocolVersion');
  if (requested === undefined || agreed === undefined || requested >= agreed) return answer;
  return spliceAt(answer, ['result', 'protocolVersion'], JSON.stringify(requested)) ?? answer;
}

function requestedRevision(request: JsonText): string | undefined {
  const requested = ObjectView.of(request)?.object('params')?.string('protocolVersion');
  return requested !== undefined && /^20\d\d-\d\d-\d\d$/.test(requested) && !isModernRevision(requested)
    ? requested
    : undefined;
}

/** The recorded methods show which capabilities the server has. */
function guessedCapabilities(exchanges: readonly RecordedExchange[]): JsonText {
  const has = (start: string): boolean => exchanges.some(({ method }) => method.startsWith(start));
  const capabilities = {
    ...(has('tools/') && { tools: {} }),
    ...(has('prompts/') && { prompts: {} }),
    ...(has('resources/') && { resources: {} }),
    ...(has('completion/') && { completions: {} }),
    ...(has('logging/') && { logging: {} }),
  };
  return JSON.stringify(capabilities);
}
