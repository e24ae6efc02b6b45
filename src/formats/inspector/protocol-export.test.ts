import { describe, expect, it } from 'vitest';
import { corpusText, outline, type Reading, readAll } from '../../../test/contract/files.ts';
import { sourceOf } from '../../../test/contract/memory-source.ts';
import type { ReadProblem } from '../format.ts';
import { inspector } from './inspector.ts';

const T = Date.UTC(2026, 2, 4, 10);
const corpus = (name: string): Promise<Reading> => readAll(inspector, corpusText(`inspector/${name}`));
const times = ({ messages }: Reading): number[] => messages.map(({ atMs }) => atMs - T);

interface Parts {
  readonly ms?: number;
  readonly origin?: 'client' | 'server';
  readonly [member: string]: unknown;
}

/** An element of an export, this many milliseconds after ten o'clock. */
function element(direction: string, body: object, { ms = 0, ...rest }: Parts = {}): object {
  const timestamp = new Date(T + ms).toISOString();
  return { id: 'x', timestamp, direction, ...rest, message: { jsonrpc: '2.0', ...body } };
}

const request = (id: unknown, method: string, parts?: Parts): object => element('request', { id, method }, parts);
const answer = (id: unknown, result: object, parts?: Parts): object => element('response', { id, result }, parts);
const folded = (id: unknown, result: object, duration = 1): object => ({
  response: { jsonrpc: '2.0', id, result },
  duration,
});

const read = (...elements: object[]): Promise<Reading> => readAll(inspector, JSON.stringify(elements));

describe('a protocol export', () => {
  it('reads the messages and the responses embedded in requests, each at its time', async () => {
    const reading = await corpus('protocol.json');
    expect(outline(reading.entries)).toEqual([
      ...['> initialize', '< answers 0', '> notifications/initialized', '> tools/list', '< answers 3'],
      ...['> tools/call', '< notifications/message', '< sampling/createMessage', '> answers 7', '< answers 5'],
      ...['> tools/call', '> ping', '< answers 11', '< answers 10'],
    ]);
    expect(times(reading)).toEqual([0, 12, 13, 20, 25, 30, 31, 32, 72, 80, 90, 100, 102, 120]);
    expect(reading.problems).toEqual([]);
    expect(reading.session).toMatchObject({
      format: 'inspector',
      infersDirections: false,
      header: { label: 'inspector', transport: 'stdio', startedAtMs: T, command: [] },
      footer: undefined,
    });
  });

  it('keeps the other members of an element, and the element number', async () => {
    const opened = await inspector.read(sourceOf(corpusText('inspector/protocol.json')), {
      onProblem: () => undefined,
    });
    const entries = [];
    for await (const batch of opened.batches()) entries.push(...batch);
    const [list, listed] = entries.slice(3);
    expect(JSON.parse(list?.kind === 'message' ? (list.keepsakes?.transcript ?? '') : '')).toEqual({
      id: 'entry-3',
      timestamp: '2026-03-04T10:00:00.020Z',
      direction: 'request',
      origin: 'client',
      duration: 5,
      clientError: 'tools/list result has no ttlMs',
    });
    expect(listed).toMatchObject({ sourceLine: 3 });
    expect(listed).not.toHaveProperty('keepsakes');
  });

  it('keeps exact texts', async () => {
    const text = '{ "jsonrpc":"2.0", "id":12345678901234567890, "method":"x","params":{"n":1.0,"n":"\\u00e9"} }';
    const file = `[{"direction":"request","message":${text},"response":{"id":12345678901234567890,"result":{ }}}]`;
    const { messages } = await readAll(inspector, file);
    expect(messages.map((message) => message.text)).toEqual([text, '{"id":12345678901234567890,"result":{ }}']);
    expect(messages[1]?.correlatedId).toBe(messages[0]?.proxyId);
  });

  it('reads an export that is the "events" member of an object', async () => {
    const { messages } = await readAll(inspector, `{"events":${corpusText('inspector/protocol.json')}}`);
    expect(messages).toHaveLength(14);
  });
});

