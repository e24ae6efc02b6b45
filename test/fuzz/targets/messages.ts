import { validateHeaderValue } from 'node:http';
import { parseChallenges } from '../../../src/protocol/auth-challenge.ts';
import { idKey, peekAt, peekAtRpc, readEnvelope, scanEnvelope } from '../../../src/protocol/envelope.ts';
import { idAt, withIdAt } from '../../../src/protocol/id-splice.ts';
import { jsonRpcFault } from '../../../src/protocol/json-rpc-fault.ts';
import { modernHeaders, ToolHeaders } from '../../../src/protocol/modern-headers.ts';
import { objectsOf, rpcFramesOf, textsOf } from '../../../src/protocol/rpc-body.ts';
import { draftAnswer, readAnswer, sentText } from '../../../src/protocol/written-message.ts';
import { corpusSeeds, textSeeds } from '../seeds.ts';
import { hold, same, type Target } from '../target.ts';

const META = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":7}';

const seeds = (): Uint8Array[] => [
  ...corpusSeeds('jsonrpc', 'import').flatMap((file) => textSeeds(...new TextDecoder().decode(file).split('\n'))),
  ...textSeeds(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"x":1,"y":"é"},${META}}}`,
    '{"jsonrpc":"2.0","id":"1","result":{"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"x":{"type":"string","x-mcp-header":"X"}}}}]}}',
    '{"jsonrpc":"2.0","id":12345678901234567890,"error":{"code":-32000,"message":"no"}}',
    '[{"jsonrpc":"2.0","id":1.0,"method":"a"},{"jsonrpc":"2.0","id":1e0,"result":null}]',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"x"}}',
    'Bearer realm="a", resource_metadata="https://t/x", Basic abc=, DPoP algs="ES256"',
  ),
];

/** Fuzzes every function that reads the text of a message. */
export const messageTargets: readonly Target[] = [{ name: 'message', perSecond: 6000, seeds, check: checkMessage }];

const PLACES = [
  'id',
  'wantedProgress',
  'reportedProgress',
  'cancelled',
  'notifiedSubscription',
  'answeredSubscription',
] as const;

function checkMessage(input: Uint8Array): void {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(input);
  const message = objectIn(text);
  const peek = peekAt(text);
  same(peek !== undefined, message !== undefined, 'a message is a JSON object');
  same(peekAtRpc(text) !== undefined, message !== undefined && Object.hasOwn(message, 'jsonrpc'), 'and says jsonrpc');
  same(
    scanEnvelope(text, Math.max(0, text.search(/[^ \t\r\n]/))).saysRpc || message === undefined,
    message === undefined || Object.hasOwn(message, 'jsonrpc'),
    'a scan sees jsonrpc',
  );
  const frame = objectsOf(text);
  if (frame !== undefined)
    hold(
      textsOf(frame).some((part) => objectIn(part) !== undefined),
      'a frame has an object',
    );
  const rpc = rpcFramesOf(text);
  if (rpc !== undefined)
    hold(
      textsOf(rpc).some(saysRpc) && textsOf(rpc).every((part) => saysRpc(part) || objectIn(part) === undefined),
      'every object of a frame says jsonrpc, and there is one',
    );
  checkHeaders(text);
  parseChallenges(text);
  if (message !== undefined) checkEnvelope(text, message, peek);
}

function checkEnvelope(
  text: string,
  message: Readonly<Record<string, unknown>>,
  peek: ReturnType<typeof peekAt>,
): void {
  const { kind, id, method } = readEnvelope(text);
  same(peek, { kind, key: id === undefined ? undefined : idKey(id) }, 'a glance sees what the envelope says');
  same(method, typeof message.method === 'string' ? message.method : undefined, 'the method is the one that is parsed');
  const hasId = typeof message.id === 'string' || typeof message.id === 'number';
  same(
    id === undefined ? undefined : JSON.parse(id),
    hasId ? message.id : undefined,
    'the id is the one that is parsed',
  );
  const fault = jsonRpcFault(text);
  if (fault === undefined) hold(kind !== 'invalid', 'what is JSON-RPC to the letter has a kind', () => kind);
  for (const place of PLACES) {
    const own = idAt(text, place);
    const changed = withIdAt(text, place, '"other"');
    if (own === undefined) same(changed, text, 'without an id nothing changes');
    else {
      same(idAt(changed, place), '"other"', 'an id that was put in stands there');
      same(withIdAt(changed, place, own), text, 'an id that was put back leaves the text as it was');
    }
  }
  const draft = draftAnswer(text);
  if (draft !== undefined)
    hold(readAnswer(draft) !== undefined || kind === 'response', 'a draft is an answer', () => draft);
  hold(!/[\r\n]/.test(sentText(text)), 'a message that is sent is one line', () => sentText(text));
}

function checkHeaders(text: string): void {
  const tools = new ToolHeaders();
  tools.learn(text);
  for (const [name, value] of modernHeaders(text, (tool) => [...tools.headersFor(tool), { name: 'X', path: ['x'] }])) {
    validateHeaderValue(name, value);
  }
}

function saysRpc(text: string): boolean {
  return Object.hasOwn(objectIn(text) ?? {}, 'jsonrpc');
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
