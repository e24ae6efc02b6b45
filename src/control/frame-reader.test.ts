import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FrameReader } from './frame-reader.ts';

/** The frames that a reader returns for bytes in these chunks. */
function read(pieces: readonly Uint8Array[], maxBytes: number): string[] {
  const reported: string[] = [];
  const reader = new FrameReader(maxBytes, {
    onLine: (text) => reported.push(`line ${text}`),
    onFault: (fault) => reported.push(`fault ${fault}`),
  });
  for (const piece of pieces) reader.push(piece);
  return reported;
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((start, index) => bytes.subarray(start, at[index] ?? bytes.length));
}

const line = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.constant('x'.repeat(60)));

it('reads the same lines for any chunk boundaries', () => {
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat()), (lines, places) => {
      const bytes = Buffer.from(`${lines.join('\n')}\n`);
      expect(read(cut(bytes, places), 50)).toEqual(read([bytes], 50));
    }),
  );
});

it('stops with a fault on invalid UTF-8, for any chunk boundaries', () => {
  const bytes = Buffer.concat([Buffer.from('a\n{'), Buffer.from([0xc3, 0x28]), Buffer.from('}\nb\n')]);
  fc.assert(
    fc.property(fc.array(fc.nat()), (places) => {
      expect(read(cut(bytes, places), 50)).toEqual(['line a', 'fault not-utf8']);
    }),
  );
});

it.each([
  ['is as long as it may be', `${'é'.repeat(5)}\nb\n`, [`line ${'é'.repeat(5)}`, 'line b']],
  ['is one byte longer', `${'é'.repeat(5)}x\nb\n`, ['fault too-long']],
  ['is longer and goes on', 'x'.repeat(11), ['fault too-long']],
])('enforces the length limit on a line that %s', (_, text, reported) => {
  expect(read([Buffer.from(text)], 10)).toEqual(reported);
});

it('reads no more lines once the line listener stops it', () => {
  const reported: string[] = [];
  const reader = new FrameReader(10, {
    onLine: (text) => {
      reported.push(text);
      reader.stop();
    },
    onFault: (fault) => reported.push(fault),
  });
  reader.push(Buffer.from(`a\nb\n${'x'.repeat(20)}`));
  reader.push(Buffer.from('c\n'));
  expect(reported).toEqual(['a']);
});