describe('the sender of a message', () => {
  it('infers the sender if the export does not state it', async () => {
    const reading = await corpus('protocol-without-origin.json');
    expect(outline(reading.entries)).toEqual([
      ...['> initialize', '< answers 0', '> tools/call', '< elicitation/create', '> answers 3'],
      ...['< notifications/progress', '< answers 2'],
    ]);
    expect(reading.session.infersDirections).toBe(true);
  });

  it('infers the server for a ping with the id of an open call, and the client for its response', async () => {
    const { entries } = await read(
      request(1, 'tools/call'),
      request(1, 'ping', folded(1, {}) as Parts),
      request(2, 'ping', { ms: 5, ...folded(2, {}) }),
      request(7, 'roots/list', { ms: 10 }),
      answer(7, { roots: [] }, { ms: 11 }),
      answer(1, { content: [] }, { ms: 12 }),
      element('notification', { method: 'notifications/cancelled' }, { ms: 13, origin: 'server' }),
    );
    expect(outline(entries)).toEqual([
      ...['> tools/call', '< ping', '> answers 1', '> ping', '< answers 3', '< roots/list', '> answers 5'],
      ...['< answers 0', '< notifications/cancelled'],
    ]);
  });
});

describe('a response embedded in a request of the wrong side', () => {
  const sampled = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Hi' } };
  const called = { content: [] };
  const sampling = (parts: Parts): object => request(1, 'sampling/createMessage', { origin: 'server', ...parts });
  const call = (parts: Parts): object => request(1, 'tools/call', { origin: 'client', ...parts });

  it('reassigns an embedded response based on the separate response', async () => {
    const reading = await corpus('protocol-stray-fold.json');
    expect(outline(reading.entries)).toEqual([
      ...['> initialize', '< answers 0', '< sampling/createMessage', '> tools/call', '> answers 2', '< answers 3'],
    ]);
    expect(times(reading)).toEqual([0, 12, 20, 25, 40, 60]);
  });

  it('reassigns an embedded response based on the separate one even if its result is ambiguous', async () => {
    const error = { response: { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } }, duration: 5 };
    const ofClient = await read(
      sampling({ ms: 0 }),
      call({ ms: 1, ...error }),
      answer(1, called, { ms: 9, origin: 'server' }),
    );
    expect(outline(ofClient.entries)).toEqual([
      '< sampling/createMessage',
      '> tools/call',
      '> answers 0',
      '< answers 1',
    ]);
    const ofServer = await read(
      call({ ms: 0 }),
      sampling({ ms: 1, ...error }),
      answer(1, sampled, { ms: 9, origin: 'client' }),
    );
    expect(outline(ofServer.entries)).toEqual([
      '> tools/call',
      '< sampling/createMessage',
      '< answers 0',
      '> answers 1',
    ]);
  });

  it('keeps an embedded response if the separate one answers the other request, whatever its result', async () => {
    const { entries } = await read(
      call({ ms: 0 }),
      sampling({ ms: 1, ...folded(1, called) }),
      answer(1, sampled, { ms: 9, origin: 'server' }),
    );
    expect(outline(entries)).toEqual(['> tools/call', '< sampling/createMessage', '> answers 1', '< answers 0']);
  });

  it('reassigns an embedded response based on its result without a separate response', async () => {
    const strayed = await read(sampling({ ms: 0 }), call({ ms: 1, ...folded(1, sampled) }));
    expect(outline(strayed.entries)).toEqual(['< sampling/createMessage', '> tools/call', '> answers 0']);
    const other = await read(call({ ms: 0 }), sampling({ ms: 1, ...folded(1, called) }));
    expect(outline(other.entries)).toEqual(['> tools/call', '< sampling/createMessage', '< answers 0']);
    const right = await read(call({ ms: 0 }), sampling({ ms: 1, ...folded(1, sampled) }));
    expect(outline(right.entries)).toEqual(['> tools/call', '< sampling/createMessage', '> answers 1']);
  });

  it('keeps an embedded response if its result is ambiguous or no other request is open', async () => {
    const doubtful = await read(call({ ms: 0 }), sampling({ ms: 1, ...folded(1, {}) }));
    expect(outline(doubtful.entries)).toEqual(['> tools/call', '< sampling/createMessage', '> answers 1']);
    const alone = await read(call({ ms: 1, ...folded(1, sampled) }), answer(1, called, { ms: 9, origin: 'server' }));
    expect(outline(alone.entries)).toEqual(['> tools/call', '< answers 0', '< response']);
    const answered = await read(
      sampling({ ms: 0 }),
      answer(1, sampled, { ms: 1, origin: 'client' }),
      call({ ms: 2, ...folded(1, sampled) }),
    );
    expect(outline(answered.entries)).toEqual([
      '< sampling/createMessage',
      '> answers 0',
      '> tools/call',
      '< answers 2',
    ]);
  });

  it('does not reassign an embedded response to a request whose id has another type', async () => {
    const { entries } = await read(
      request('1', 'sampling/createMessage', { origin: 'server' }),
      call({ ms: 1, ...folded(1, sampled) }),
    );
    expect(outline(entries)).toEqual(['< sampling/createMessage', '> tools/call', '< answers 1']);
  });
});

