import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { almostJsonText, jsonText } from '../../test/support/sample-texts.ts';
import { ObjectView } from '../json/object-view.ts';
import { scanEnvelope } from './envelope.ts';
import { readPlainMessage } from './plain-message.ts';

const call = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search","arguments":{"q":"a \\"b\\""}}}';

describe('readPlainMessage', () => {
  it.each([
    [call, 'request', '7', 'tools/call', 'params'],
    ['{"method":"ping","jsonrpc":"2.0","id":"a"}', 'request', '"a"', 'ping', undefined],
    ['{"method":"x","params":{},"jsonrpc":"2.0"}', 'notification', undefined, 'x', 'params'],
    ['{"jsonrpc":"2.0","id":0,"result":{"content":[{"type":"text"}]}}', 'response', '0', undefined, 'result'],
    ['{"error":{"code":-1},"jsonrpc":"2.0","id":3}', 'response', '3', undefined, 'error'],
  ])('reads %s', (text, kind, id, method, key) => {
    const message = readPlainMessage(`>${text}<`, 1);
    expect(message).toMatchObject({ envelope: { kind, id, method }, length: text.length });
    expect(message?.body?.key).toBe(key);
    const { start, end } = message?.body ?? { start: 0, end: 0 };
    expect(text.slice(start, end)).toBe(key === undefined ? '' : ObjectView.of(text)?.textOf(key));
  });

  it.each([
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0",}',
    '{"jsonrpc":"2.0","id":1,,"id":2}',
    '{"jsonrpc":"2.0","id":1,"method":"a","id":2}',
    '{"jsonrpc":"2.0","id":1.5,"method":"a"}',
    '{"jsonrpc":"2.0","method":"a""params":{}}',
    '{"jsonrpc":"2.0","method":"a",}',
    '{"jsonrpc":"2.0","method":"a","result":{}}',
    '{"method":"a","params":{"jsonrpc":"2.0"}}',
    '{"jsonrpc":"2.0","method":"a\\n"}',
    '{"jsonrpc":"2.0","method":"a","params":{"a":1,}}',
    '{"jsonrpc":"2.0","method":"a","params":[1,]}',
    '{"jsonrpc":"2.0","method":"a","params":{"a":01}}',
    '{"jsonrpc":"2.0","method":"a","params":{"a":"\t"}}',
    ' {"jsonrpc":"2.0","method":"a"}',
  ])('leaves %s to the full parser', (text) => {
    expect(readPlainMessage(text, 0)).toBeUndefined();
  });

  it('agrees with the full parser for any members in any order', () => {
    const member = fc.oneof(
      fc.constantFrom(
        '"jsonrpc":"2.0"',
        '"id":1',
        '"id":"x"',
        '"id":null',
        '"method":"m"',
        '"method":"\\u006d"',
        '',
        ' ',
      ),
      fc
        .tuple(fc.constantFrom('params', 'result', 'error', 'x'), fc.oneof(jsonText, almostJsonText))
        .map(([key, value]) => `"${key}":${value}`),
    );
    fc.assert(
      fc.property(fc.array(member, { maxLength: 5 }), (members) => {
        const text = `{${members.join(',')}}`;
        const plain = readPlainMessage(text, 0);
        const view = ObjectView.of(text);
        if (plain === undefined) return;
        expect(plain.length).toBe(text.length);
        const { kind, id, method } = plain.envelope;
        expect({ id, method }).toEqual({ id: view?.textOf('id'), method: view?.string('method') });
        const isAnswer = view?.has('result') || view?.has('error');
        const asks = id === undefined ? 'notification' : 'request';
        expect(kind).toBe(method === undefined ? (isAnswer ? 'response' : 'invalid') : asks);
        const { key = '', start = 0, end = 0 } = plain.body ?? {};
        expect(text.slice(start, end)).toBe(view?.textOf(key) ?? '');
        expect(scanEnvelope(text, 0).saysRpc).toBe(view?.has('jsonrpc'));
      }),
    );
  });
});
