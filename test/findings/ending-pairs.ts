import type { RecordedSession, SessionFooter } from '../../src/model/session.ts';
import { event, footer } from '../contract/factories.ts';
import { ask, call, client, ended, exchange, gap, handshake, modern, running, server } from './dialogue.ts';
import type { Pairs } from './pair.ts';

const stderr = (text: string): ReturnType<typeof event> =>
  event({ event: 'stdio.stderr', raw: JSON.stringify({ text }) });
const signal = (name: string): ReturnType<typeof event> =>
  event({ event: 'mcpreel.action', raw: JSON.stringify({ action: 'signal', signal: name }) });
const signalled = signal('SIGTERM');
const notStarted = (error: string): ReturnType<typeof event> =>
  event({ event: 'mcpreel.action', raw: JSON.stringify({ action: 'exit', error }) });
const initialize = client({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {} } });
const openCall = client({ id: 1, method: 'tools/call', params: { name: 'search' } });

const NODE_CRASH = [
  'undefined:1',
  'not json',
  ' ^',
  "SyntaxError: Unexpected token 'o'",
  '    at JSON.parse (<anonymous>)',
  '    at Object.<anonymous> (/srv/server.js:3:6) {',
  "  code: 'ERR_X',",
  '}',
  'Node.js v20.20.2',
];
const PYTHON_CRASH = [
  'Traceback (most recent call last):',
  '  File "server.py", line 1, in <module>',
  'pkg.ConfigError: no token',
];

function exited(session: RecordedSession, parts: Partial<SessionFooter>): RecordedSession {
  return { ...session, footer: footer(parts) };
}

const cancelled = (reason: string): ReturnType<typeof client> =>
  client({ method: 'notifications/cancelled', params: { requestId: 1, reason } });

