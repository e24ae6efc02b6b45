import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleInterceptor } from '../../../test/support/proxy/sample-interceptor.ts';
import type { Settlement } from '../../intercept/held-message.ts';
import type { InterceptorOptions } from '../../intercept/interceptor.ts';
import { textsOf } from '../../protocol/rpc-body.ts';
import { EventGate, type EventGateOptions } from './event-gate.ts';
import { STREAM_START, tailAfter } from './event-tail.ts';

type GateSetting = Partial<EventGateOptions> & Partial<Pick<InterceptorOptions, 'mode' | 'wants' | 'failsClosed'>>;

function openGate({ mode = 'intercept', wants = () => true, failsClosed = false, ...options }: GateSetting = {}) {
  const interceptor = sampleInterceptor({ mode, wants, failsClosed });
  const sent: string[] = [];
  const seen: string[] = [];
  const flow: string[] = [];
  const settled: (readonly Settlement[])[] = [];
  const gate = new EventGate(
    {
      interceptor,
      limit: 1 << 20,
      outOfOrder: false,
      knowsEmptyData: false,
      nowMs: () => 0,
      tail: STREAM_START,
      ...options,
    },
    {
      write: (bytes) => sent.push(latin1(bytes)),
      pause: () => flow.push('pause'),
      resume: () => flow.push('resume'),
      look: (bytes) => seen.push(latin1(bytes)),
      ask: ({ body, doubt }, atMs, onSettled) =>
        interceptor.ask(textsOf(body), { direction: 'server_to_client', atMs, conversation: 0, doubt }, onSettled),
      unread: (why) => interceptor.unread({ direction: 'server_to_client', conversation: 0, why }),
      replace: (text) => sent.push(`replaced by ${text}`),
      unanswered: (why) => sent.push(`unanswered: ${why}`),
      answer: (text) => sent.push(`answered by ${text}`),
      onSettled: (frame) => settled.push(frame),
    },
  );
  const take = (text: string): void => gate.take(Buffer.from(text, 'latin1'));
  return { desk: interceptor, gate, take, settled, flow, sent: () => sent.join(''), seen: () => seen.join('') };
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

function none(): void {
  // This test ignores the event.
}

const note = (n: number): string => `{"jsonrpc":"2.0","method":"n${n}"}`;
const event = (n: number): string => `id: ${n}\ndata: ${note(n)}\n\n`;
const FORWARD = { action: 'forward' } as const;

describe('an event', () => {
  it('sends a held event byte for byte when it is released', () => {
    const { desk: interceptor, take, sent, settled, seen } = openGate();
    take(`id:1\r\ndata: ${note(1)}\r\n\r\n`);
    expect(sent()).toBe('');
    interceptor.decide('m0', FORWARD);
    expect(sent()).toBe(`id:1\r\ndata: ${note(1)}\r\n\r\n`);
    expect(settled).toMatchObject([[{ text: note(1), id: 'm0', decision: FORWARD }]]);
    expect(seen()).toBe('');
  });

  it('keeps the id of an edited event', () => {
    const { desk: interceptor, take, sent } = openGate();
    take(event(1));
    interceptor.decide('m0', { action: 'edit', text: note(5) });
    expect(sent()).toBe(`id: 1\ndata: ${note(5)}\n\n`);
  });

  it('keeps the id of a dropped event', () => {
    const { desk: interceptor, take, sent } = openGate();
    take(event(1));
    interceptor.decide('m0', { action: 'drop' });
    expect(sent()).toBe('id: 1\n\n');
  });

  it('forwards an event that is not a message, in order', () => {
    const { desk: interceptor, take, sent, seen } = openGate();
    take('event: endpoint\ndata: /messages?id=1\n\n');
    expect(sent()).toBe('event: endpoint\ndata: /messages?id=1\n\n');
    expect(seen()).toBe(sent());
    take(`${event(1)}id: 2\nretry: 50\ndata:\n\n`);
    expect(sent()).not.toContain('retry');
    interceptor.decide('m0', FORWARD);
    expect(sent()).toBe(`event: endpoint\ndata: /messages?id=1\n\n${event(1)}id: 2\nretry: 50\ndata:\n\n`);
  });

  it('forwards an event that is too long to hold', () => {
    const { take, sent } = openGate({ limit: 20 });
    take(event(1));
    expect(sent()).toBe(event(1));
  });
});

describe('events behind a held event', () => {
  it('queues an event behind a held one', () => {
    const { desk: interceptor, take, sent } = openGate({ wants: ({ text }) => text === note(1) });
    take(event(1) + event(2));
    expect(sent()).toBe('');
    interceptor.decide('m0', FORWARD);
    expect(sent()).toBe(event(1) + event(2));
  });

  it('lets events overtake a held one if order does not matter, but never inside another event', () => {
    const {
      desk: interceptor,
      take,
      sent,
    } = openGate({ outOfOrder: true, limit: 60, wants: ({ text }) => text === note(1) });
    take(event(1) + event(2));
    expect(sent()).toBe(event(2));
    const long = `data: ${'x'.repeat(80)}`;
    take(long);
    interceptor.decide('m0', FORWARD);
    expect(sent()).toBe(event(2) + long);
    take('\n\n');
    expect(sent()).toBe(`${event(2)}${long}\n\n${event(1)}`);
  });

  it('forwards comments immediately', () => {
    const { desk: interceptor, take, sent } = openGate();
    take(`${event(1)}: still here\n\n`);
    expect(sent()).toBe(': still here\n\n');
    interceptor.decide('m0', FORWARD);
    expect(sent()).toBe(`: still here\n\n${event(1)}`);
  });

  it('forwards an event that follows a comment without a blank line', () => {
    const { take, sent } = openGate({ wants: () => false });
    take(': a\n');
    take(event(1));
    expect(sent()).toBe(`: a\n${event(1)}`);
  });

  it('releases all events when the mode changes, and the beginning of the next one', () => {
    const { desk: interceptor, take, sent } = openGate();
    take(`${event(1)}${event(2)}data: {"js`);
    interceptor.setMode('passthrough');
    expect(sent()).toBe(`${event(1)}${event(2)}data: {"js`);
  });

  it('delays the end of the stream until the held event is released', () => {
    const { desk: interceptor, take, gate } = openGate();
    const ended: string[] = [];
    take(event(1));
    gate.end(() => ended.push('end'));
    expect(ended).toEqual([]);
    interceptor.decide('m0', FORWARD);
    expect(ended).toEqual(['end']);
  });

  it('pauses the source when too much is queued, and resumes it later', () => {
    const { desk: interceptor, take, flow } = openGate();
    take(event(0));
    for (let n = 0; n < 17; n++) take(`data: ${'x'.repeat(1 << 20)}\n\n`);
    expect(new Set(flow)).toEqual(new Set(['pause']));
    interceptor.decide('m0', FORWARD);
    expect(flow.at(-1)).toBe('resume');
  });
});

describe('interception that starts in the middle of a stream', () => {
  it('starts with the next event', () => {
    const before = `${event(1)}id: 2\n`;
    const { take, sent } = openGate({ tail: tailAfter(STREAM_START, Buffer.from(before)) });
    take(`data: ${note(2)}\n\n${event(3)}`);
    expect(sent()).toBe(`data: ${note(2)}\n\n`);
  });

  it('starts at the next chunk if the last one ended an event', () => {
    const { desk: interceptor, take, sent } = openGate({ mode: 'passthrough' });
    take(event(1));
    interceptor.setMode('intercept');
    take(event(2));
    expect(sent()).toBe(event(1));
  });

  it('treats a line feed as the rest of a split line ending', () => {
    const { desk: interceptor, take, sent } = openGate({ mode: 'passthrough' });
    take(`data: ${note(1)}\r\n\r`);
    interceptor.setMode('intercept');
    take(`\n${event(2)}`);
    expect(sent()).toBe(`data: ${note(1)}\r\n\r\n`);
  });
});

describe('an injected event', () => {
  const own = `event: message\ndata: ${note(9)}\n\n`;

  it('sends an injected event immediately, before held ones', () => {
    const { gate, take, sent } = openGate();
    take(event(1));
    gate.inject(note(9), none);
    expect(sent()).toBe(own);
  });

  it('sends an injected event after the event in progress', () => {
    const { gate, take, sent } = openGate({ mode: 'passthrough' });
    take('data: {"jsonrpc"');
    gate.inject(note(9), none);
    take(`:"2.0","method":"n1"}\n\n${event(2)}data: {`);
    expect(sent()).toBe(`data: ${note(1)}\n\n${own}${event(2)}data: {`);
  });
});

it('forwards a stream unchanged if nothing is held, for any chunks', () => {
  const line = fc.constantFrom(`data: ${note(1)}`, 'data: {', ': hm', 'id: 4', 'event: x', '', '');
  const stream = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')), { maxLength: 20 });
  fc.assert(
    fc.property(stream, fc.array(fc.nat(400)), fc.boolean(), (lines, cuts, isSwitched) => {
      const text = lines.flat().join('');
      const { desk: interceptor, gate, take, sent, seen } = openGate({ wants: () => false });
      const places = [0, ...cuts.map((at) => at % (text.length + 1)).sort((a, b) => a - b), text.length];
      for (const [at, place] of places.slice(1).entries()) {
        take(text.slice(places[at], place));
        if (isSwitched) interceptor.setMode(at % 2 === 0 ? 'passthrough' : 'intercept');
      }
      gate.end(none);
      expect(sent()).toBe(text);
      expect(seen()).toBe(text);
    }),
  );
});

describe('an event that is refused', () => {
  it('replaces a refused event by an error with the id of its response, once the event has ended', () => {
    const { take, gate, sent } = openGate({ failsClosed: true, limit: 100 });
    take(`id: 1\ndata: {"result":{"text":"${'x'.repeat(90)}`);
    take(`${'x'.repeat(90)}"},"jsonrpc":"2.0",`);
    expect(sent()).toBe('');
    take('"id":7}\n\ndata: {"id":8,\ndata: "result":{},"x"}\n\n');
    expect(sent()).toMatch(
      /^replaced by \{"jsonrpc":"2.0","id":7,"error".*replaced by \{"jsonrpc":"2.0","id":8,"error"/s,
    );
    take(`data: {"id":9,"method":"roots/list","params":"${'x'.repeat(90)}`);
    gate.end(none);
    expect(sent()).toMatch(/answered by \{"jsonrpc":"2.0","id":9,"error"/);
  });
});

describe('a stream whose response was refused', () => {
  const end = (text: string): string => {
    const { take, gate, sent } = openGate({ failsClosed: true, wants: () => false });
    take(text);
    gate.end(none);
    return sent();
  };

  it.each([
    ['that is not JSON', 'data: {broken\n\n', 'it is not JSON'],
    ['that is a message in a string', `data: ${JSON.stringify(note(1))}\n\n`, 'it is not a JSON-RPC message'],
    ['that has neither a method nor an id', 'data: {"jsonrpc":"2.0"}\n\n', 'it is not a JSON-RPC message'],
  ])('reports a refused event %s as the missing response', (_, text, why) => {
    expect(end(text)).toMatch(new RegExp(`^unanswered: .*${why}$`));
  });

  it.each(['data: {broken\n\n', ''])('reports nothing if a response was forwarded after %j', (text) => {
    const response = 'data: {"jsonrpc":"2.0","id":7,"result":{}}\n\n';
    expect(end(text + response)).toBe(response);
  });

  it('replaces a response without a result by an error', () => {
    expect(end('data: {"jsonrpc":"2.0","id":7}\n\n')).toContain('"id":7,"error"');
  });
});
