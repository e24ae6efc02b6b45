import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { openGate, relay } from './relay.ts';

const clock = (): number => 7;

describe('a relay', () => {
  it('forwards a chunk before it inspects it, and reports when it was read', async () => {
    const [from, to] = [new PassThrough(), new PassThrough()];
    const happened: unknown[] = [];
    to.write = (chunk: unknown) => happened.push(['forwarded', String(chunk)]) > 0;
    from.end('a');
    await relay(
      from,
      to,
      openGate(clock, { goesFirst: false, push: (chunk, atMs) => happened.push(['seen', String(chunk), atMs]) }),
    );
    expect(happened).toEqual([
      ['forwarded', 'a'],
      ['seen', 'a', 7],
    ]);
  });

  it('passes chunks to its gate, which can hold a chunk and release it later', async () => {
    const [from, to] = [new PassThrough(), new PassThrough()];
    const held: (() => void)[] = [];
    const relayed = relay(from, to, ({ forward }) => ({ take: (chunk) => void held.push(() => forward(chunk)) }));
    from.end('held');
    await relayed;
    expect(to.readableLength).toBe(0);
    for (const letGo of held) letGo();
    to.end();
    expect(String(await buffer(to))).toBe('held');
  });

  it.each([
    ['ended', (stream: PassThrough) => stream.end().resume()],
    ['was destroyed', (stream: PassThrough) => stream.destroy()],
  ])('finishes immediately if the source %s long ago', async (_, finish) => {
    const from = new PassThrough();
    finish(from);
    await new Promise((resolve) => from.once('close', resolve));
    await relay(from, new PassThrough(), openGate(clock, { goesFirst: false, push: () => undefined }));
  });

  it.each([
    ['was closed before', (to: PassThrough) => to.destroy()],
    ['ended before', (to: PassThrough) => to.end()],
    ['is closed meanwhile', (to: PassThrough) => void setImmediate(() => to.destroy())],
  ])('still records what the source sends to a receiver that %s', async (_, leave) => {
    const [from, to] = [new PassThrough(), new PassThrough()];
    const seen: string[] = [];
    leave(to);
    await relay(from, to, openGate(clock, { goesFirst: false, push: (chunk) => seen.push(String(chunk)) }));
    from.write('a');
    await new Promise(setImmediate);
    expect(seen).toEqual(['a']);
  });

  it('records everything that a source sent before it is closed because writing to the receiver failed', async () => {
    const [from, to] = [new PassThrough(), new PassThrough()];
    const seen: string[] = [];
    const relayed = relay(from, to, openGate(clock, { goesFirst: false, push: (chunk) => seen.push(String(chunk)) }));
    to.destroy(new Error('EPIPE'));
    for (const text of ['a', 'b', 'c']) from.write(text);
    await relayed;
    await new Promise((resolve) => from.once('close', resolve));
    expect(seen.join('')).toBe('abc');
  });

  it('closes a source that keeps sending to a receiver that has closed', async () => {
    const [from, to] = [new PassThrough(), new PassThrough().destroy()];
    let lines = 0;
    await relay(from, to, openGate(clock, { goesFirst: false, push: () => lines++ }));
    while (!from.destroyed && lines < 30_000) {
      from.write('y\n');
      await Promise.resolve();
    }
    expect([from.destroyed, lines]).toEqual([true, 20_001]);
  });
});
