import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  JournalReader,
  type JournalRecord,
  RECORD_HEADER_BYTES,
  SLICE_BYTES,
  writeRecordHeader,
} from './journal-record.ts';

const records = fc.array(
  fc.record({
    kind: fc.constantFrom('bytes', 'end', 'act'),
    stream: fc.nat(9),
    atMs: fc.double({ min: 0, max: 2e12, noNaN: true }),
    offset: fc.nat(),
    payload: fc.uint8Array({ maxLength: 40 }),
  }),
  { maxLength: 8 },
) as fc.Arbitrary<JournalRecord[]>;

function fileOf(written: readonly JournalRecord[]): Uint8Array {
  const parts = written.map((record) => {
    const bytes = new Uint8Array(RECORD_HEADER_BYTES + record.payload.length);
    writeRecordHeader(new DataView(bytes.buffer), record);
    bytes.set(record.payload, RECORD_HEADER_BYTES);
    return bytes;
  });
  return Buffer.concat(parts);
}

/** Reads a file that returns at most `most` bytes at a time. */
function readAll(file: Uint8Array, start = 0, most = file.length): JournalRecord[] {
  const reader = new JournalReader((into, position) => {
    const bytes = file.subarray(position, position + Math.min(into.length, most));
    into.set(bytes);
    return bytes.length;
  }, start);
  const found: JournalRecord[] = [];
  for (let record = reader.next(file.length); record !== undefined; record = reader.next(file.length)) {
    found.push({ ...record, payload: Uint8Array.from(record.payload) });
  }
  return found;
}

it('reads what was written, however few bytes each read returns', () => {
  fc.assert(
    fc.property(records, fc.integer({ min: 1, max: 100 }), (written, most) => {
      expect(readAll(fileOf(written), 0, most)).toEqual(written);
    }),
  );
});

it('reads the whole records of a file that is cut off at any byte', () => {
  fc.assert(
    fc.property(records, (written) => {
      const file = fileOf(written);
      const ends = written.map((_, index) => fileOf(written.slice(0, index + 1)).length);
      for (let size = 0; size <= file.length; size++) {
        const whole = ends.filter((end) => end <= size).length;
        expect(readAll(file.subarray(0, size))).toEqual(written.slice(0, whole));
      }
    }),
  );
});

it('stops at bytes that are not a record', () => {
  const [first] = [{ kind: 'act', stream: 3, atMs: 1, offset: 1, payload: Uint8Array.of(123, 125) }] as JournalRecord[];
  const file = Buffer.concat([fileOf(first === undefined ? [] : [first]), Buffer.alloc(100, 'x')]);
  expect(readAll(file)).toEqual([first]);
});

it('returns long chunks in slices, each with the offset of its own end', () => {
  const payload = Buffer.alloc(2.5 * SLICE_BYTES, 'abc');
  const offset = 1000 + payload.length;
  const found = readAll(fileOf([{ kind: 'bytes', stream: 1, atMs: 5, offset, payload }]));
  expect(found.map((record) => record.payload.length)).toEqual([SLICE_BYTES, SLICE_BYTES, SLICE_BYTES / 2]);
  expect(found.map((record) => record.offset)).toEqual([
    1000 + SLICE_BYTES,
    1000 + 2 * SLICE_BYTES,
    1000 + 2.5 * SLICE_BYTES,
  ]);
  expect(Buffer.concat(found.map((record) => record.payload)).equals(payload)).toBe(true);
});

it('returns an act as a whole, however long it is', () => {
  const payload = Buffer.alloc(3 * SLICE_BYTES, 'abc');
  const act: JournalRecord = { kind: 'act', stream: 3, atMs: 5, offset: 1, payload };
  expect(readAll(fileOf([act, act]), 0, 50_000).map((record) => record.payload.length)).toEqual([
    payload.length,
    payload.length,
  ]);
});

it('sees what was appended after the end that it had reached', () => {
  const [a, b] = [1, 2].map((offset) =>
    fileOf([{ kind: 'end', stream: 0, atMs: 0, offset, payload: new Uint8Array(0) }]),
  );
  let file = Buffer.concat([a ?? Buffer.alloc(0)]);
  const reader = new JournalReader((into, position) => file.copy(into, 0, position), 0);
  expect(reader.next(file.length)).toMatchObject({ offset: 1 });
  expect(reader.next(file.length)).toBeUndefined();
  file = Buffer.concat([file, b ?? Buffer.alloc(0)]);
  expect(reader.next(file.length)).toMatchObject({ offset: 2 });
});
