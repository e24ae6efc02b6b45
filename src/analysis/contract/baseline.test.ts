import { describe, expect, it } from 'vitest';
import { readBaseline, writeBaseline } from './baseline.ts';

const ACCEPTED = { session: 's-1', recordedAt: '2026-03-04T10:00:00+00:00' };

describe('writeBaseline and readBaseline', () => {
  it('writes a baseline as indented JSON, sorted by name', () => {
    const tools = new Map([
      ['b', '{"name":"b"}'],
      ['a', '{"name":"a","n":1.0}'],
    ]);
    expect(writeBaseline(new Map([['fs', { ...ACCEPTED, tools }]]))).toBe(`{
  "mcpreelBaseline": 1,
  "servers": {
    "fs": {
      "session": "s-1",
      "recordedAt": "2026-03-04T10:00:00+00:00",
      "tools": {
        "a": {
          "name": "a",
          "n": 1.0
        },
        "b": {
          "name": "b"
        }
      }
    }
  }
}
`);
  });

  it('keeps a baseline with unusual names through a round trip', () => {
    const tools = new Map([
      ['__proto__', '{"name": "__proto__"}'],
      ['a"\n\u2028', '{"name": "x"}'],
    ]);
    const baseline = new Map([
      ['__proto__', { ...ACCEPTED, tools }],
      ['', { ...ACCEPTED, tools: new Map() }],
    ]);
    const read = readBaseline(writeBaseline(baseline), 'f');
    expect(writeBaseline(read)).toBe(writeBaseline(baseline));
    expect([...(read.get('__proto__')?.tools.keys() ?? [])]).toEqual(['__proto__', 'a"\n\u2028']);
  });

  it.each([['[]'], ['{'], ['{"servers":{}}'], ['{"mcpreelBaseline":1}']])('rejects %s as a baseline', (text) => {
    expect(() => readBaseline(text, 'f.json')).toThrow('f.json is not a baseline');
  });

  it('rejects a baseline with a newer version', () => {
    expect(() => readBaseline('{"mcpreelBaseline":2,"servers":{}}', 'f.json')).toThrow(/version 2/);
  });
});
