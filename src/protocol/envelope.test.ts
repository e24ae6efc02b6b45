import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { almostJsonText, choices, deepTexts, jsonText, spell } from '../../test/support/sample-texts.ts';
import { documentSpan } from '../json/scan.ts';
import { idKey, peekAt, readEnvelope } from './envelope.ts';

const NOTHING = { id: undefined, method: undefined };

describe('readEnvelope', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}', { kind: 'request', id: '1', method: 'ping' }],
    ['{"jsonrpc":"2.0","method":"ping"}', { kind: 'notification', id: undefined, method: 'ping' }],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', { kind: 'notification', id: undefined, method: 'ping' }],
    ['{"jsonrpc":"2.0","id":"a","result":null}', { kind: 'response', id: '"a"', method: undefined }],
    ['{"jsonrpc":"2.0","id":-1.50,"error":{}}', { kind: 'response', id: '-1.50', method: undefined }],
    ['{"id":null,"error":{"code":-32700}}', { kind: 'response', ...NOTHING }],
    ['{"id":{},"result":1}', { kind: 'response', ...NOTHING }],
    ['{"id":1,"method":"a","result":{}}', { kind: 'request', id: '1', method: 'a' }],
    ['{"id":1}', { kind: 'invalid', id: '1', method: undefined }],
    ['{"id":1,"method":7}', { kind: 'invalid', id: '1', method: undefined }],
    ['{"id":true,"method":"a"}', { kind: 'notification', id: undefined, method: 'a' }],
    ['{}', { kind: 'invalid', ...NOTHING }],
    ['[]', { kind: 'invalid', ...NOTHING }],
    ['"text"', { kind: 'invalid', ...NOTHING }],
    ['{"id":1', { kind: 'invalid', ...NOTHING }],
    ['', { kind: 'invalid', ...NOTHING }],
  ])('reads %s', (text, envelope) => {
    expect(readEnvelope(text)).toEqual(envelope);
  });

  it('keeps an id beyond 2^53 as the digits that were sent', () => {
    expect(readEnvelope('{"id":12345678901234567890,"method":"x"}').id).toBe('12345678901234567890');
  });

  it('reads only the top level, and decodes keys and the method', () => {
    const text = '{"params":{"id":9,"method":"inner"},"m\\u0065thod":"a\\/b","\\u0069d":"\\u00e9"}';
    expect(readEnvelope(text)).toEqual({ kind: 'request', id: '"\\u00e9"', method: 'a/b' });
  });

  it('uses the last of two members with the same key', () => {
    expect(readEnvelope('{"id":1,"id":2,"method":"a","method":"b"}')).toEqual({
      kind: 'request',
      id: '2',
      method: 'b',
    });
    expect(readEnvelope('{"id":1,"id":null,"method":"a"}').kind).toBe('notification');
  });

  it.each(deepTexts)('reads past 100,000 levels of $of', ({ text }) => {
    expect(readEnvelope(`{"params":${text},"id":1,"method":"x"}`)).toEqual({ kind: 'request', id: '1', method: 'x' });
  });

  it('treats a message with an invalid string escape as invalid', () => {
    const rest = `"params":"${'y'.repeat(50)}"}`;
    expect(readEnvelope(`{"method":"a\\x",${rest}`)).toEqual({ kind: 'invalid', ...NOTHING });
    expect(readEnvelope(`{"id":"\\x",${rest}`)).toEqual({ kind: 'invalid', ...NOTHING });
  });

  it('does not throw on any text', () => {
    fc.assert(fc.property(fc.oneof(jsonText, almostJsonText, fc.string()), (text) => void readEnvelope(text)));
  });
});

describe('idKey', () => {
  it('distinguishes a string from a number', () => {
    expect(idKey('1')).not.toBe(idKey('"1"'));
    expect(idKey('"n1"')).not.toBe(idKey('1'));
  });

  it.each([
    ['1', '1.0'],
    ['1', '1e0'],
    ['0', '-0'],
    ['10', '1e1'],
    ['100', '100.00'],
    ['"a"', '"\\u0061"'],
    ['12345678901234567890', '12345678901234567890.0'],
  ])('returns equal keys for %s and %s', (a, b) => {
    expect(idKey(a)).toBe(idKey(b));
  });

  it.each([
    ['1', '10'],
    ['1', '-1'],
    ['9007199254740993', '9007199254740992'],
    ['1.5', '15'],
    ['"a"', '"A"'],
  ])('returns different keys for %s and %s', (a, b) => {
    expect(idKey(a)).not.toBe(idKey(b));
  });

  it('returns the same key for every spelling of an id', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.string()), choices, (id, choose) => {
        expect(idKey(spell(id, choose).trim())).toBe(idKey(JSON.stringify(id)));
      }),
    );
  });
});

describe('peekAt', () => {
  const member = fc.tuple(
    fc.constantFrom('id', 'method', 'result', 'error', 'params', '__proto__', 'x'),
    fc.oneof(
      fc.constantFrom(
        '1',
        '0',
        '-1',
        '1.0',
        '1e2',
        '99999999',
        '100000000',
        '12345678901234567890',
        '1e999',
        '""',
        'null',
      ),
      fc.constantFrom('"a"', '"1"', '"\\u0061"', 'true', '{}', '[]', '{"id":3}'),
      jsonText,
    ),
  );
  const object = fc.array(member).map((members) => `{${members.map(([key, value]) => `"${key}":${value}`).join(',')}}`);
  const space = fc.constantFrom('', ' ', '\r', '\t\n');

  it('returns the kind and id key of every object, and undefined for anything else', () => {
    fc.assert(
      fc.property(fc.oneof(object, jsonText, almostJsonText), space, space, (json, before, after) => {
        const text = before + json + after;
        const span = documentSpan(text);
        const isObject = span !== undefined && text.charAt(span.start) === '{';
        const { kind, id } = readEnvelope(text);
        const expected = isObject ? { kind, key: id === undefined ? undefined : idKey(id) } : undefined;
        expect(peekAt(text)).toEqual(expected);
      }),
    );
  });

  it('returns the same for a message that is too long to parse in one go', () => {
    const padding = `"params":"${'x'.repeat(70_000)}"`;
    expect(peekAt(`{"id":1,"method":"a",${padding}}`)).toEqual({ kind: 'request', key: 1 });
    expect(peekAt(`{"id":"1","result":{},${padding}} `)).toEqual({ kind: 'response', key: 's1' });
    expect(peekAt(`[{"id":"1","result":{},${padding}}]`)).toBeUndefined();
    expect(peekAt(`{"id":"1","result":{},${padding}} x`)).toBeUndefined();
  });
});
