import { Buffer } from 'node:buffer';
import { mutateJson } from './mutate-json.ts';
import type { Random } from './random.ts';
import { deeply, TOKENS } from './tokens.ts';

/** Longer inputs are cut: many short inputs find more in the same time. */
const MAX_BYTES = 1 << 15;

type Mutation = (bytes: Uint8Array, random: Random, others: readonly Uint8Array[]) => Uint8Array;

/** Makes a new input from another by one to eight changes, most of them small. */
export function mutate(bytes: Uint8Array, random: Random, others: readonly Uint8Array[]): Uint8Array {
  let changed = bytes;
  for (let left = 1 + random.below(random.pick([1, 2, 2, 4, 8])); left > 0; left--) {
    changed = random.pick(MUTATIONS)(changed, random, others);
    if (changed.length > MAX_BYTES) changed = changed.subarray(0, MAX_BYTES);
  }
  // Copied, because Node's buffers share a memory pool.
  return new Uint8Array(changed);
}

const structure: Mutation = (bytes, random, others) => {
  const text = Buffer.from(bytes).toString('utf8');
  const donor = Buffer.from(random.pick(others)).toString('utf8');
  return Buffer.from(mutateJson(text, random, donor));
};

const flipBit: Mutation = (bytes, random) => {
  const flipped = Uint8Array.from(bytes);
  const at = random.below(flipped.length);
  if (flipped.length > 0) flipped[at] = (flipped[at] ?? 0) ^ (1 << random.below(8));
  return flipped;
};

const setByte: Mutation = (bytes, random) => {
  const changed = Uint8Array.from(bytes);
  if (changed.length > 0) changed[random.below(changed.length)] = random.below(256);
  return changed;
};

const insertToken: Mutation = (bytes, random) => {
  const at = random.below(bytes.length + 1);
  return joined(bytes.subarray(0, at), Buffer.from(random.pick(TOKENS)), bytes.subarray(at));
};

const replaceByToken: Mutation = (bytes, random) => {
  const [start, end] = range(bytes, random, 12);
  return joined(bytes.subarray(0, start), Buffer.from(random.pick(TOKENS)), bytes.subarray(end));
};

const remove: Mutation = (bytes, random) => {
  const [start, end] = range(bytes, random, random.pick([1, 4, 40, 400]));
  return joined(bytes.subarray(0, start), bytes.subarray(end));
};

const double: Mutation = (bytes, random) => {
  const [start, end] = range(bytes, random, random.pick([4, 40, 400]));
  return joined(bytes.subarray(0, end), bytes.subarray(start));
};

const truncate: Mutation = (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1));

const behead: Mutation = (bytes, random) => bytes.subarray(random.below(bytes.length + 1));

const splice: Mutation = (bytes, random, others) => {
  const other = random.pick(others);
  return joined(bytes.subarray(0, random.below(bytes.length + 1)), other.subarray(random.below(other.length + 1)));
};

const repeat: Mutation = (bytes, random) => {
  const [start, end] = range(bytes, random, 20);
  const copies = Array.from({ length: random.pick([2, 10, 300]) }, () => bytes.subarray(start, end));
  return joined(bytes.subarray(0, start), ...copies, bytes.subarray(end));
};

const nest: Mutation = (bytes, random) => {
  const [open, close] = random.pick([['[', ']'] as const, ['{"a":', '}'] as const, ['(', ')'] as const]);
  const at = random.below(bytes.length + 1);
  const deep = deeply(open, random.oneIn(3) ? '' : close, random.pick([2, 60, 1500]));
  return joined(bytes.subarray(0, at), Buffer.from(deep), bytes.subarray(at));
};

const swapLines: Mutation = (bytes, random) => {
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  const [a, b] = [random.below(lines.length), random.below(lines.length)];
  [lines[a], lines[b]] = [lines[b] ?? '', lines[a] ?? ''];
  return Buffer.from(lines.join('\n'), 'latin1');
};

const otherLineEnds: Mutation = (bytes, random) =>
  Buffer.from(
    Buffer.from(bytes)
      .toString('latin1')
      .replaceAll('\n', random.pick(['\r\n', '\r', '\n\n'])),
    'latin1',
  );

const MUTATIONS: readonly Mutation[] = [
  ...[structure, structure, structure, structure, structure, structure, insertToken, insertToken, replaceByToken],
  ...[flipBit, setByte, remove, double, truncate, behead, splice, repeat, nest, swapLines, otherLineEnds],
];

function range(bytes: Uint8Array, random: Random, longest: number): [start: number, end: number] {
  const start = random.below(bytes.length + 1);
  return [start, Math.min(bytes.length, start + 1 + random.below(longest))];
}

function joined(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
