import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleInterceptor } from '../../../test/support/proxy/sample-interceptor.ts';
import type { Settlement } from '../../intercept/held-message.ts';
import type { InterceptorOptions } from '../../intercept/interceptor.ts';
import { StdioGate, type StdioGateOptions } from './stdio-gate.ts';

type GateSetting = Partial<StdioGateOptions> & Partial<Pick<InterceptorOptions, 'mode' | 'wants'>>;

function openGate({ mode = 'intercept', wants = () => true, ...options }: GateSetting = {}) {
  const interceptor = sampleInterceptor({ mode, wants });
  const sent: string[] = [];
  const seen: string[] = [];
  const flow: string[] = [];
  const settled: (readonly Settlement[])[] = [];
  const answers: string[] = [];
  const replaced: string[] = [];
  const gate = new StdioGate(
    {
      direction: 'client_to_server',
      interceptor,
      nowMs: () => 0,
      maxMessageBytes: 1 << 20,
      outOfOrder: false,
      copy: { goesFirst: false, push: (bytes) => seen.push(latin1(bytes)) },
      onSettled: (frame) => settled.push(frame),
      onUnsent: () => flow.push('unsent'),
      answer: (text) => answers.push(text),
      replace: (text) => replaced.push(text),
      ...options,
    },
    {
      forward: (bytes) => sent.push(latin1(bytes)),
      pause: () => flow.push('pause'),
      resume: () => flow.push('resume'),
    },
  );
  const take = (text: string): void => gate.take(Buffer.from(text, 'latin1'));
  return {
    desk: interceptor,
    gate,
    take,
    settled,
    answers,
    replaced,
    flow,
    sent: () => sent.join(''),
    seen: () => seen.join(''),
  };
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

function none(): void {
  // This test ignores the event.
}

const call = (id: number, name = 'echo'): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}"}}`;

describe('a line', () => {
  it('sends a held line byte for byte when it is released', () => {
    const { desk: interceptor, take, sent, settled } = openGate();
    take(` ${call(1)} \r\n`);
    expect(sent()).toBe('');
    interceptor.decide('m0', { action: 'forward' });
    expect(sent()).toBe(` ${call(1)} \r\n`);
    expect(settled).toMatchObject([[{ text: call(1), id: 'm0', decision: { action: 'forward' } }]]);
  });

  it('sends an edited message on one line', () => {
    const { desk: interceptor, take, sent } = openGate();
    take(`${call(1)}\n`);
    interceptor.decide('m0', { action: 'edit', text: '{\n  "a": 1\r\n}' });
    expect(sent()).toBe('{   "a": 1 }\n');
  });

  it('does not send a dropped line, and releases the lines behind it', () => {
    const { desk: interceptor, take, sent } = openGate({ wants: ({ text }) => text === call(1) });
    take(`${call(1)}\n${call(2)}\nnoise\n`);
    expect(sent()).toBe('');
    interceptor.decide('m0', { action: 'drop' });
    expect(sent()).toBe(`${call(2)}\nnoise\n`);
  });

  it('does not send an answered line, and returns the answer after it is recorded', () => {
    const order: string[] = [];
    const {
      desk: interceptor,
      take,
      sent,
    } = openGate({
      onSettled: () => order.push('recorded'),
      answer: (text) => order.push(text),
    });
    take(`${call(1)}\n`);
    interceptor.decide('m0', { action: 'answer', text: '{"id":1,"result":{}}' });
    expect(sent()).toBe('');
    expect(order).toEqual(['recorded', '{"id":1,"result":{}}']);
  });

  it('keeps the order of lines, whichever is decided first', () => {
    const { desk: interceptor, take, sent } = openGate();
    take(`${call(1)}\n${call(2)}\n${call(3)}\n`);
    for (const id of ['m2', 'm1']) interceptor.decide(id, { action: 'forward' });
    expect(sent()).toBe('');
    interceptor.decide('m0', { action: 'forward' });
    expect(sent()).toBe(`${call(1)}\n${call(2)}\n${call(3)}\n`);
  });

  it('lets a line overtake a held one if order does not matter', () => {
    const { desk: interceptor, take, sent } = openGate({ outOfOrder: true, wants: ({ text }) => text === call(1) });
    take(`${call(1)}\n${call(2)}\n`);
    expect(sent()).toBe(`${call(2)}\n`);
    interceptor.decide('m0', { action: 'forward' });
    expect(sent()).toBe(`${call(2)}\n${call(1)}\n`);
  });

  it('does not insert a released line into one that is overtaking it', () => {
    const { desk: interceptor, take, sent } = openGate({ outOfOrder: true, maxMessageBytes: 80 });
    take(`${call(1)}\n`);
    take('x'.repeat(100));
    interceptor.decide('m0', { action: 'forward' });
    expect(sent()).toBe('x'.repeat(100));
    take('y\n');
    expect(sent()).toBe(`${'x'.repeat(100)}y\n${call(1)}\n`);
  });

  it('does not hold a line that exceeds the message limit', () => {
    const { take, sent } = openGate({ maxMessageBytes: 20 });
    take(call(1));
    expect(sent()).toBe(call(1));
    take('\n');
    expect(sent()).toBe(`${call(1)}\n`);
  });
});

