import { describe, expect, it } from 'vitest';
import { sampleMessage } from '../../test/support/calls/sample-calls.ts';
import { briefOf } from './row-brief.ts';
import { wordsOf } from './row-words.ts';

const brief = (method: string, params: string): string =>
  briefOf(sampleMessage(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`));

describe('briefOf', () => {
  it('lists the arguments of a tool call, and abbreviates lists and objects', () => {
    expect(brief('tools/call', '{"name":"x","arguments":{"q":"a b","n":50,"list":[1,[2]],"o":{"a":1}}}')).toBe(
      'q: "a b"  n: 50  list: 2 items  o: {…}',
    );
    expect(brief('tools/call', '{"name":"x"}')).toBe('');
  });

  it('keeps the digits of a number, and truncates a long string', () => {
    expect(brief('tools/call', '{"arguments":{"n":12345678901234567890.0}}')).toBe('n: 12345678901234567890.0');
    expect(brief('tools/call', `{"arguments":{"t":"${'x'.repeat(500)}"}}`)).toHaveLength(52);
  });

  it('summarizes progress, log messages, initialize and resource reads', () => {
    expect(brief('notifications/progress', '{"progress":1,"total":3,"message":"one"}')).toBe('1/3 · one');
    expect(brief('notifications/message', '{"level":"info","data":"rate limit"}')).toBe('info · rate limit');
    expect(brief('initialize', '{"protocolVersion":"2025-11-25","clientInfo":{"name":"me"}}')).toBe('2025-11-25 · me');
    expect(brief('resources/read', '{"uri":"file:///a"}')).toBe('file:///a');
  });

  it('says how much a gap lacks and why, and names stray output', () => {
    const event = (name: string, raw: string) => ({ kind: 'event', event: name, raw, atMs: 0 }) as const;
    expect(briefOf(event('mcpreel.gap', '{"missed":3,"why":"disk full"}'))).toBe('3 entries missing: disk full');
    expect(briefOf(event('mcpreel.gap', '{"missed":1}'))).toBe('1 entry missing');
    expect(briefOf(event('mcpreel.gap', '{"size":3}'))).toBe('{"size":3}');
    expect(wordsOf(event('stdio.noise', '{"dir":"out","text":"hm"}'))).toMatchObject({
      name: 'stray output',
      brief: 'hm',
    });
  });
});
