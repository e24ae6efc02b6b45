import { describe, expect, it } from 'vitest';
import { draftAnswer, readAnswer, sentText } from './written-message.ts';

const call = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search"}}';

describe('a response written by the user', () => {
  it('starts from a valid tool result for a tool call', () => {
    expect(JSON.parse(draftAnswer(call) ?? '')).toEqual({ result: { content: [{ type: 'text', text: '' }] } });
  });

  it('starts from the result of a held response', () => {
    const response = '{"jsonrpc":"2.0","id":7,"result":{"n":12345678901234567890}}';
    expect(sentText(draftAnswer(response) ?? '')).toBe('{"result":{"n":12345678901234567890}}');
  });

  it('offers no draft for a message without an id', () => {
    expect(draftAnswer('{"jsonrpc":"2.0","method":"notifications/progress"}')).toBeUndefined();
  });

  it('reads a result or an error and keeps its digits', () => {
    expect(readAnswer('{ "result": { "n": 1.0 } }')).toEqual({ result: '{"n":1.0}' });
    expect(readAnswer('{"error":{"code":-1,"message":"no"}}')).toEqual({ error: '{"code":-1,"message":"no"}' });
    expect(readAnswer('{"result":1,"error":2}')).toBeUndefined();
    expect(readAnswer('{"result":')).toBeUndefined();
  });
});

it('minifies JSON, and sends invalid JSON as written', () => {
  expect(sentText('{ "a": 1.0 }')).toBe('{"a":1.0}');
  expect(sentText('no {json}\n')).toBe('no {json}\n');
});
