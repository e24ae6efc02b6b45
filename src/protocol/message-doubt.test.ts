import { describe, expect, it } from 'vitest';
import { doubtIn } from './message-doubt.ts';

describe('doubtIn', () => {
  it.each([
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"x":{"name":1},"Name":2,"A":1,"a":2}}}',
    '{"jsonrpc":"2.0","id":"1","result":{"Name":"x","tools":[{"name":"a"},{"name":"b"}]}}',
    '{"jsonrpc":"2.0","method":"notifications/x"}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
    '{"jsonrpc":"2.0","id":1,"method":"x","params":["id","id",{"id":1}]}',
  ])('has no doubt about %s', (text) => {
    expect(doubtIn(text)).toBeUndefined();
  });

  it.each([
    ['{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}', 'the key "method" occurs twice'],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","m\\u0065thod":"tools/call"}', 'the key "method" occurs twice'],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call"}', 'the key "Method" occurs twice'],
    ['{"jsonrpc":"2.0","Id":1,"method":"ping"}', 'the key "Id" could be read as "id"'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","name":"b"}}', 'the key "name" occurs twice'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","NAME":"b"}}', 'the key "NAME" occurs twice'],
    ['{"jsonrpc":"2.0","id":1,"method":"m","params":{"arguments":{"p":1,"p":2}}}', 'the key "p" occurs twice'],
    ['{"jsonrpc":"2.0","id":1,"result":[{"p":1,"p":2}]}', 'the key "p" occurs twice'],
    ['{"jsonrpc":"2.0","id":null,"method":"tools/call"}', 'its id is neither a string nor a number'],
    ['{"jsonrpc":"2.0","id":[1],"method":"tools/call"}', 'its id is neither a string nor a number'],
    ['{"jsonrpc":"2.0","METHOD":"tools/call"}', 'it is not a JSON-RPC message'],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","param\u017f":{}}', 'the key "param\u017f" could be read as "params"'],
    ['{"jsonrpc":"2.0","id":1,"method":"m","params":{},"param\\u017f":{}}', 'the key "param\u017f" occurs twice'],
    ['7', 'it is not a JSON-RPC message'],
  ])('doubts %s', (text, why) => {
    expect(doubtIn(text)).toBe(why);
  });
});
