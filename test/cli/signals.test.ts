import { existsSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { Place } from '../support/place.ts';
import { eventsOf, parseTrace, type RecordedMessage, readSessionFile } from '../support/recordings.ts';
import { echoServer, stubbornServer } from '../support/servers.ts';

const line = '{"jsonrpc":"2.0","method":"hello"}\n';
const methods = (messages: readonly RecordedMessage[]): unknown[] => messages.map(({ payload }) => payload.method);

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const;

describe.each(signals)('%s', (signal, status) => {
  it('the signal ends the server and leaves both recordings complete', async () => {
    const place = new Place();
    const running = place.start(['--session-file', 'session.json', '--', ...echoServer]);
    running.write(line);
    await running.sent('hello');
    running.signal(signal);
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stdout, stderr }).toEqual({ code: status, stdout: line, stderr: '' });

    const trace = parseTrace(place.trace());
    expect(methods(trace.messages)).toEqual(['hello', 'hello']);
    expect(eventsOf(trace, 'mcpreel.action')).toEqual([{ action: 'signal', signal }]);
    expect(trace.end).toMatchObject({ exitCode: status, signal });
    const { session, messages } = readSessionFile(place.path('session.json'));
    expect(messages).toEqual(trace.messages);
    expect(session).toMatchObject({ ended_at: expect.any(String) });
  });

  it('the signal saves the session file at once, even if the server keeps running', async () => {
    const place = new Place();
    const running = place.start(['record', '--session-file', 'session.json', '--', ...stubbornServer]);
    await running.sent('ready');
    running.write(line);
    await running.sent('"number":1');
    expect(existsSync(place.path('session.json'))).toBe(false);

    running.signal(signal);
    await vi.waitFor(() => expect(existsSync(place.path('session.json'))).toBe(true), {
      interval: 10,
    });
    const early = readSessionFile(place.path('session.json'));
    const sent = ['notifications/ready', 'hello', 'notifications/line'];
    expect(methods(early.messages).slice(0, 3)).toEqual(sent);
    expect(early.session).toMatchObject({ ended_at: null });

    // The server and mcpreel are still running.
    await running.sent(signal);
    running.write(line);
    await running.sent('"number":2');
    running.end();
    expect(await running.ended).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^mcpreel: Recording to \S+, and at exit to session\.json\n$/),
    });
    const late = readSessionFile(place.path('session.json'));
    expect(methods(late.messages)).toEqual([...sent, 'notifications/signal', 'hello', 'notifications/line']);
    expect(late.session).toMatchObject({ ended_at: expect.any(String) });
    expect(place.files()).toHaveLength(2);
  });
});

it('saves the session file again for every signal, and leaves no other file', async () => {
  const place = new Place();
  const running = place.start(['--session-file', 'session.json', '--', ...stubbornServer]);
  await running.sent('ready');
  for (let number = 1; number <= 5; number++) {
    running.write(line);
    await running.sent(`"number":${number}`);
    running.signal('SIGINT');
    running.signal('SIGTERM');
    // Each save holds every message before its signal.
    await vi.waitFor(
      () => {
        const { messages } = readSessionFile(place.path('session.json'));
        expect(methods(messages).filter((method) => method === 'notifications/line')).toHaveLength(number);
      },
      { interval: 10 },
    );
  }
  running.end();
  expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
  expect(place.files()).toHaveLength(2);
});

it('exits with the exit code that the server chose when it received SIGTERM', async () => {
  const place = new Place();
  const polite = "process.on('SIGTERM', () => process.exit(5)); process.stdin.resume(); console.log('ready')";
  const running = place.start(['--', process.execPath, '-e', polite]);
  await running.sent('ready');
  running.signal('SIGTERM');
  expect(await running.ended).toMatchObject({ code: 5, signal: null });
  const { end } = parseTrace(place.trace());
  expect(end).toMatchObject({ exitCode: 5 });
  expect(end).not.toHaveProperty('signal');
});

it('a trace is readable up to its last line after the recorder was killed', async () => {
  const place = new Place();
  const running = place.start(['--', ...echoServer]);
  running.write(line);
  await running.sent('hello');
  // A server's message is forwarded before it is recorded.
  await vi.waitFor(() => expect(parseTrace(place.trace()).messages).toHaveLength(2), { interval: 10 });
  running.signal('SIGKILL');
  expect(await running.ended).toMatchObject({ signal: 'SIGKILL' });
  const { code, stdout, stderr } = await place.run(['inspect', place.traces()[0] ?? '']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('Messages: 2\n');
});
