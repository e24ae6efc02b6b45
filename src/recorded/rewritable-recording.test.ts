import { describe, expect, it } from 'vitest';
import { AGE_ARMORED } from '../../test/support/age-sample.ts';
import { Place } from '../../test/support/place.ts';
import { sessionText } from '../../test/support/session-texts.ts';
import { partText, traceText } from '../../test/support/trace-texts.ts';
import { assertRewritable } from './rewritable-recording.ts';

describe('assertRewritable', () => {
  it('accepts a recording whose file contains all of it', async () => {
    const place = new Place();
    place.write('session.json', sessionText([]));
    place.write('trace.jsonl', traceText());
    await assertRewritable(place.path('session.json'), 'json');
    await assertRewritable(place.path('trace.jsonl'), 'trace');
  });

  it.each([
    ['in a format that lacks something', 'har', 'it is in the format har', /^Convert it to a session file first/],
    ['in several parts', 'trace', 'it is one of 2 parts', /^Merge them first/],
    ['that is encrypted', 'json', 'it is encrypted', 'Decrypt it first.'],
  ])('rejects a recording %s', async (_, format, why, hint) => {
    const place = new Place();
    place.write('x.jsonl', format === 'json' ? AGE_ARMORED : partText(1, [0, 2]));
    place.write('x.part-2.jsonl', partText(2, [2, 4]));
    const path = place.path('x.jsonl');
    await expect(assertRewritable(path, format)).rejects.toMatchObject({
      code: 'usage',
      message: `Cannot rewrite ${path}: ${why}`,
      hint: typeof hint === 'string' ? hint : expect.stringMatching(hint),
    });
  });
});
