import { expect, it } from 'vitest';
import { PageEventStream } from './event-stream.ts';

it('disconnects a page that does not read, before its events fill the memory', async () => {
  let left = 0;
  const stream = new PageEventStream(() => left++);
  const text = 'x'.repeat(1 << 20);
  for (let n = 0; n < 100; n++) stream.send({ text });
  expect([stream.isOver, left]).toEqual([true, 1]);
  await expect(stream.body.getReader().read()).rejects.toThrow('does not read its events');
  await stream.room();
});

it('keeps a page that reads', async () => {
  const stream = new PageEventStream(() => undefined);
  const reader = stream.body.getReader();
  const text = 'x'.repeat(1 << 20);
  for (let n = 0; n < 100; n++) {
    stream.send({ text });
    await reader.read();
  }
  expect(stream.isOver).toBe(false);
});
