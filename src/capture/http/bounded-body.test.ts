import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BoundedBody } from './bounded-body.ts';

function gathered(limit: number, chunks: readonly Uint8Array[]): ReturnType<BoundedBody['end']> {
  const body = new BoundedBody(limit);
  for (const chunk of chunks) body.push(chunk);
  return body.end();
}

it('keeps a body up to the limit, or the size and hash of a longer one, for any chunks', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 6 }), { maxLength: 6 }), fc.nat(20), (chunks, limit) => {
      const whole = Buffer.concat(chunks);
      const sha256 = createHash('sha256').update(whole).digest('hex');
      const kept = gathered(limit, chunks);
      if (whole.length > limit) expect(kept).toEqual({ size: whole.length, sha256 });
      else expect(Buffer.from(kept as Uint8Array)).toEqual(whole);
    }),
  );
});

it('returns a body of one chunk without copying it', () => {
  const chunk = Uint8Array.of(1, 2, 3);
  expect(gathered(3, [chunk])).toBe(chunk);
});