/** Findings about how sessions and calls end, each with sessions that show it and sessions that do not. */
export const endingPairs: Pairs<'call-timed-out' | 'server-exited' | 'empty-session'> = {
  'server-exited': {
    shows: [
      {
        title: 'a server that exits before it answers initialize, with its last lines on stderr',
        session: exited(ended(stderr('a'), initialize, stderr('b'), stderr('Error: no key'), stderr('  at x.js')), {
          exitCode: 1,
        }),
        says: /^The server exited with 1 before answering initialize\. On stderr: "Error: no key"\.$/,
        at: [0],
      },
      {
        title: 'the line that says why Node crashed, and not the stack after it',
        session: exited(ended(initialize, ...NODE_CRASH.map(stderr)), { exitCode: 1 }),
        says: /initialize\. On stderr: "SyntaxError: Unexpected token 'o'"\.$/,
      },
      {
        title: 'the line that says why Python crashed',
        session: exited(ended(initialize, ...PYTHON_CRASH.map(stderr)), { exitCode: 1 }),
        says: /On stderr: "pkg\.ConfigError: no token"\.$/,
      },
      {
        title: 'the last lines if none of them is an error',
        session: exited(ended(initialize, ...['a', 'b', 'c', 'usage: x', '    at y (z.js:1:2)'].map(stderr)), {
          exitCode: 2,
        }),
        says: /On stderr: "b", "c", "usage: x"\.$/,
      },
      {
        title: 'how many calls were open',
        session: exited(ended(handshake(), openCall, client({ id: 2, method: 'tools/list' })), { exitCode: 2 }),
        says: /before answering tools\/call search and 1 more\.$/,
        at: [3, 4],
      },
      {
        title: 'an exit without an error before initialize is answered',
        session: exited(ended(initialize), { exitCode: 0 }),
        says: /exited with 0 before answering initialize/,
      },
      {
        title: 'a crash during a call',
        session: exited(ended(handshake(), openCall), { exitCode: 2 }),
        says: /exited with 2 before answering tools\/call search/,
        at: [3],
      },
      {
        title: 'a signal during a call',
        session: exited(ended(handshake(), openCall), { exitCode: 137, signal: 'SIGKILL' }),
        says: /was killed by SIGKILL before answering tools\/call search/,
      },
      {
        title: 'a crash between calls',
        session: exited(ended(handshake(), call(1, 'x', {}, {})), { exitCode: 1 }),
        says: /^The server exited with 1\.$/,
      },
      {
        title: 'a segmentation fault',
        session: exited(ended(handshake(), signalled), { exitCode: 139, signal: 'SIGSEGV' }),
        says: /was killed by SIGSEGV/,
      },
      {
        title: 'a crash after a signal that does not end a session',
        session: exited(ended(handshake(), signal('SIGUSR1'), openCall), { exitCode: 1 }),
        says: /^The server exited with 1 before answering tools\/call search\.$/,
      },
      {
        title: 'a crash during a call that was sent after a signal, which the server survived',
        session: exited(ended(handshake(), signal('SIGINT'), openCall), { exitCode: 1 }),
        says: /exited with 1 before answering tools\/call search/,
      },
      {
        title: 'a kill after another signal',
        session: exited(ended(handshake(), signalled), { exitCode: 137, signal: 'SIGKILL' }),
        says: /^The server was killed by SIGKILL\.$/,
      },
      {
        title: 'a kill between calls',
        session: exited(ended(handshake(), call(1, 'x', {}, {})), { exitCode: 137, signal: 'SIGKILL' }),
        says: /^The server was killed by SIGKILL\.$/,
      },
      {
        title: 'a crash of a server behind a listener after a signal that does not end a session',
        session: ended(handshake(), signal('SIGUSR2'), notStarted('the server exited with status 1')),
        says: /^The server exited with 1\.$/,
      },
      {
        title: 'a server that cannot be started',
        session: exited(ended(notStarted('not found')), { exitCode: 127 }),
        says: /^The server could not be started: not found\.$/,
      },
      {
        title: 'a server that cannot be started for a client of a listener',
        session: exited(ended(notStarted('the server could not be started: not found')), {
          exitCode: 0,
          reason: 'producer_shutdown',
        }),
        says: /^The server could not be started: not found\.$/,
      },
      {
        title: 'a server behind a listener that exits before it answers, so that mcpreel answers for it',
        session: exited(
          ended(initialize, notStarted('the server exited with status 1'), {
            ...server({ id: 0, error: { code: -32000, message: 'mcpreel: the server exited with status 1' } }),
            injected: true,
          }),
          { exitCode: 0, reason: 'producer_shutdown' },
        ),
        says: /^The server exited with 1 before answering initialize\.$/,
        at: [0],
      },
      {
        title: 'a server behind a listener that is killed between calls',
        session: ended(handshake(), notStarted('the server was ended by SIGKILL')),
        says: /^The server was killed by SIGKILL\.$/,
      },
      {
        title: 'an HTTP server that is lost during a call',
        session: ended(handshake(), openCall, notStarted('no response from 127.0.0.1:9')),
        says: /^The connection to the server was lost before answering tools\/call search: no response from 127\.0\.0\.1:9\.$/,
        at: [3],
      },
      {
        title: 'a server that itself exits with 127',
        session: exited(ended(), { exitCode: 127 }),
        says: /exited with 127 before any message/,
      },
    ],
    hides: [
      {
        title: 'an end of a server behind a listener without an error',
        session: ended(handshake(), call(1, 'x', {}, {}), notStarted('the server ended with status 0')),
      },
      {
        title: 'an HTTP server that ends its stream between calls',
        session: ended(handshake(), call(1, 'x', {}, {}), notStarted('the event stream ended')),
      },
      { title: 'an exit without an error', session: exited(ended(handshake(), call(1, 'x', {}, {})), { exitCode: 0 }) },
      {
        title: 'an open call at an exit without an error: the client left',
        session: exited(ended(handshake(), openCall), { exitCode: 0 }),
      },
      {
        title: 'a signal that was sent to it',
        session: exited(ended(handshake(), signalled), { exitCode: 143, signal: 'SIGTERM' }),
      },
      {
        title: 'a signal that mcpreel sent to a server that kept running',
        session: exited(ended(handshake(), openCall, signalled, signal('SIGKILL')), {
          exitCode: 137,
          signal: 'SIGKILL',
        }),
      },
      {
        title: 'an error after a signal, although a call was open',
        session: exited(ended(handshake(), openCall, signalled), { exitCode: 1 }),
      },
      {
        title: 'an answer to the server after a signal',
        session: exited(
          ended(handshake(), openCall, signalled, client({ method: 'notifications/cancelled', params: {} })),
          { exitCode: 1 },
        ),
      },
      { title: 'an error after such a signal', session: exited(ended(handshake(), signalled), { exitCode: 1 }) },
      {
        title: 'a listener that was stopped',
        session: exited(ended(initialize), { exitCode: 0, reason: 'producer_shutdown' }),
      },
      {
        title: 'a file that does not say how the server ended',
        session: exited(ended(initialize), { exitCode: undefined }),
      },
      { title: 'a recording that is cut off', session: running(initialize) },
    ],
  },
  'call-timed-out': {
    shows: [
      {
        title: 'a client that gives up',
        session: ended(handshake(), openCall, cancelled('McpError: MCP error -32001: Request timed out')),
        says: /^tools\/call search was cancelled because it took too long: "McpError: MCP error -32001: Request timed out"\. Raise the client’s timeout, or send progress\.$/,
        at: [3, 4],
      },
      {
        title: 'an answer that comes too late',
        session: ended(handshake(), openCall, cancelled('Timeout'), server({ id: 1, result: {} })),
        says: /took too long: "Timeout"/,
      },
    ],
    hides: [
      { title: 'a user who cancels', session: ended(handshake(), openCall, cancelled('User cancelled')) },
      {
        title: 'a call that is answered',
        session: ended(handshake(), call(1, 'search', {}, {}), cancelled('timed out')),
      },
    ],
  },
  'empty-session': {
    shows: [
      {
        title: 'no entries',
        session: ended(),
        says: /^The session has no messages\. Check that the client connects through mcpreel\.$/,
      },
      { title: 'only stderr', session: ended(stderr('ready')), says: /no messages/ },
      { title: 'a recording that is cut off', session: running(), says: /no messages/ },
    ],
    hides: [{ title: 'one message', session: ended(client({ method: 'notifications/initialized' })) }],
  },
};

