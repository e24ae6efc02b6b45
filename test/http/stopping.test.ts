import { describe, expect, it } from 'vitest';
import { eventsOf, jsonLines, parseTrace, readSessionFile } from '../support/recordings.ts';
import { ask, bytesOf, Line, OK, withLength } from './oracle.ts';

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call"}';
const POST = withLength(ask('POST /mcp HTTP/1.1', [['Content-Type', 'application/json']], CALL));
const NOTE = '{"jsonrpc":"2.0","method":"notifications/message"}';

/** Leaves a stream open after one message. */
async function openStream(line: Line): Promise<void> {
  await line.client.write(bytesOf(POST));
  const target = await line.server.requested();
  await target.message();
  const event = `data: ${NOTE}\n\n`;
  await target.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n');
  await target.write(`${event.length.toString(16)}\r\n${event}\r\n`);
  await line.client.until('\n\n\r\n');
}

describe('a signal to a listener', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'stops a listener with open streams at once, and keeps the recording: %s',
    async (signal) => {
      const line = await Line.open(['--session-file', 'session.json']);
      await openStream(line);
      line.proxy.process.signal(signal);
      const { code, stdout } = await line.proxy.process.ended;
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
      // The stream is cut off, not ended.
      expect(await line.client.rest()).toBe('');
      const trace = parseTrace(line.place.read('trace.jsonl'));
      expect(trace.end).toMatchObject({ exitCode: 0, reason: 'producer_shutdown' });
      expect(trace.messages.map(({ payload }) => payload)).toEqual([JSON.parse(CALL), JSON.parse(NOTE)]);
      expect(eventsOf(trace, 'http.exchange')).toMatchObject([{ status: 200, error: 'mcpreel was ended' }]);
      expect(eventsOf(trace, 'mcpreel.action')).toMatchObject([{ action: 'signal', signal }]);
      const times = jsonLines(line.place.read('trace.jsonl')).flatMap(({ t }) => (typeof t === 'string' ? [t] : []));
      expect(times).toEqual(times.toSorted());
      const { session, messages } = readSessionFile(line.place.path('session.json'));
      expect(messages.map(({ payload }) => payload)).toEqual([JSON.parse(CALL), JSON.parse(NOTE)]);
      expect(session).toMatchObject({ transport: 'streamable-http', server_url: line.server.url });
    },
  );

  it('stops a listener while a request waits for its response', async () => {
    const line = await Line.open();
    await line.client.write(bytesOf(POST));
    await (await line.server.requested()).message();
    const { outcome, trace } = await line.proxy.stop();
    expect(outcome.code).toBe(0);
    expect(trace.messages).toHaveLength(1);
    expect(eventsOf(trace, 'http.exchange')).toMatchObject([{ status: null, error: 'mcpreel was ended' }]);
  });

  it('stops a listener with idle connections', async () => {
    const line = await Line.open();
    await line.expectSame(POST, OK);
    await line.connect();
    const { outcome } = await line.proxy.stop();
    expect(outcome.code).toBe(0);
    await Promise.all([line.client.closed, line.client.rest()]);
  });
});

describe('a listener', () => {
  it('reports a port that is in use', async () => {
    const line = await Line.open();
    const { port } = new URL(line.proxy.url);
    const args = ['proxy', 'start', '--target-url', line.server.url, '--listen-port', port, '--trace-file', 'b.jsonl'];
    const { code, stderr } = await line.place.run(args);
    expect(code).toBe(1);
    expect(stderr).toContain(`Error: Cannot listen on 127.0.0.1:${port}: the port is in use`);
    expect(line.place.files()).not.toContain('b.jsonl');
  });
});
