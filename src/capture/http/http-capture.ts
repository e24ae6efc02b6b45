import { HttpRelay } from '../../proxy/http/http-relay.ts';
import { responseRewriter } from '../../proxy/http/response-rewrite.ts';
import { DEFAULT_MAX_MESSAGE_BYTES } from '../../transport/bounded-lines.ts';
import { BodyBudget } from '../../transport/http/body-budget.ts';
import { openListener } from '../../transport/http/http-listener.ts';
import { HttpTarget } from '../../transport/http/http-target.ts';
import { endsWithin } from '../../transport/time-limit.ts';
import type { HttpCaptureOptions, ListenerDeps } from '../capture-options.ts';
import { LiveSession } from '../live-session.ts';
import { reportOutOfFiles } from '../out-of-files.ts';
import { headerFor } from '../session-header.ts';
import { redactionOf } from '../session-redactor.ts';
import { HttpInjection } from './http-injection.ts';
import { HttpRecorder } from './http-recorder.ts';

/** How long to wait until exchanges that are cut off at the end are over. */
const LAST_EXCHANGES_MS = 500;

/** How long the bodies that have arrived may take to be decoded. On a busy machine, even small ones take a while. */
const LAST_DECODING_MS = 5000;

/** How long the target has to answer messages that were held until the end. */
const LAST_ANSWERS_MS = 1000;

/** Listens for HTTP clients, relays their requests to the target, and records the traffic until a signal ends it. */
export async function captureHttp(options: HttpCaptureOptions, deps: ListenerDeps): Promise<number> {
  const { target: choice, listen } = options;
  const onError = reportOutOfFiles(deps.note);
  const target = new HttpTarget({ ...choice, onError });
  const tokens = listen.token ? [listen.token] : [];
  const { redactor } = await redactionOf(options, { given: choice.headers, tokens }, deps);
  let relay: HttpRelay | undefined;
  const listener = await openListener({
    ...listen,
    targetPath: choice.url.pathname,
    onError,
    passesContinue: true,
    onRequest: (request, response, path) => relay?.carry(request, response, path),
  });
  target.refuseOwnPort(listener.port, listener.address);
  const url = listener.origin + choice.url.pathname + choice.url.search;
  const facts = { transport: choice.transport, command: [choice.url.href], url: choice.url.href, listen: url };
  let session: LiveSession;
  try {
    session = new LiveSession(headerFor(facts, options, deps), options, deps, redactor);
  } catch (error) {
    await listener.close();
    throw error;
  }
  session.endOnSignals(true);
  let isEnding = false;
  const { interception } = session;
  const maxMessageBytes = options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES;
  const recorder = new HttpRecorder({
    session,
    maxMessageBytes,
    streamsAreConversations: choice.transport === 'sse',
    nowMs: deps.nowMs,
  });
  session.afterTraffic = (then) => recorder.idleQueue.afterAll(then);
  relay = new HttpRelay({
    target,
    addedHeaders: choice.headers,
    keepsHost: choice.keepsHost ?? false,
    nowMs: deps.nowMs,
    idleQueue: recorder.idleQueue,
    isEnding: () => isEnding,
    bodies: new BodyBudget(deps.note, listen.maxWaitingBytes),
    begin: (head, isOurs) => recorder.begin(head, isOurs),
    holding: {
      interceptor: interception.interceptor,
      outOfOrder: interception.outOfOrder,
      maxMessageBytes,
      tools: recorder.tools,
      answersOnStream: choice.transport === 'sse',
      say: (direction, text, conversation) => injection.answer(direction, text, conversation),
    },
    rewriter: responseRewriter({
      target: choice.url,
      hasEndpoints: choice.transport === 'sse',
      keepsOauth: choice.keepsOauth ?? false,
    }),
  });
  const injection = new HttpInjection(relay, recorder.heads);
  interception.injector = (direction, text, conversation) => {
    // Queued traffic may determine which client is connected.
    recorder.idleQueue.finish();
    injection.inject(direction, text, conversation);
  };
  deps.onListening(url);

  await session.ended;
  // Held messages are forwarded to the target before their client is disconnected.
  await endsWithin(relay.released(), LAST_ANSWERS_MS);
  isEnding = true;
  relay.close();
  await listener.close();
  // Open exchanges end because the client side closes. If the target closed first, the recording would be wrong.
  await endsWithin(recorder.exchangesOver(), LAST_EXCHANGES_MS);
  await endsWithin(recorder.decoded(), LAST_DECODING_MS);
  recorder.hurry();
  target.close();
  return session.close();
}
