import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { almostJsonText, jsonText } from '../../test/support/sample-texts.ts';
import { peekAt } from './envelope.ts';
import { objectsOf, rpcFramesOf } from './rpc-body.ts';

const PADDING = `"params":"${'x'.repeat(70_000)}"`;

describe('rpcFramesOf', () => {
  it('recognizes a message by its jsonrpc member', () => {
    const text = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    expect(rpcFramesOf(text)).toEqual({ kind: 'message', text, peek: { kind: 'request', key: 1 } });
  });

  it('strips the whitespace around a message and keeps the whitespace inside it', () => {
    const text = '{ "result" : { } ,\n "jsonrpc":"2.0", "id": "a" }';
    expect(rpcFramesOf(`\r\n\t ${text}\r\n`)).toMatchObject({ kind: 'message', text });
    expect(rpcFramesOf(` [ ${text} ,${text}\n]\n`)).toEqual({ kind: 'batch', texts: [text, text] });
  });

  it('reads a message behind a byte order mark, and messages beside invalid members of a batch', () => {
    const text = '{"jsonrpc":"2.0","method":"a"}';
    for (const read of [rpcFramesOf, objectsOf]) {
      expect(read(`\uFEFF ${text}\r\n`)).toMatchObject({ kind: 'message', text });
      expect(read(`\uFEFF[${text}]`)).toEqual({ kind: 'batch', texts: [text] });
      expect(read(`[1,${text},null,[]]`)).toEqual({ kind: 'batch', texts: ['1', text, 'null', '[]'] });
    }
  });

  it('recognizes a message if jsonrpc comes late, or the message is long or oddly spelled', () => {
    expect(rpcFramesOf(`{${PADDING},"id":1,"method":"a","jsonrpc":"2.0"}`)).toMatchObject({
      peek: { kind: 'request', key: 1 },
    });
    expect(rpcFramesOf('{"id":12345678901234567890,"result":{},"jsonrpc":"2.0"}')).toMatchObject({
      peek: { kind: 'response', key: 'n1234567890123456789e1' },
    });
    expect(rpcFramesOf('{"\\u006asonrpc":"2.0","method":"a"}')).toMatchObject({ peek: { kind: 'notification' } });
    expect(rpcFramesOf('{"jsonrpc":null}')).toMatchObject({ peek: { kind: 'invalid' } });
  });

  it.each([
    '{"error":"invalid_grant","error_description":"expired"}',
    '{"access_token":"eyJhbGciOi","token_type":"Bearer","expires_in":3600}',
    '{"client_id":"a","client_secret":"b","redirect_uris":[]}',
    '{"id":1,"method":"a"}',
    `{${PADDING},"id":1,"method":"a"}`,
    '{"id":12345678901234567890,"result":{}}',
    '{"params":{"jsonrpc":"2.0"},"method":"jsonrpc"}',
    `{"params":{"jsonrpc":"2.0"},"method":"jsonrpc",${PADDING}}`,
    '{"jsonrpc ":"2.0"}',
    '[]',
    '[{"jsonrpc":"2.0","method":"a"},{"access_token":"b"}]',
    '[[{"jsonrpc":"2.0","method":"a"}]]',
    '[1,[{"jsonrpc":"2.0","method":"a"}]]',
    '{"jsonrpc":"2.0","method":"a"',
    '{"jsonrpc":"2.0","method":"a"} {"jsonrpc":"2.0","method":"b"}',
    'grant_type=refresh_token&refresh_token=abc',
    '<html>"jsonrpc"</html>',
    '"jsonrpc"',
    '',
    ' ',
  ])('does not treat a body as JSON-RPC if it is %.60s', (text) => {
    expect(rpcFramesOf(text)).toBeUndefined();
  });

  it('agrees with JSON.parse for any text', () => {
    const member = fc.tuple(fc.constantFrom('"jsonrpc"', '"id"', '"method"', '"result"', '"__proto__"'), jsonText);
    const object = fc.array(member).map((members) => `{${members.map((pair) => pair.join(':')).join(',')}}`);
    const array = fc.array(object, { maxLength: 3 }).map((objects) => `[${objects.join(', ')}]`);
    const says = (value: unknown): boolean =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, 'jsonrpc');
    fc.assert(
      fc.property(fc.oneof(object, array, jsonText, almostJsonText), (text) => {
        const body = rpcFramesOf(text);
        const value = parse(text);
        const isObject = (element: unknown): boolean =>
          typeof element === 'object' && element !== null && !Array.isArray(element);
        const isBatch =
          Array.isArray(value) && value.some(says) && value.every((element) => says(element) || !isObject(element));
        expect(body?.kind).toBe(says(value) ? 'message' : isBatch ? 'batch' : undefined);
        if (body?.kind === 'message') expect(body).toEqual({ kind: 'message', text: text.trim(), peek: peekAt(text) });
        if (body?.kind === 'batch') expect(body.texts.map(parse)).toEqual(value);
      }),
    );
  });
});

describe('objectsOf', () => {
  it('reads an object as a message, and an array of objects as a batch', () => {
    expect(objectsOf('{"error":"invalid_grant"}\r')).toEqual({
      kind: 'message',
      text: '{"error":"invalid_grant"}',
      peek: { kind: 'response', key: undefined },
    });
    expect(objectsOf(' [{} , {"id":1}]')).toEqual({ kind: 'batch', texts: ['{}', '{"id":1}'] });
  });

  it.each(['', '[]', '[1]', '[{}', 'hello', '{"a":1', '1'])('returns undefined for %j', (text) => {
    expect(objectsOf(text)).toBeUndefined();
  });
});

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