describe('a batch', () => {
  it('sends a batch without its dropped messages', () => {
    const { desk: interceptor, take, sent, settled } = openGate();
    take(`[${call(1)}, ${call(2)},${call(3)}]\n`);
    interceptor.decide('m0', { action: 'drop' });
    interceptor.decide('m1', { action: 'edit', text: '{"id":9}' });
    expect(sent()).toBe('');
    interceptor.decide('m2', { action: 'forward' });
    expect(sent()).toBe(`[{"id":9},${call(3)}]\n`);
    expect(settled).toMatchObject([[{ id: 'm0', inBatch: true }, { id: 'm1' }, { id: 'm2' }]]);
  });
});

describe('turning interception on and off', () => {
  it('forwards the current line to its end if interception is turned on in the middle of it', () => {
    const { desk: interceptor, take, sent, seen } = openGate({ mode: 'passthrough' });
    take(call(1).slice(0, 10));
    interceptor.setMode('intercept');
    take(`${call(1).slice(10)}\n${call(2)}\n`);
    expect(sent()).toBe(`${call(1)}\n`);
    expect(seen()).toBe(`${call(1)}\n`);
    expect(interceptor.held).toHaveLength(1);
  });

  it('releases the buffered start of a line when interception is turned off', () => {
    const { desk: interceptor, take, sent } = openGate();
    take(call(1).slice(0, 10));
    expect(sent()).toBe('');
    interceptor.setMode('passthrough');
    take(`${call(1).slice(10)}\n`);
    expect(sent()).toBe(`${call(1)}\n`);
  });
});

describe('an injected line', () => {
  it('sends an injected line immediately if no other line is in progress', () => {
    const { gate, take, sent } = openGate({ mode: 'passthrough' });
    take(`${call(1)}\n`);
    gate.inject('{"id":0}', none);
    expect(sent()).toBe(`${call(1)}\n{"id":0}\n`);
  });

  it('sends an injected line after the line in progress', () => {
    const { gate, take, sent } = openGate({ mode: 'passthrough' });
    const sentOwn: string[] = [];
    take('{"a":');
    gate.inject('{"id":0}', () => sentOwn.push(sent()));
    expect(sentOwn).toEqual([]);
    take('1}\n{"b":2}\n');
    expect(sent()).toBe('{"a":1}\n{"id":0}\n{"b":2}\n');
    expect(sentOwn).toEqual(['{"a":1}\n{"id":0}\n']);
  });
});

