import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eventsOf } from '../support/recordings.ts';
import type { Field } from './http-message.ts';
import { ask, inChunks, Line, type Sent, withLength } from './oracle.ts';

const NAME = fc.stringMatching(/^[xX]-[!#$%&'*+.^_`|~0-9A-Za-z-]{1,12}$/);
const VALUE = fc.stringMatching(/^[\t\x20-\x7e\x80-\xff]{0,20}$/);
const FIELDS: fc.Arbitrary<Field[]> = fc.array(fc.tuple(NAME, VALUE), { maxLength: 6 });
const BODY = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.json().map((text) => Buffer.from(text)),
  fc.constant(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}')),
);
const TYPE = fc.constantFrom('application/json', 'text/event-stream', 'text/plain', 'application/octet-stream', '');
const FRAMING = fc.oneof(
  fc.constant(withLength),
  fc.integer({ min: 1, max: 400 }).map((max) => (sent: Sent) => inChunks(sent, max)),
);

/** Any message with this start line. */
function message(start: string): fc.Arbitrary<Sent> {
  return fc.tuple(FIELDS, TYPE, BODY, FRAMING).map(([fields, type, body, framed]) => {
    const typed: Field[] = [...fields, ['Content-Type', type]];
    return framed(start.startsWith('HTTP/') ? { start, fields: typed, body } : ask(start, typed, body));
  });
}

it('any request and any response arrive as they were sent while mcpreel records them', async () => {
  const line = await Line.open();
  let carried = 0;
  const request = message('POST /mcp HTTP/1.1');
  const answer = message('HTTP/1.1 200 OK');
  await fc.assert(
    fc.asyncProperty(request, answer, async (requested, reported) => {
      await line.expectSame(requested, reported);
      carried++;
    }),
  );
  const { outcome, trace } = await line.proxy.stop();
  expect(outcome.code).toBe(0);
  expect(eventsOf(trace, 'http.exchange')).toHaveLength(carried);
});
