import { event } from '../contract/factories.ts';
import { ask, client, ended, exchange, handshake, list, modern, server, tool } from './dialogue.ts';
import type { Pairs } from './pair.ts';

const HEADERS = [
  ['MCP-Protocol-Version', '2026-07-28'],
  ['Mcp-Method', 'tools/call'],
  ['Mcp-Name', 'search'],
] as const;
const CALL = client({ id: 1, method: 'tools/call', params: modern({ name: 'search' }) });
const ANSWER = server({ id: 1, result: { content: [], resultType: 'complete' } });

/** Findings about revision 2026-07-28 and HTTP, each with sessions that show it and sessions that do not. */
export const httpPairs: Pairs<
  | 'metadata-missing'
  | 'server-request'
  | 'legacy-session'
  | 'header-mismatch'
  | 'http-error'
  | 'http-unauthorized'
  | 'redirected-elsewhere'
  | 'session-ended'
> = {
  'metadata-missing': {
    shows: [
      {
        title: 'a request among ones that name their revision',
        session: ended(ask(1, 'tools/list', modern(), { tools: [] }), ask(2, 'prompts/list', {}, { prompts: [] })),
        says: /sent prompts\/list without its protocol version/,
        at: [2],
      },
      {
        title: 'a request without capabilities',
        session: ended(
          ask(1, 'tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }, { tools: [] }),
        ),
        says: /sent tools\/list without the capabilities of the client/,
      },
      {
        title: 'a header that the body does not repeat',
        session: ended(exchange(0, { requestHeaders: HEADERS.slice(0, 1) }, ask(1, 'tools/list', {}, { tools: [] }))),
        says: /without its protocol version in _meta, though its header has 2026-07-28/,
      },
    ],
    hides: [
      {
        title: 'a request whose header and body name the revision',
        session: ended(exchange(0, { requestHeaders: HEADERS }, [CALL, ANSWER])),
      },
      {
        title: 'a notification, and a handshake with the newest header',
        session: ended(
          exchange(0, { requestHeaders: HEADERS.slice(0, 1) }, [client({ method: 'notifications/cancelled' })]),
          exchange(1, { requestHeaders: HEADERS.slice(0, 1) }, handshake({}, { conversation: 1 })),
        ),
      },
      {
        title: 'an older dialogue after a probe',
        session: ended(
          ask(1, 'server/discover', modern(), { supportedVersions: [] }),
          handshake(),
          ask(2, 'tools/list', {}, { tools: [] }),
        ),
      },
    ],
  },
  'server-request': {
    shows: [
      {
        title: 'a question on stdio',
        session: ended(
          client({ id: 1, method: 'tools/call', params: modern({ name: 'greet' }) }),
          server({ id: 0, method: 'elicitation/create', params: {} }),
          client({ id: 0, result: {} }),
          server({ id: 1, result: { content: [] } }),
        ),
        says: /server sent the request elicitation\/create/,
        at: [1],
      },
      {
        title: 'a question over HTTP',
        session: ended(
          exchange(0, { requestHeaders: HEADERS }, [CALL, server({ id: 0, method: 'roots/list' }), ANSWER]),
        ),
        says: /roots\/list/,
      },
    ],
    hides: [
      {
        title: 'a question to an older client, while a newer one calls',
        session: ended(
          exchange(0, { requestHeaders: HEADERS }, [CALL, ANSWER]),
          exchange(1, {}, [
            client({ id: 2, method: 'tools/call', params: { name: 'search' } }),
            server({ id: 0, method: 'roots/list' }),
          ]),
        ),
      },
      {
        title: 'a question after a handshake',
        session: ended(handshake(), server({ id: 0, method: 'roots/list' }), client({ id: 0, result: { roots: [] } })),
      },
    ],
  },
  'legacy-session': {
    shows: [
      {
        title: 'a session id of the server',
        session: ended(
          exchange(0, { requestHeaders: HEADERS, responseHeaders: [['Mcp-Session-Id', 'a']] }, [CALL, ANSWER]),
        ),
        says: /server returned an Mcp-Session-Id/,
      },
      {
        title: 'a session id of the client',
        session: ended(exchange(0, { requestHeaders: [...HEADERS, ['mcp-session-id', 'a']] }, [CALL, ANSWER])),
        says: /client sent an Mcp-Session-Id/,
      },
    ],
    hides: [
      {
        title: 'no session id',
        session: ended(exchange(0, { requestHeaders: HEADERS }, [CALL, ANSWER])),
      },
      {
        title: 'a session id where there are sessions',
        session: ended(exchange(0, { responseHeaders: [['Mcp-Session-Id', 'a']] }, handshake({}, { conversation: 1 }))),
      },
    ],
  },
  'header-mismatch': {
    shows: [
      {
        title: 'another name',
        session: ended(
          exchange(0, { requestHeaders: [...HEADERS.slice(0, 2), ['Mcp-Name', 'delete']] }, [CALL, ANSWER]),
        ),
        says: /^The client’s header Mcp-Name is "delete", but the body has "search"\. Send the value of the body\.$/,
        at: [0],
      },
      {
        title: 'no name',
        session: ended(exchange(0, { requestHeaders: HEADERS.slice(0, 2) }, [CALL, ANSWER])),
        says: /^The client’s header Mcp-Name is missing; the body has "search"\. Send the value of the body\.$/,
      },
      {
        title: 'another argument than the header repeats',
        session: ended(
          list(
            7,
            tool('search', { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } }),
          ),
          exchange(0, { requestHeaders: [...HEADERS, ['Mcp-Param-Region', 'us']] }, [
            client({ id: 1, method: 'tools/call', params: modern({ name: 'search', arguments: { region: 'eu' } }) }),
            ANSWER,
          ]),
        ),
        says: /^The client’s header Mcp-Param-Region is "us"/,
      },
    ],
    hides: [
      {
        title: 'headers that repeat the body',
        session: ended(exchange(0, { requestHeaders: HEADERS }, [CALL, ANSWER])),
      },
      {
        title: 'a body that mcpreel changed',
        session: ended(
          exchange(0, { requestHeaders: HEADERS }, [
            client(
              { id: 1, method: 'tools/call', params: modern({ name: 'find' }) },
              { modified: true, original: CALL.text },
            ),
            ANSWER,
          ]),
        ),
      },
      {
        title: 'headers of another case, encoded without need',
        session: ended(
          exchange(0, { requestHeaders: [...HEADERS.slice(0, 2), ['mcp-name', '=?base64?c2VhcmNo?=']] }, [
            CALL,
            ANSWER,
          ]),
        ),
      },
      {
        title: 'a header that was redacted',
        session: ended(
          exchange(0, { requestHeaders: [...HEADERS.slice(0, 2), ['Mcp-Name', '[REDACTED:jwt:00000000]']] }, [
            CALL,
            ANSWER,
          ]),
        ),
      },
      {
        title: 'a body that was redacted',
        session: ended(
          exchange(0, { requestHeaders: HEADERS }, [
            client({ id: 1, method: 'tools/call', params: modern({ name: '[REDACTED:jwt:00000000]' }) }),
            ANSWER,
          ]),
        ),
      },
      {
        title: 'a notification, and a batch, for which there are no headers',
        session: ended(
          exchange(0, {}, [client({ method: 'notifications/cancelled', params: modern() })]),
          exchange(1, { requestHeaders: HEADERS }, [CALL, client({ id: 2, method: 'ping', params: modern() })]),
          exchange(2, { requestHeaders: HEADERS.slice(0, 1) }, [CALL, { ...CALL, sequence: 1 }]),
        ),
      },
      {
        title: 'an older request without them',
        session: ended(exchange(0, {}, handshake({}, { conversation: 1 }))),
      },
    ],
  },
  'http-error': {
    shows: [
      {
        title: 'a server that fails',
        session: ended(exchange(0, { status: 500 }, [client({ id: 1, method: 'tools/list', params: modern() })])),
        says: /^POST "\/mcp" got HTTP 500 without a JSON-RPC message\. Check the server’s log\.$/,
        at: [0],
      },
      {
        title: 'a server that is not there',
        session: ended(
          exchange(0, { status: 502, answeredBy: 'mcpreel', error: 'no response from x: it refused the connection' }),
        ),
        says: /no response from x/,
      },
      {
        title: 'a target that a bridge cannot reach',
        session: ended(
          event({
            event: 'http.exchange',
            raw: '{"exchange":0,"side":"target","method":"POST","path":"/mcp","status":null,"error":"no response from x"}',
          }),
        ),
        says: /^POST "\/mcp" to the target failed: no response from x\.$/,
      },
      {
        title: 'an answer that broke off',
        session: ended(exchange(0, { method: 'GET', error: 'the server broke off' })),
        says: /^GET "\/mcp" failed: the server broke off\.$/,
      },
    ],
    hides: [
      {
        title: 'what servers need not have',
        session: ended(
          exchange(0, { method: 'GET', status: 405 }),
          exchange(1, { method: 'DELETE', status: 405 }),
          exchange(2, { method: 'GET', path: '/.well-known/oauth-protected-resource', status: 404 }),
        ),
      },
      {
        title: 'what a bridge met on its other side',
        session: ended(exchange(0, { status: 500, side: 'target' })),
      },
      {
        title: 'an answer of a rule or a person',
        session: ended(
          exchange(0, { status: 200, answeredBy: 'mcpreel' }, [
            { ...client({ id: 1, method: 'ping' }), dropped: true },
            { ...server({ id: 1, result: {} }), injected: true },
          ]),
          exchange(1, { status: 202, answeredBy: 'mcpreel' }, [client({ method: 'notifications/x' })]),
        ),
      },
      { title: 'a client that left', session: ended(exchange(0, { method: 'GET', error: 'the client left' })) },
      { title: 'what a bridge cut off', session: ended(exchange(0, { error: 'mcpreel closed the connection' })) },
      {
        title: 'an error in JSON-RPC',
        session: ended(
          exchange(0, { status: 404, requestHeaders: [HEADERS[0], ['Mcp-Method', 'x']] }, [
            client({ id: 1, method: 'x', params: modern() }),
            server({ id: 1, error: { code: -32601, message: 'Method not found' } }),
          ]),
        ),
      },
      {
        title: 'a probe that an older server refuses',
        session: ended(exchange(0, { status: 400 }, [client({ id: 1, method: 'server/discover', params: modern() })])),
      },
    ],
  },
  'http-unauthorized': {
    shows: [
      {
        title: 'a 401',
        session: ended(exchange(0, { status: 401 }, [client({ id: 0, method: 'initialize', params: {} })])),
        says: /^POST "\/mcp" got HTTP 401: the client is not authorized\. Log in with the client, or pass credentials with --header\.$/,
      },
    ],
    hides: [{ title: 'a 403', session: ended(exchange(0, { status: 403 })) }],
  },
  'redirected-elsewhere': {
    shows: [
      {
        title: 'a request that the server redirected to another origin',
        session: ended(exchange(0, { status: 307, redirectsTo: 'https://elsewhere.example' })),
        says: /^POST "\/mcp" was redirected to "https:\/\/elsewhere\.example"\. Use the final URL: credentials are not sent to another origin\.$/,
      },
      {
        title: 'a request of a bridge',
        session: ended(exchange(0, { status: 307, side: 'target', redirectsTo: 'https://elsewhere.example' })),
        says: /redirected to "https:\/\/elsewhere\.example"/,
      },
      {
        title: 'a stream',
        session: ended(
          exchange(0, {
            method: 'GET',
            status: 302,
            requestHeaders: [['Accept', 'text/event-stream']],
            redirectsTo: 'https://elsewhere.example',
          }),
        ),
        says: /^GET "\/mcp" was redirected/,
      },
    ],
    hides: [
      { title: 'a redirect within the target', session: ended(exchange(0, { status: 307 }), exchange(1, {})) },
      {
        title: 'a login page that sends the browser back',
        session: ended(exchange(0, { method: 'GET', status: 302, redirectsTo: 'http://127.0.0.1:3334' })),
      },
    ],
  },
  'session-ended': {
    shows: [
      {
        title: 'a request after the end',
        session: ended(
          exchange(0, { method: 'DELETE', requestHeaders: [['Mcp-Session-Id', 'a']] }),
          exchange(1, { requestHeaders: [['mcp-session-id', 'a']] }, ask(1, 'ping', {}, {})),
        ),
        says: /client sent a POST in an HTTP session that it had deleted/,
        at: [0],
      },
    ],
    hides: [
      {
        title: 'a stream that ends with its session',
        session: ended(
          exchange(1, { method: 'DELETE', requestHeaders: [['Mcp-Session-Id', 'a']] }),
          exchange(0, { method: 'GET', requestHeaders: [['Mcp-Session-Id', 'a']] }),
        ),
      },
      {
        title: 'a session id that the server gives out again',
        session: ended(
          exchange(0, { method: 'DELETE', requestHeaders: [['Mcp-Session-Id', 'a']] }),
          exchange(1, { responseHeaders: [['mcp-session-id', 'a']] }, handshake()),
          exchange(2, { requestHeaders: [['Mcp-Session-Id', 'a']] }, ask(1, 'ping', {}, {})),
        ),
      },
      {
        title: 'requests of a session that nobody ended',
        session: ended(
          [0, 1].flatMap((n) => exchange(n, { requestHeaders: [['Mcp-Session-Id', 'a']] }, ask(n, 'ping', {}, {}))),
        ),
      },
      {
        title: 'an end that the server never heard of',
        session: ended(
          exchange(0, { method: 'DELETE', status: null, error: 'x', requestHeaders: [['Mcp-Session-Id', 'a']] }),
          exchange(1, { requestHeaders: [['Mcp-Session-Id', 'a']] }, ask(1, 'ping', {}, {})),
        ),
      },
      {
        title: 'requests without a session',
        session: ended(exchange(0, { method: 'DELETE' }), exchange(1, {}, ask(1, 'ping', {}, {}))),
      },
      {
        title: 'a session that the server keeps',
        session: ended(
          exchange(0, { method: 'DELETE', status: 405, requestHeaders: [['Mcp-Session-Id', 'a']] }),
          exchange(1, { requestHeaders: [['Mcp-Session-Id', 'a']] }, ask(1, 'ping', {}, {})),
        ),
      },
    ],
  },
};