const complete = (id: number, result: object): ReturnType<typeof ask> =>
  ask(id, 'tools/call', modern({ name: 'greet' }), { ...result });
const wants = {
  resultType: 'input_required',
  inputRequests: { who: { method: 'elicitation/create' } },
  requestState: 's',
};
const again = client({
  id: 2,
  method: 'tools/call',
  params: modern({ name: 'greet', inputResponses: {}, requestState: 's' }),
});

/** A request whose result asks for input without a state, and one that continues it. */
const asks = (id: number, name = 'greet'): ReturnType<typeof ask> =>
  ask(id, 'tools/call', modern({ name }), { ...wants, requestState: undefined });
const continues = (id: number): ReturnType<typeof ask> =>
  ask(id, 'tools/call', modern({ name: 'greet', inputResponses: {} }), { resultType: 'complete' });

/** Findings about results of revision 2026-07-28. */
export const modernPairs: Pairs<
  'result-type-missing' | 'result-type-unknown' | 'result-type-conflict' | 'input-not-continued' | 'mixed-eras'
> = {
  'result-type-missing': {
    shows: [
      {
        title: 'a result without a type, once per conversation',
        session: ended(complete(1, { content: [] }), complete(2, { content: [] })),
        says: /result of tools\/call greet without resultType/,
        at: [0, 1],
      },
    ],
    hides: [
      { title: 'a result with its type', session: ended(complete(1, { resultType: 'complete' })) },
      { title: 'an earlier revision', session: ended(handshake(), call(1, 'x', {}, {})) },
      {
        title: 'an error',
        session: ended(
          client({ id: 1, method: 'x', params: modern() }),
          server({ id: 1, error: { code: 1, message: 'no' } }),
        ),
      },
    ],
  },
  'result-type-unknown': {
    shows: [
      {
        title: 'a type of another name',
        session: ended(complete(1, { resultType: 'weird' })),
        says: /with resultType "weird"\. Set it to "complete" or "input_required"\.$/,
        at: [0, 1],
      },
      { title: 'a number', session: ended(complete(1, { resultType: 5 })), says: /with resultType 5\./ },
      { title: 'null', session: ended(complete(1, { resultType: null })), says: /with resultType null\./ },
      { title: 'an empty string', session: ended(complete(1, { resultType: '' })), says: /with resultType ""\./ },
    ],
    hides: [
      { title: 'a complete result', session: ended(complete(1, { resultType: 'complete' })) },
      { title: 'a task', session: ended(complete(1, { resultType: 'task' })) },
    ],
  },
  'result-type-conflict': {
    shows: [
      {
        title: 'a complete result that asks',
        session: ended(complete(1, { ...wants, resultType: 'complete' })),
        says: /with inputRequests/,
        at: [0, 1],
      },
      {
        title: 'a result without a type that asks',
        session: ended(complete(1, { inputRequests: {} })),
        says: /with inputRequests/,
      },
    ],
    hides: [
      {
        title: 'a result that asks',
        session: ended(complete(1, wants), again, server({ id: 2, result: { resultType: 'complete' } })),
      },
    ],
  },
  'input-not-continued': {
    shows: [
      {
        title: 'a request that is not sent again',
        session: ended(complete(1, wants)),
        says: /^tools\/call greet is waiting for input: the client never sent the request again\. Send it with inputResponses\.$/,
        at: [0, 1],
      },
      {
        title: 'one of three equal requests of which two are sent again',
        session: ended(asks(1), asks(2), asks(3), continues(4), continues(5)),
        says: /^tools\/call greet is waiting for input/,
        at: [4, 5],
      },
      {
        title: 'a request that is sent again with other arguments',
        session: ended(asks(1), asks(2), asks(3, 'other'), continues(4), continues(5)),
        says: /^tools\/call other is waiting for input/,
        at: [4, 5],
      },
    ],
    hides: [
      {
        title: 'two equal requests that are both sent again',
        session: ended(asks(1), asks(2), continues(3), continues(4)),
      },
      {
        title: 'a request that is sent again',
        session: ended(complete(1, wants), again, server({ id: 2, result: { resultType: 'complete' } })),
      },
      { title: 'a recording that is cut off', session: running(complete(1, wants)) },
    ],
  },
  'mixed-eras': {
    shows: [
      {
        title: 'a request that names its revision after a handshake',
        session: ended(handshake(), complete(1, { resultType: 'complete' })),
        says: /^The client sent tools\/call of protocol version 2026-07-28 after a handshake\. Use one protocol version per conversation\.$/,
        at: [3],
      },
      {
        title: 'a handshake after such requests',
        session: ended(complete(1, { resultType: 'complete' }), complete(2, { resultType: 'complete' }), handshake()),
        says: /initialize after requests of a protocol version without a handshake/,
        at: [4],
      },
    ],
    hides: [
      {
        title: 'a probe before a handshake',
        session: ended(ask(9, 'server/discover', modern(), { resultType: 'complete' }), handshake()),
      },
      { title: 'one era', session: ended(complete(1, { resultType: 'complete' })) },
      {
        title: 'several clients of a server without sessions',
        session: ended(exchange(1, {}, handshake()), exchange(2, {}, complete(1, { resultType: 'complete' }))),
      },
      { title: 'a gap', session: ended(handshake(), gap('x')) },
    ],
  },
};
