import { expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { traceOf } from './trace-of.ts';

it('import does not write over the file that it reads', async () => {
  const place = new CommandPlace();
  const text = traceOf({ tools: [], args: {} });
  place.write('a.jsonl', text);
  expect((await place.run(['import', 'a.jsonl', '--out-trace', 'a.jsonl'])).code).toBe(2);
  expect(place.read('a.jsonl')).toBe(text);
  expect((await place.run(['import', 'a.jsonl'])).code).toBe(0);
  expect((await place.run(['import', 'a.jsonl'])).code).toBe(0);
});
