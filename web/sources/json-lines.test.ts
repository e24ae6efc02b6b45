import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonLines } from './json-lines.ts';

async function valuesIn(text: string, cuts: readonly number[]): Promise<unknown[]> {
  const bytes = new TextEncoder().encode(text);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const [index, from] of places.slice(0, -1).entries())
        controller.enqueue(bytes.slice(from, places[index + 1]));
      controller.close();
    },
  });
  const values: unknown[] = [];
  for await (const value of jsonLines(body)) values.push(value);
  return values;
}

it('yields the same values for any chunk boundaries', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat()), async (texts, cuts) => {
      const lines = texts.map((text) => `${JSON.stringify({ text })}\n`).join('');
      expect(await valuesIn(lines, cuts)).toEqual(texts.map((text) => ({ text })));
    }),
  );
});

it('skips a line that was cut off', async () => {
  expect(await valuesIn('{"a":1}\n\n{"b":', [])).toEqual([{ a: 1 }]);
});
