import { expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { traceOf } from './trace-of.ts';

it('import does not write over the file that it reads, or over a file that was not named', async () => {
  const place = new CommandPlace();
  const text = traceOf({ tools: [], args: {} });
  place.write('a.jsonl', text);
  expect((await place.run(['import', 'a.jsonl', '--out-trace', 'a.jsonl'])).code).toBe(2);
  expect(place.read('a.jsonl')).toBe(text);
  place.write('a.trace.jsonl', 'precious');
  expect((await place.run(['import', 'a.jsonl'])).code).toBe(2);
  expect(place.read('a.trace.jsonl')).toBe('precious');
  expect((await place.run(['import', 'a.jsonl', '--out-trace', 'a.trace.jsonl'])).code).toBe(0);
});
