import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEnvelope } from './envelope.ts';
import { EnvelopeScan, type ScannedEnvelope } from './envelope-scan.ts';
import { RefusedBytes } from './refused-bytes.ts';

function scanned(text: string, size = text.length + 1): readonly ScannedEnvelope[] {
  const scan = new EnvelopeScan();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) scan.push(bytes.subarray(at, at + size));
  return scan.end();
}

describe('a scan for envelopes', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":7,"result":{"id":8}}', [{ kind: 'response', id: '7' }]],
    ['{"result":{"x":[{"id":1}]},"jsonrpc":"2.0","id":"a,}\\"b"}', [{ kind: 'response', id: '"a,}\\"b"' }]],
    ['{"error":{"code":1},"id": 12345678901234567890 }', [{ kind: 'response', id: '12345678901234567890' }]],
    [String.raw`{"\u0069d":7,"m\u0065thod":"x"}`, [{ kind: 'request', id: '7' }]],
    ['{"method":"x","params":{"id":1,"result":2}}', [{ kind: 'notification', id: undefined }]],
    ['{"id":null,"result":{}}', [{ kind: 'response', id: undefined }]],
    ['{"id":{"id":1},"result":{}}', [{ kind: 'response', id: undefined }]],
    ['{"id":true,"result":{}}', [{ kind: 'response', id: undefined }]],
    [`{"id":"${'x'.repeat(5000)}","result":{}}`, [{ kind: 'response', id: undefined }]],
    [
      '[{"id":1,"result":{}},2,{"id":3,"method":"x"}]',
      [
        { kind: 'response', id: '1' },
        { kind: 'request', id: '3' },
      ],
    ],
    ['event: message\nid: 5\ndata: {"id":1,\ndata: "result":{}}\n\n', [{ kind: 'response', id: '1' }]],
    ['{"id":1,"result":{"cut":"off', [{ kind: 'response', id: '1' }]],
    [
      '{"result":1}{"id":2,"result":2}',
      [
        { kind: 'response', id: undefined },
        { kind: 'response', id: '2' },
      ],
    ],
    ['}]{"id":7,"result":{}}]]', [{ kind: 'response', id: '7' }]],
    ['no object', []],
    ['{"i\\d":1,"result":{}}', [{ kind: 'response', id: undefined }]],
  ])('reads %s', (text, expected) => {
    expect(scanned(text)).toEqual(expected);
    expect(scanned(text, 1)).toEqual(expected);
  });

  it('finds the same kind and id as the reader of whole messages, in chunks of any size', () => {
    const value = fc.oneof(fc.jsonValue(), fc.string(), fc.integer());
    const keys = fc.constantFrom('id', 'method', 'result', 'error', 'params', 'jsonrpc', 'x');
    const message = fc.dictionary(keys, value).map((object) => JSON.stringify(object));
    fc.assert(
      fc.property(message, fc.integer({ min: 1, max: 50 }), (text, size) => {
        const { kind, id } = readEnvelope(text);
        const [found] = scanned(text, size);
        expect(found?.id).toBe(id);
        if (!('method' in (JSON.parse(text) as object)) || kind === 'request') expect(found?.kind).toBe(kind);
      }),
    );
  });
});

describe('bytes that are refused', () => {
  it('answers the sender of a refused request, and the side that waits for a refused response', () => {
    const refused = new RefusedBytes('server_to_client', 'too long');
    refused.push(Buffer.from('[{"id":1,"method":"roots/list"},{"id":2,"result":{}},{"method":"x"}]'));
    const { toSender, toReceiver } = refused.end();
    expect(toSender.map((text) => JSON.parse(text) as unknown)).toMatchObject([{ id: 1, error: { code: -32000 } }]);
    expect(toReceiver.map((text) => JSON.parse(text) as unknown)).toMatchObject([
      { id: 2, error: { message: 'mcpreel: the response was not forwarded: too long' } },
    ]);
  });

  it('answers a client without an id if none was found, and does not answer a server', () => {
    const refused = (direction: 'client_to_server' | 'server_to_client'): unknown => {
      const bytes = new RefusedBytes(direction, 'why');
      bytes.push(Buffer.from('log: {'));
      return bytes.end();
    };
    expect(refused('client_to_server')).toMatchObject({ toSender: [expect.stringContaining('"id":null')] });
    expect(refused('server_to_client')).toEqual({ toSender: [], toReceiver: [] });
  });
});
