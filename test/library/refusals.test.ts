import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ReelError, readSession, recordSession, replaySession, startMock } from '../../src/index.ts';
import { AGE_ARMORED } from '../support/age-sample.ts';
import { seedExample, sessionText } from '../support/session-texts.ts';
import { ownPlace, shop } from './shop.ts';

const place = (): ReturnType<typeof ownPlace> => {
  const made = ownPlace();
  made.write('session.json', seedExample);
  made.write('empty.json', sessionText([]));
  made.write('poem.txt', 'Zoë\n');
  made.write('session.age', AGE_ARMORED);
  return made;
};
type Path = (name: string) => string;

/** A call, and the code, message and hint of its error. */
const cases: readonly [string, (path: Path) => Promise<unknown>, string, string | RegExp, string | RegExp][] = [
  [
    'no such file',
    (path) => readSession(path('no.json')),
    'file-not-found',
    /^No file or session id ".*no\.json"$/,
    'List sessions: mcpreel sessions',
  ],
  [
    'a file that is no recording',
    (path) => readSession(path('poem.txt')),
    'format-unknown',
    /poem\.txt is not a known recording: its first line is not JSON$/,
    "Force a format with readSession's format.",
  ],
  [
    'a format that nobody knows',
    (path) => readSession(path('session.json'), { format: 'xml' }),
    'usage',
    'Unknown format: xml',
    /^Known: trace, json, /,
  ],
  [
    'two servers',
    () => recordSession({ command: shop(1), url: 'http://127.0.0.1:1/mcp' } as never),
    'usage',
    'The server is given twice',
    'Pass its command or its url.',
  ],
  [
    'no server',
    (path) => replaySession(path('session.json'), {} as never),
    'usage',
    'No server given',
    "Pass its command, like ['node', 'server.js'], or its url.",
  ],
  ['an empty command', () => recordSession({ command: [] }), 'usage', 'The command is empty', /^Write it like/],
  [
    'an address that is none',
    () => recordSession({ url: 'ftp://x' }),
    'usage',
    'Not an HTTP URL: ftp://x',
    'Write it like http://127.0.0.1:3000/mcp.',
  ],
  [
    'a password in an address',
    () => recordSession({ url: 'http://u:secret@localhost/mcp' }),
    'usage',
    'The url contains a password',
    /^Send it with headers/,
  ],
  [
    'a header that is none',
    () => recordSession({ url: 'http://localhost/mcp', headers: { 'a b': '1' } }),
    'usage',
    'Not a header: a b',
    /^Write \{ Authorization/,
  ],
  [
    'a header that would break requests',
    () => recordSession({ url: 'http://localhost/mcp', headers: { 'Content-Length': '1' } }),
    'usage',
    'The header Content-Length would break requests',
    'Remove it.',
  ],
  [
    'a way in that nobody knows',
    () => recordSession({ command: shop(1), listenTransport: 'websocket' as never }),
    'usage',
    'Unknown listenTransport: websocket',
    'Use one of stdio, sse, streamable-http.',
  ],
  [
    'a transport that nobody knows',
    (path) => replaySession(path('session.json'), { url: 'http://localhost/mcp', transport: 'stdio' as never }),
    'usage',
    'Unknown transport: stdio',
    'Use one of streamable-http, sse.',
  ],
  [
    'a port without a listener',
    () => recordSession({ command: shop(1), listenPort: 1 } as never),
    'usage',
    'listenPort needs clients that connect over HTTP',
    "Give listenTransport: 'streamable-http'.",
  ],
  [
    'a port that is none',
    (path) => startMock(path('session.json'), { listenPort: 70_000 }),
    'usage',
    'listenPort 70000 is not a port',
    'Pass a number up to 65535, or 0 for a free port.',
  ],
  [
    'a folder that is not there',
    (path) => recordSession({ command: shop(1), file: path('no/session.json') }),
    'file-unwritable',
    /^Cannot write .*session\.json: no such folder$/,
    'Create it first.',
  ],
  [
    'a pattern that is none',
    () => recordSession({ command: shop(1), redactValues: ['('] }),
    'usage',
    'Cannot use the redaction pattern "(": missing closing ): `(`',
    /./,
  ],
  [
    'a pattern that finds nothing everywhere',
    () => recordSession({ command: shop(1), redactValues: ['a*'] }),
    'usage',
    /matches the empty text/,
    'Use a pattern that needs at least one character.',
  ],
  [
    'a redaction that nobody knows',
    () => recordSession({ command: shop(1), redact: 'all' as never }),
    'usage',
    'Unknown redact: all',
    'Use one of off, secrets, strict.',
  ],
  [
    'a profile that nobody knows',
    (path) => replaySession(path('session.json'), { command: shop(1), compare: 'exact' as never }),
    'usage',
    'Unknown compare: exact',
    'Use one of strict, semantic, shape.',
  ],
  [
    'a policy that nobody knows',
    (path) => replaySession(path('session.json'), { command: shop(1), onServerRequest: 'accept' as never }),
    'usage',
    'Unknown onServerRequest: accept',
    'Use one of decline, error.',
  ],
  [
    'a place to ignore that is none',
    (path) => replaySession(path('session.json'), { command: shop(1), ignore: ['total'] }),
    'usage',
    /total/,
    /./,
  ],
  [
    'no time to wait',
    (path) => replaySession(path('session.json'), { command: shop(1), timeoutMs: 0 }),
    'usage',
    'timeoutMs 0 is not a timeout',
    'Pass milliseconds, like 10000.',
  ],
  [
    'a session of which nothing can be replayed',
    (path) => replaySession(path('empty.json'), { command: shop(1) }),
    'session-empty',
    'The session has no client messages to replay',
    'Record one: mcpreel record',
  ],
  [
    'to replay to a program that is not there',
    (path) => replaySession(path('session.json'), { command: ['no-such-program'] }),
    'target-unreachable',
    /^Cannot start ".*": command not found/,
    '',
  ],
  [
    'a session that answers nothing',
    (path) => startMock(path('empty.json')),
    'session-empty',
    /^No client requests in .*empty\.json$/,
    'A mock needs at least one recorded request.',
  ],
  [
    'a match that nobody knows',
    (path) => startMock(path('session.json'), { match: 'exact' as never }),
    'usage',
    'Unknown match: exact',
    'Use one of strict, normal, loose.',
  ],
  [
    'a timing that is none',
    (path) => startMock(path('session.json'), { timing: -1 }),
    'usage',
    'Unknown timing: -1',
    /^Use none, recorded/,
  ],
  [
    'a miss that goes nowhere',
    (path) => startMock(path('session.json'), { onMiss: 'forward' } as never),
    'usage',
    'No server given',
    /^Pass its command/,
  ],
  [
    'a miss that nobody knows',
    (path) => startMock(path('session.json'), { onMiss: 'ignore' as never }),
    'usage',
    'Unknown onMiss: ignore',
    'Use one of error, forward.',
  ],
  [
    'a session that is encrypted',
    (path) => startMock(path('session.age')),
    'file-unreadable',
    /session\.age is encrypted$/,
    "Pass your key file: readSession's identity FILE",
  ],
  [
    'adding to what is no file',
    async (path) =>
      startMock(await readSession(path('session.json')), { onMiss: 'forward', command: shop(1), recordMode: 'new' }),
    'usage',
    'Cannot record to anything but a file',
    'Pass its path, or recordMode: none.',
  ],
];

describe('errors of the library', () => {
  it.each(cases)('rejects with a one-line message and a hint: %s', async (_, ask, code, message, hint) => {
    const here = place();
    const error = await ask((name) => here.path(name)).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ReelError);
    const { code: reported, message: sent, hint: advice = '' } = error as ReelError;
    expect({ told: reported, said: sent, advice }).toEqual({
      told: code,
      said: typeof message === 'string' ? message : expect.stringMatching(message),
      advice: typeof hint === 'string' ? hint : expect.stringMatching(hint),
    });
    expect(`${sent} ${advice}`).not.toMatch(/\n|--[a-z]/);
    expect(here.files()).toEqual(['empty.json', 'poem.txt', 'session.age', 'session.json']);
  });

  it.each([
    ['a recording', () => recordSession({ command: shop(1) })],
    ['a mock', (path: Path) => startMock(path('session.json'))],
  ])('%s fails to start if TMPDIR does not exist', async (_, ask) => {
    const here = place();
    vi.stubEnv('TMPDIR', here.path('nowhere'));
    await expect(ask((name) => here.path(name))).rejects.toMatchObject({
      code: 'file-unwritable',
      message: `Cannot create a folder in ${here.path('nowhere')}: no such file or folder`,
      hint: 'Set TMPDIR to a writable folder.',
    });
  });

  it('refuses a port that is in use', async () => {
    const here = place();
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { port: listenPort } = server.address() as AddressInfo;
    const refusal = {
      code: 'cannot-listen',
      message: `Cannot listen on 127.0.0.1:${listenPort}: the port is in use`,
      hint: 'Use listenPort 0 for any free port.',
    };
    await expect(startMock(here.path('session.json'), { listenPort })).rejects.toMatchObject(refusal);
    const recording = recordSession({ command: shop(1), listenTransport: 'streamable-http', listenPort });
    await expect(recording).rejects.toMatchObject(refusal);
  });
});