describe('the end of the stream', () => {
  it('delays the end of the stream until held messages are released', async () => {
    const { desk: interceptor, gate, take, sent } = openGate();
    take(`${call(1)}\n`);
    let hasEnded = false;
    const ended = gate.end().then(() => {
      hasEnded = true;
    });
    await Promise.resolve();
    expect(hasEnded).toBe(false);
    interceptor.decide('m0', { action: 'forward' });
    await ended;
    expect(sent()).toBe(`${call(1)}\n`);
  });

  it('holds a last message that has no line ending', async () => {
    const { desk: interceptor, gate, take, sent } = openGate();
    take(call(1));
    const ended = gate.end();
    expect({ sent: sent(), held: interceptor.held.map(({ text }) => text) }).toEqual({ sent: '', held: [call(1)] });
    interceptor.decide('m0', { action: 'forward' });
    await ended;
    expect(sent()).toBe(call(1));
  });

  it('sends a last line that has no line ending', async () => {
    const { gate, take, sent } = openGate();
    take('not JSON');
    await gate.end();
    expect(sent()).toBe('not JSON');
  });
});

it('pauses the source when too much is queued, and resumes it when the queue is empty', () => {
  const { desk: interceptor, take, flow } = openGate({ wants: ({ text }) => text === call(1) });
  take(`${call(1)}\n`);
  for (let megabytes = 0; megabytes <= 16; megabytes++) take(`${'x'.repeat(1 << 20)}\n`);
  expect(flow).toEqual(['pause']);
  interceptor.decide('m0', { action: 'forward' });
  expect(flow).toEqual(['pause', 'resume']);
});

it('changes no byte if nothing is held, for any chunks and any switching of interception', () => {
  const line = fc.oneof(
    fc.constantFrom(call(1), call(2, 'é'), `[${call(3)},${call(4)}]`, '', ' ', '\r', 'noise', '\xff\xfe', '{"a":'),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 8 }),
      fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.boolean()), { minLength: 1, maxLength: 30 }),
      (lines, cuts) => {
        const text = Buffer.from(lines.join('\n')).toString('latin1');
        const { desk: interceptor, gate, take, sent, seen } = openGate({ wants: () => false });
        let at = 0;
        for (let turn = 0; at < text.length; turn++) {
          const [length, switches] = cuts[turn % cuts.length] ?? [1, false];
          take(text.slice(at, at + length));
          at += length;
          if (switches) interceptor.setMode(interceptor.mode === 'intercept' ? 'passthrough' : 'intercept');
        }
        void gate.end();
        expect(sent()).toBe(text);
        expect(seen()).toBe(text);
      },
    ),
  );
});

describe('a line that is refused', () => {
  const failsClosed = true;

  it('replaces a response that is too long, once it has ended, by an error with its id', () => {
    const interceptor = sampleInterceptor({ failsClosed });
    const { gate, take, replaced, answers, sent } = openGate({
      interceptor,
      direction: 'server_to_client',
      maxMessageBytes: 100,
    });
    take(`{"result":{"text":"${'x'.repeat(90)}`);
    take(`${'x'.repeat(90)}"},"jsonrpc":"2.0",`);
    expect(replaced).toEqual([]);
    take('"id":"a"}\n{"jsonrpc":"2.0","method":"after"}\n');
    expect(replaced.map((text) => JSON.parse(text) as unknown)).toMatchObject([{ id: 'a', error: { code: -32000 } }]);
    expect(answers).toEqual([]);
    expect(sent()).toBe('');
    expect(interceptor.held).toMatchObject([{ text: '{"jsonrpc":"2.0","method":"after"}' }]);
    take(`{"id":5,"result":"${'x'.repeat(90)}`);
    void gate.end();
    expect(replaced).toHaveLength(2);
  });

  it('answers a refused request with an error that has its id', () => {
    const { take, answers, replaced } = openGate({
      interceptor: sampleInterceptor({ failsClosed }),
      maxMessageBytes: 50,
    });
    take(`{"id":7,"method":"tools/call","params":{"x":"${'x'.repeat(90)}"}}\n`);
    take(`${'x'.repeat(90)}\n`);
    expect(answers.map((text) => (JSON.parse(text) as { id: unknown }).id)).toEqual([7, null]);
    expect(replaced).toEqual([]);
  });
});