describe('the time of a message', () => {
  it('uses the previous time if a time is missing or invalid, and the next one for the first message', async () => {
    const reading = await read(
      request(1, 'ping', { timestamp: undefined }),
      request(2, 'ping', { ms: 5 }),
      request(3, 'ping', { timestamp: 'today' }),
      request(4, 'ping', { timestamp: T + 7 }),
    );
    expect(times(reading)).toEqual([5, 5, 5, 7]);
    expect(reading.problems).toEqual(['element 3: "timestamp" is not a time; the time before it is used']);
  });

  it('uses sequence numbers as times if the export has no times', async () => {
    const { messages, session } = await read(
      request(1, 'ping', { timestamp: undefined, ...folded(1, {}, 50) }),
      request(2, 'ping', { timestamp: undefined }),
    );
    expect(messages.map(({ atMs }) => atMs)).toEqual([0, 1, 2]);
    expect(session).toMatchObject({ numbersTimes: true, header: { startedAtMs: 0 } });
  });

  it('sorts messages by time and keeps the order of equal times', async () => {
    const reading = await read(
      request(3, 'ping', { ms: 30 }),
      request(1, 'ping', { ms: 10, ...folded(1, {}, 10) }),
      request(2, 'ping', { ms: 20, ...folded(2, {}, 0) }),
    );
    expect(times(reading)).toEqual([10, 20, 20, 20, 30]);
    expect(outline(reading.entries)).toEqual(['> ping', '< answers 0', '> ping', '< answers 2', '> ping']);
  });

  it.each([-5, 'long', 1e300, null])(
    'uses the time of the request for its response if the duration is %j',
    async (duration) => {
      expect(times(await read(request(1, 'ping', { ...folded(1, {}), duration })))).toEqual([0, 0]);
    },
  );

  it('sorts by time across more elements than the window holds', async () => {
    const elements = Array.from({ length: 9000 }, (_, n) => request(n, 'ping', { ms: n * 2, ...folded(n, {}, 3) }));
    const reading = await read(...elements);
    const found = times(reading);
    expect(found).toHaveLength(18_000);
    expect(found).toEqual([...found].sort((a, b) => a - b));
    expect(reading.messages.filter(({ correlatedId }) => correlatedId !== undefined)).toHaveLength(9000);
  });
});

describe('an element that is not a message', () => {
  it('skips and reports an element that is not a message', async () => {
    const file = `[${JSON.stringify(request(1, 'ping'))},7,{"direction":"request"},{"message":[]},{"a":01},
      {"direction":"request","message":{"id":2,"method":"ping"},"response":[1]},
      {"direction":"request","message":{"id":3,"method":"ping"},"response":null}]`;
    const problems: ReadProblem[] = [];
    const opened = await inspector.read(sourceOf(file), { onProblem: (problem) => problems.push(problem) });
    let count = 0;
    for await (const batch of opened.batches()) count += batch.length;
    for await (const _ of opened.batches());
    expect(count).toBe(3);
    expect(problems.map(({ place, contract }) => [place, contract])).toEqual([
      ['element 2', 'MCP event at element 2 must be a JSON object'],
      ['element 3', 'inspector transcript element 3 must have a message that is a JSON object'],
      ['element 4', 'inspector transcript element 4 must have a message that is a JSON object'],
      ['element 5', 'invalid JSON in element 5'],
      ['element 6', 'inspector transcript element 6 must have a response that is a JSON object'],
    ]);
  });
});
