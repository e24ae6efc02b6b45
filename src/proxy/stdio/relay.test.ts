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
    await relay(from, to, openGate(clock, { push: (chunk, atMs) => happened.push(['seen', String(chunk), atMs]) }));
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
    await relay(from, new PassThrough(), openGate(clock, { push: () => undefined }));
  });
});
