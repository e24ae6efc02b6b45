import { describe, expect, it } from 'vitest';
import { draftAnswer, readAnswer, sentText } from './written-message.ts';

const call = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search"}}';

describe('an answer that a person writes', () => {
  it('begins with what the result of a tool must have', () => {
    expect(JSON.parse(draftAnswer(call) ?? '')).toEqual({ result: { content: [{ type: 'text', text: '' }] } });
  });

  it('begins with what a held response says', () => {
    const response = '{"jsonrpc":"2.0","id":7,"result":{"n":12345678901234567890}}';
    expect(sentText(draftAnswer(response) ?? '')).toBe('{"result":{"n":12345678901234567890}}');
  });

  it('is for nobody where a message has no id', () => {
    expect(draftAnswer('{"jsonrpc":"2.0","method":"notifications/progress"}')).toBeUndefined();
  });

  it('is a result or an error, digit by digit', () => {
    expect(readAnswer('{ "result": { "n": 1.0 } }')).toEqual({ result: '{"n":1.0}' });
    expect(readAnswer('{"error":{"code":-1,"message":"no"}}')).toEqual({ error: '{"code":-1,"message":"no"}' });
    expect(readAnswer('{"result":1,"error":2}')).toBeUndefined();
    expect(readAnswer('{"result":')).toBeUndefined();
  });
});

it('sends what is no JSON as it was written', () => {
  expect(sentText('{ "a": 1.0 }')).toBe('{"a":1.0}');
  expect(sentText('no {json}\n')).toBe('no {json}\n');
});
