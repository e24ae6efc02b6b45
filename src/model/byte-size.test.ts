import { expect, it } from 'vitest';
import { parseByteSize } from './byte-size.ts';

it.each([
  ['0', 0],
  ['4096', 4096],
  ['64k', 65_536],
  ['128M', 134_217_728],
  ['1.5G', 1_610_612_736],
  ['10KB', 10_240],
  ['1MiB', 1_048_576],
])('parses the byte size %s', (text, bytes) => expect(parseByteSize(text)).toBe(bytes));

it.each(['', 'k', '-1', '1e3', '1 k', '1x', '1.M', '99999999999999999999'])('rejects the byte size %j', (text) =>
  expect(parseByteSize(text)).toBeUndefined(),
);
