import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { ClientDialogue, InboundEvents, StrayLine } from './inbound-transport.ts';
import { openStdioInbound } from './stdio-inbound.ts';

/** A stdio inbound on two streams, and the events it emits. */
function front({
  takesMore = true,
  maxMessageBytes = 1000,
  answered = Promise.resolve(),
  released = undefined as Promise<void> | undefined,
} = {}): {
  stdin: PassThrough;
  stdout: PassThrough;
  received: string[];
  strays: StrayLine[];
  sent: string[];
  reported: string[];
  dialogue: ClientDialogue;
  ends: () => number;
  close: () => void;
} {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const received: string[] = [];
  const strays: StrayLine[] = [];
  const sent: string[] = [];
  const reported: string[] = [];
  let ends = 0;
  let isHeld = released !== undefined;
  let dialogue: ClientDialogue | undefined;
  const nothing = (): void => undefined;
  const events: InboundEvents = {
    onDialogue(opened) {
      dialogue = opened;
      return {
        onMessage({ body, text }) {
          sent.push(body.kind);
          return received.push(text) > 0 && takesMore;
        },
        onAbandon: nothing,
        onDrain: nothing,
        onEnd: () => void ends++,
        answered: () => answered,
        isHeld: () => isHeld,
        async released() {
          await released;
          isHeld = false;
        },
      };
    },
    onReported: ({ text }) => void reported.push(text),
    onReportedAsBatch: nothing,
    onStrayLine: (line) => void strays.push(line),
    onEndpoint: nothing,
    onUndelivered: nothing,
    nextExchange: () => 0,
    onExchange: nothing,
  };
  const opened = openStdioInbound({ stdin, stdout, maxMessageBytes, events });
  if (dialogue === undefined) throw new Error('No dialogue');
  return {
    stdin,
    stdout,
    received,
    strays,
    sent,
    reported,
    dialogue,
    ends: () => ends,
    close: () => opened.close(),
  };
}

it('forwards every line that is a message or a batch unchanged', () => {
  const { stdin, received, sent } = front();
  stdin.write('{"id": 1.0,"method":"a"}\r\n\n[{"id":2,"method":"b"},{"id":3,"method":"c"}]\n');
  expect(received).toEqual(['{"id": 1.0,"method":"a"}', '[{"id":2,"method":"b"},{"id":3,"method":"c"}]']);
  expect(sent).toEqual(['message', 'batch']);
});

it('reports lines that are not messages and does not forward them', () => {
  const { stdin, received, strays } = front({ maxMessageBytes: 20 });
  stdin.write('hello\r\n[1]\n');
  stdin.write(Buffer.from([0xff, 0x0a]));
  stdin.write(`{"method":"${'x'.repeat(20)}"}\n`);
  expect(received).toEqual([]);
  expect(strays).toMatchObject([{ text: 'hello' }, { text: '[1]' }, { bytes: expect.anything() }, { size: 33 }]);
});

it('writes each message on one line', () => {
  const { stdout, dialogue, reported } = front();
  dialogue.deliver('{"id":1,\n  "result":{}}', {});
  expect(reported).toHaveLength(1);
  expect(String(stdout.read())).toBe('{"id":1,   "result":{}}\n');
});

it('pauses reading while the target applies backpressure', () => {
  const { stdin, dialogue } = front({ takesMore: false });
  stdin.write('{"method":"a"}\n');
  expect(stdin.isPaused()).toBe(true);
  dialogue.resume();
  expect(stdin.isPaused()).toBe(false);
});

it('forwards an unterminated last line and ends once', async () => {
  const { stdin, received, ends } = front();
  stdin.end('{"method":"a"}');
  await new Promise((resolve) => stdin.once('close', resolve));
  expect(received).toEqual(['{"method":"a"}']);
  await nextTurn();
  expect(ends()).toBe(1);
});

it('does not end before the last request is answered', async () => {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const { stdin, ends } = front({ answered });
  stdin.end('{"id":1,"method":"a"}\n');
  await new Promise((resolve) => stdin.once('close', resolve));
  await nextTurn();
  expect(ends()).toBe(0);
  answer();
  await nextTurn();
  expect(ends()).toBe(1);
});

it('waits for held messages without a limit, and only then for responses up to a timeout', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const { stdin, ends } = front({ released, answered: new Promise(() => undefined) });
  stdin.end('{"id":1,"method":"a"}\n');
  await new Promise((resolve) => stdin.once('close', resolve));
  await nextTurn();
  expect(vi.getTimerCount()).toBe(0);
  release();
  await nextTurn();
  expect([vi.getTimerCount(), ends()]).toEqual([1, 0]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(ends()).toBe(1);
});

it('stops waiting for responses once it is closed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { stdin, ends, close } = front({ answered: new Promise(() => undefined) });
  stdin.end();
  await new Promise((resolve) => stdin.once('close', resolve));
  expect(vi.getTimerCount()).toBe(1);
  close();
  expect(ends()).toBe(1);
  await nextTurn();
  expect(vi.getTimerCount()).toBe(0);
});

it('treats a client that closed its end of stdout as disconnected', async () => {
  const { stdout, ends } = front();
  stdout.destroy(new Error('EPIPE'));
  await new Promise((resolve) => stdout.once('close', resolve));
  expect(ends()).toBe(1);
});
