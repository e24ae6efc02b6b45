import { ask, call, client, ended, exchange, gap, handshake, modern, running, server } from './dialogue.ts';
import type { Pairs } from './pair.ts';

const HEADERS = [
  ['MCP-Protocol-Version', '2026-07-28'],
  ['Mcp-Method', 'tools/call'],
  ['Mcp-Name', 'search'],
] as const;
const CALL = client({ id: 1, method: 'tools/call', params: modern({ name: 'search' }) });

/** Findings about how calls end and about message order, each with sessions that show it and sessions that do not. */
export const callPairs: Pairs<
  | 'hung-call'
  | 'open-call'
  | 'late-result'
  | 'call-failed'
  | 'tool-failed'
  | 'early-message'
  | 'second-initialize'
  | 'initialized-missing'
  | 'handshake-missing'
  | 'capability-missing'
> = {
  'hung-call': {
    shows: [
      {
        title: 'a call without an answer',
        session: ended(handshake(), client({ id: 1, method: 'tools/call', params: { name: 'slow' } })),
        says: /^The server never responded to tools\/call slow\. Check its log\.$/,
        at: [3],
      },
      {
        title: 'a question to the client without an answer',
        session: ended(handshake(), server({ id: 1, method: 'roots/list' })),
        says: /^The client never responded to roots\/list/,
      },
      {
        title: 'a call over HTTP whose client still waited when the session ended',
        session: ended(
          exchange(0, {}, handshake({}, { conversation: 1 })),
          exchange(1, { status: null, error: 'mcpreel was ended' }, [
            client({ id: 1, method: 'tools/call', params: { name: 'slow' } }, { conversation: 1 }),
          ]),
        ),
        says: /^The server never responded to tools\/call slow\./,
      },
      {
        title: 'an initialize over HTTP whose client gave up waiting',
        session: ended(exchange(0, { status: null, error: 'the client left' }, handshake().slice(0, 1))),
        says: /^The server never responded to initialize/,
      },
      {
        title: 'an HTTP exchange without a response for which no reason is given',
        session: ended(handshake(), exchange(0, { status: null }, [client({ id: 1, method: 'ping' })])),
        says: /^The server never responded to ping/,
      },
    ],
    hides: [
      { title: 'a recording that breaks off', session: running(handshake(), client({ id: 1, method: 'ping' })) },
      {
        title: 'a cancelled call',
        session: ended(
          handshake(),
          client({ id: 1, method: 'ping' }),
          client({ method: 'notifications/cancelled', params: { requestId: 1 } }),
        ),
      },
      {
        title: 'a subscription',
        session: ended(client({ id: 1, method: 'subscriptions/listen', params: modern() })),
      },
      { title: 'a probe', session: ended(client({ id: 1, method: 'server/discover', params: modern() })) },
      {
        title: 'a request that HTTP refused',
        session: ended(exchange(0, { status: 503 }, [client({ id: 1, method: 'server/discover', params: modern() })])),
      },
      {
        title: 'a request whose client left',
        session: ended(exchange(0, { requestHeaders: HEADERS, error: 'the client left' }, [CALL])),
      },
      {
        title: 'an answer that is in a gap',
        session: ended(handshake(), client({ id: 1, method: 'ping' }), gap('full')),
      },
      {
        title: 'a request that was dropped on its way',
        session: ended(handshake(), client({ id: 1, method: 'ping' }, { dropped: true })),
      },
      {
        title: 'a request that mcpreel made',
        session: ended(handshake(), client({ id: 1, method: 'ping' }, { injected: true })),
      },
      {
        title: 'a call that needed input, and was given up',
        session: ended(
          ask(1, 'tools/call', modern({ name: 'greet' }, { elicitation: {} }), {
            resultType: 'input_required',
            inputRequests: { who: { method: 'elicitation/create', params: {} } },
          }),
        ),
      },
    ],
  },
  'open-call': {
    shows: [
      {
        title: 'a call that is open where the recording breaks off',
        session: running(handshake(), client({ id: 1, method: 'tools/call', params: { name: 'slow' } })),
        says: /^The server had not responded to tools\/call slow when the recording ended\.$/,
        at: [3],
      },
      {
        title: 'a retry that is open',
        session: running(
          ask(1, 'tools/call', modern({ name: 'greet' }, { elicitation: {} }), {
            resultType: 'input_required',
            requestState: 's',
          }),
          client({ id: 2, method: 'tools/call', params: { ...modern({ name: 'greet' }), requestState: 's' } }),
        ),
        says: /^The server had not responded to tools\/call greet/,
        at: [0, 2],
      },
    ],
    hides: [
      { title: 'a session that came to its end', session: ended(handshake(), client({ id: 1, method: 'ping' })) },
      { title: 'a recording in which all is answered', session: running(handshake(), ask(1, 'ping', {}, {})) },
      {
        title: 'a subscription',
        session: running(client({ id: 1, method: 'subscriptions/listen', params: modern() })),
      },
      { title: 'an answer that is in a gap', session: running(client({ id: 1, method: 'ping' }), gap('full')) },
    ],
  },
  'late-result': {
    shows: [
      {
        title: 'an answer to a cancelled call',
        session: ended(
          handshake(),
          client({ id: 1, method: 'tools/call', params: { name: 'slow' } }),
          client({ method: 'notifications/cancelled', params: { requestId: 1 } }),
          server({ id: 1, result: { content: [] } }),
        ),
        says: /^The server responded to tools\/call slow after it was cancelled/,
        at: [3, 4, 5],
      },
    ],
    hides: [
      {
        title: 'a cancellation that came after the answer',
        session: ended(
          handshake(),
          ask(1, 'ping', {}, {}),
          client({ method: 'notifications/cancelled', params: { requestId: 1 } }),
        ),
      },
    ],
  },
  'call-failed': {
    shows: [
      {
        title: 'an error',
        session: ended(
          handshake(),
          client({ id: 1, method: 'tools/call', params: { name: 'x' } }),
          server({ id: 1, error: { code: -32602, message: 'No such tool' } }),
        ),
        says: /^tools\/call x failed: the response is error -32602: "No such tool"\.$/,
        at: [3, 4],
      },
      {
        title: 'an error that is a string',
        session: ended(
          handshake(),
          client({ id: 1, method: 'tools/call', params: { name: 'x' } }),
          server({ id: 1, error: 'No such tool' }),
        ),
        says: /^tools\/call x failed: the response is an error without code and message\.$/,
        at: [3, 4],
      },
    ],
    hides: [
      {
        title: 'a probe that an older server refuses',
        session: ended(
          client({ id: 'p', method: 'server/discover', params: modern() }),
          server({ id: 'p', error: { code: -32601, message: 'Method not found' } }),
          handshake(),
        ),
      },
    ],
  },
  'tool-failed': {
    shows: [
      {
        title: 'a result that is an error',
        session: ended(
          handshake(),
          call(1, 'read', {}, { isError: true, content: [{ type: 'text', text: 'No such file' }] }),
        ),
        says: /^tools\/call read failed: "No such file"\.$/,
      },
    ],
    hides: [{ title: 'a result that is none', session: ended(handshake(), call(1, 'read', {}, { isError: false })) }],
  },
  'early-message': {
    shows: [
      {
        title: 'a request before initialize',
        session: ended(ask(5, 'tools/list', {}, { tools: [] }), handshake()),
        says: /client sent tools\/list before initialize\./,
        at: [0],
      },
      {
        title: 'a request before initialize is answered',
        session: ended(
          client({ id: 0, method: 'initialize', params: {} }),
          client({ id: 1, method: 'tools/list' }),
          server({ id: 0, result: {} }),
          server({ id: 1, result: { tools: [] } }),
          client({ method: 'notifications/initialized' }),
        ),
        says: /client sent tools\/list before the response to initialize/,
        at: [1],
      },
      {
        title: 'a question before the client is ready',
        session: ended(
          ask(0, 'initialize', {}, {}),
          server({ id: 0, method: 'roots/list' }),
          client({ method: 'notifications/initialized' }),
          client({ id: 0, result: { roots: [] } }),
        ),
        says: /server sent roots\/list before notifications\/initialized/,
      },
    ],
    hides: [
      {
        title: 'pings and log messages at any time',
        session: ended(
          ask(9, 'ping', {}, {}),
          client({ id: 0, method: 'initialize', params: {} }),
          server({ method: 'notifications/message', params: { level: 'info', data: 'hello' } }),
          server({ id: 0, method: 'ping' }),
          client({ id: 0, result: {} }),
          server({ id: 0, result: {} }),
          client({ method: 'notifications/initialized' }),
        ),
      },
      {
        title: 'a probe',
        session: ended(ask(1, 'server/discover', modern(), { supportedVersions: [] }), handshake()),
      },
      {
        title: 'a question after the handshake',
        session: ended(handshake(), server({ id: 0, method: 'roots/list' }), client({ id: 0, result: { roots: [] } })),
      },
      {
        title: 'a question where nobody saw the handshake',
        session: ended(server({ id: 0, method: 'roots/list' }), client({ id: 0, result: { roots: [] } })),
      },
      {
        title: 'a question to a client that went on without saying that it is ready',
        session: ended(
          handshake().slice(0, 2),
          client({ id: 1, method: 'tools/call', params: { name: 'x' } }),
          server({ id: 0, method: 'roots/list' }),
          client({ id: 0, result: { roots: [] } }),
          server({ id: 1, result: { content: [] } }),
        ),
      },
      {
        title: 'another client that shakes hands',
        session: ended(
          handshake({}, { conversation: 1 }),
          client({ id: 0, method: 'initialize', params: {} }, { conversation: 2 }),
          ask(1, 'ping', {}, {}, { conversation: 1 }),
          ask(2, 'tools/list', {}, { tools: [] }, { conversation: 1 }),
          server({ id: 0, result: {} }, { conversation: 2 }),
        ),
      },
    ],
  },
  'second-initialize': {
    shows: [
      {
        title: 'two handshakes',
        session: ended(handshake(), ask(1, 'initialize', {}, {})),
        says: /sent initialize a second time/,
        at: [3],
      },
    ],
    hides: [
      {
        title: 'two connections to a server without sessions',
        session: ended(exchange(1, {}, handshake()), exchange(2, {}, handshake())),
      },
      {
        title: 'a second try after an error',
        session: ended(
          client({ id: 5, method: 'initialize', params: {} }),
          server({ id: 5, error: { code: -32602, message: 'Unsupported protocol version' } }),
          handshake(),
        ),
      },
    ],
  },
  'initialized-missing': {
    shows: [
      {
        title: 'a request right after the answer',
        session: ended(handshake().slice(0, 2), ask(1, 'tools/list', {}, { tools: [] }), ask(2, 'ping', {}, {})),
        says: /sent tools\/list without notifications\/initialized/,
        at: [2],
      },
    ],
    hides: [
      { title: 'a client that leaves at once', session: ended(handshake().slice(0, 2)) },
      { title: 'a client that is ready', session: ended(handshake(), ask(1, 'tools/list', {}, { tools: [] })) },
    ],
  },
  'handshake-missing': {
    shows: [
      {
        title: 'requests and nothing else',
        session: ended(ask(1, 'tools/list', {}, { tools: [] }), ask(2, 'tools/list', {}, { tools: [] })),
        says: /sent tools\/list without a handshake/,
        at: [0, 2],
      },
      {
        title: 'requests over HTTP and nothing else',
        session: ended(exchange(0, {}, ask(1, 'tools/list', {}, { tools: [] }))),
        says: /sent tools\/list without a handshake/,
      },
    ],
    hides: [
      {
        title: 'clients whose server has no sessions',
        session: ended(
          exchange(0, {}, handshake({}, { conversation: 1 }).slice(0, 2)),
          exchange(1, {}, handshake({}, { conversation: 2 }).slice(0, 2)),
          exchange(2, {}, ask(1, 'tools/list', {}, { tools: [] })),
        ),
      },
      { title: 'requests that name their revision', session: ended(ask(1, 'tools/list', modern(), { tools: [] })) },
      { title: 'a ping', session: ended(ask(1, 'ping', {}, {})) },
    ],
  },
  'capability-missing': {
    shows: [
      {
        title: 'prompts of a server that has none',
        session: ended(
          handshake({ server: { tools: {} } }),
          ask(1, 'prompts/list', {}, { prompts: [] }),
          ask(2, 'prompts/list', {}, { prompts: [] }),
        ),
        says: /client sent prompts\/list, but the server did not declare the capability prompts/,
        at: [3],
      },
      {
        title: 'a subscription where resources have none',
        session: ended(handshake(), ask(1, 'resources/subscribe', { uri: 'x:y' }, {})),
        says: /resources\.subscribe/,
      },
      {
        title: 'a question to a client that cannot be asked',
        session: ended(
          handshake({ client: {} }),
          server({ id: 0, method: 'roots/list' }),
          client({ id: 0, result: {} }),
        ),
        says: /server sent roots\/list, but the client did not declare the capability roots/,
      },
      {
        title: 'log messages of a server that has none',
        session: ended(handshake({ server: {} }), server({ method: 'notifications/message', params: {} })),
        says: /server sent notifications\/message, but it did not declare the capability logging/,
      },
      {
        title: 'input that the request did not offer',
        session: ended(
          ask(1, 'tools/call', modern({ name: 'greet' }), {
            resultType: 'input_required',
            inputRequests: { who: { method: 'elicitation/create', params: {} } },
          }),
        ),
        says: /asked for elicitation\/create, but the request did not declare the client capability elicitation/,
      },
    ],
    hides: [
      {
        title: 'what both announced',
        session: ended(
          handshake(),
          ask(1, 'prompts/list', {}, { prompts: [] }),
          server({ id: 0, method: 'roots/list' }),
          client({ id: 0, result: { roots: [] } }),
          server({ method: 'notifications/message', params: {} }),
        ),
      },
      {
        title: 'input that the request offered',
        session: ended(
          ask(1, 'tools/call', modern({ name: 'greet' }, { elicitation: {} }), {
            resultType: 'input_required',
            inputRequests: { who: { method: 'elicitation/create', params: {} } },
          }),
        ),
      },
      { title: 'a session whose beginning nobody saw', session: ended(ask(1, 'prompts/list', {}, { prompts: [] })) },
      {
        title: 'completions before they had a capability',
        session: ended(handshake({ revision: '2024-11-05' }), ask(1, 'completion/complete', {}, {})),
      },
    ],
  },
};
