import fc from 'fast-check';

/** Bytes that mean harm, for properties of readers. */

const token = fc.constantFrom(
  ...['{', '}', '[', ']', ',', ':', '"', '\\', '\n', '\r\n', '\0', ' ', '-', '1e999', 'null', 'true', '"t"', '"raw"'],
  ...['{"v":1,"type":"meta"}\n', '{"type":"end"}', '"messages":[', '"events":[', '{"jsonrpc":"2.0"', '"__proto__":'],
  ...[
    '"direction":"up"',
    '"before":-1e99',
    '"timestamp_ms":9e15',
    '"t":"9999-12-31T23:59:60Z"',
    '"extra":{"payload":1}',
  ],
  ...['\uFEFF', '\\ud800', '🦊', '{"trace":{"meta":{"label":[]},"end":[]}}', '"command":[["a"]]', '"id":{}'],
);

const bytesOfToken = token.map((text) => new TextEncoder().encode(text));

const piece: fc.Arbitrary<Uint8Array> = fc.oneof(bytesOfToken, fc.uint8Array({ maxLength: 6 }));

/** Any bytes, mostly such as occur in recordings. */
export const hostileBytes: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.constantFrom('', '{', '[', '{"messages":[', '{"v":1,"type":"meta"}\n', '{"jsonrpc":"2.0"}\n'),
    fc.array(piece, { maxLength: 40 }),
  )
  .map(([start, pieces]) => joined([new TextEncoder().encode(start), ...pieces]));

/** Ways to damage a file: some bytes replaced, removed, added, doubled. */
export const mutations: fc.Arbitrary<(bytes: Uint8Array) => Uint8Array> = fc
  .array(
    fc.record({
      at: fc.nat(),
      length: fc.nat(40),
      doubles: fc.boolean(),
      put: fc.oneof(fc.constant(new Uint8Array(0)), piece),
    }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map(
    (changes) => (bytes) =>
      changes.reduce((changed, { at, length, doubles, put }) => {
        const start = at % (changed.length + 1);
        const end = Math.min(changed.length, start + length);
        const again = doubles ? changed.subarray(start, end) : new Uint8Array(0);
        return joined([changed.subarray(0, doubles ? end : start), again, put, changed.subarray(end)]);
      }, bytes),
  );

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
