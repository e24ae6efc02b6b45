import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameJson } from '../../json/same-json.ts';
import { messagePaths } from '../../protocol/message-paths.ts';
import { compareAnswers, type Difference } from './compare-answers.ts';
import type { TreeRules } from './value-tree.ts';

const semantic: TreeRules = { profile: 'semantic' };

function answer(result: string, id: number | string = 1): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

function compare(a: string, b: string, rules: TreeRules = semantic): Difference[] {
  return compareAnswers(answer(a), answer(b, 'other'), rules);
}

describe('compareAnswers', () => {
  it('reports every path at which values differ, with both texts as they were sent', () => {
    expect(compare('{"a":1.0,"b":[true],"only":null,"c d":"x"}', '{"b":[false],"a":1.50,"c d":"y","new":{}}')).toEqual([
      { path: '$.result.a', recorded: '1.0', replayed: '1.50' },
      { path: '$.result.b[0]', recorded: 'true', replayed: 'false' },
      { path: '$.result.only', recorded: 'null', replayed: undefined },
      { path: "$.result['c d']", recorded: '"x"', replayed: '"y"' },
      { path: '$.result.new', recorded: undefined, replayed: '{}' },
    ]);
  });

  it('ignores whitespace, member order, escapes and number notation', () => {
    expect(compare('{"a":100,"b":"é"}', '{ "b":"\\u00e9", "a":1.00e2 }', { profile: 'strict' })).toEqual([]);
  });

  it('distinguishes numbers that a double would round to the same value', () => {
    expect(compare('{"n":12345678901234567890}', '{"n":12345678901234567891}')).toHaveLength(1);
  });

  it('reports an added or removed array element as one difference', () => {
    expect(compare('[{"n":1},{"n":2},{"n":3}]', '[{"n":1},{"n":9},{"n":2},{"n":3}]')).toEqual([
      { path: '$.result[1]', recorded: undefined, replayed: '{"n":9}' },
    ]);
    expect(compare('[1,2,3]', '[1,3]')).toEqual([{ path: '$.result[1]', recorded: '2', replayed: undefined }]);
  });

  it('reports an error in place of a result as one difference', () => {
    const failed = '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}';
    expect(compareAnswers(answer('{}'), failed, semantic)).toEqual([
      { path: '$', recorded: answer('{}'), replayed: failed },
    ]);
    expect(compareAnswers(failed, failed.replace('no', 'never'), semantic)).toEqual([
      { path: '$.error.message', recorded: '"no"', replayed: '"never"' },
    ]);
  });

  it('compares JSON inside a text as JSON, and reports paths inside it', () => {
    const text = (json: string): string => `{"content":[{"type":"text","text":${JSON.stringify(json)}}]}`;
    expect(compare(text('{"a":1,"b":[2]}'), text('{ "b": [2.0], "a": 1 }'))).toEqual([]);
    expect(compare(text('{"a":{"b":[2]}}'), text('{"a":{"b":[3]}}'))).toEqual([
      { path: '$.result.content[0].text.a.b[0]', recorded: '2', replayed: '3' },
    ]);
    expect(compare(text('{"a":1}'), text('{"a":1} '), { profile: 'strict' })).toHaveLength(1);
    expect(compare(text('12'), text('12.0'))).toHaveLength(1);
    expect(compare(text('[1]'), '{"content":[{"type":"text","text":[1]}]}')).toHaveLength(1);
  });

  it.each([
    ['cursors', '{"nextCursor":"a"}', '{"nextCursor":"b"}'],
    ['a cursor that is not there', '{"nextCursor":"a"}', '{}'],
    ['the state of a request', '{"requestState":"a"}', '{"requestState":"b"}'],
    ['the name of a task', '{"task":{"taskId":"a"}}', '{"task":{"taskId":"b"}}'],
    ['the names of tasks', '{"tasks":[{"taskId":"a"}]}', '{"tasks":[{"taskId":"b"}]}'],
    ['who the server is', '{"serverInfo":{"version":"1"}}', '{"serverInfo":{"version":"2"}}'],
    ['how long a result holds', '{"ttlMs":1}', '{"ttlMs":2}'],
    ['progress tokens', '{"_meta":{"progressToken":1}}', '{"_meta":{"progressToken":2}}'],
    ['trace context', '{"_meta":{"traceparent":"a"}}', '{"_meta":{"traceparent":"b","tracestate":"c","baggage":"d"}}'],
    ['revisions', '{"protocolVersion":"2025-06-18"}', '{"protocolVersion":"2025-11-25"}'],
    [
      'the name of a subscription',
      '{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}',
      '{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}',
    ],
    [
      'metadata with nothing else in it',
      '{"x":1}',
      '{"x":1,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s"}}}',
    ],
    ['that a result is complete, which goes without saying', '{"x":1}', '{"x":1,"resultType":"complete"}'],
    [
      'what a person is asked by',
      '{"inputRequests":{"q":{"params":{"elicitationId":"a"}}}}',
      '{"inputRequests":{"q":{"params":{"elicitationId":"b"}}}}',
    ],
    ['times', '{"x":"at 2026-03-04T10:00:00.123Z sharp"}', '{"x":"at 2027-01-01 00:00:00+01:00 sharp"}'],
    ['HTTP dates', '{"x":"Tue, 03 Mar 2026 10:00:00 GMT"}', '{"x":"Wed, 04 Mar 2026 11:00:00 GMT"}'],
    ['numbers that are times', '{"createdAt":1719999999}', '{"createdAt":1720000001.5}'],
    [
      'the digits of placeholders',
      '{"k":"[REDACTED:github-token:3f9a1c02]"}',
      '{"k":"[REDACTED:github-token:00000000]"}',
    ],
    [
      'the digits of placeholders in names',
      '{"[REDACTED:jwt:3f9a1c02]":1,"x [REDACTED:jwt:3f9a1c02]":2,"[REDACTED:jwt:00000001]":3}',
      '{"[REDACTED:jwt:11111111]":1,"x [REDACTED:jwt:11111111]":2,"[REDACTED:jwt:22222222]":3}',
    ],
  ])('ignores %s', (_, a, b) => {
    expect(compare(a, b)).toEqual([]);
  });

  it.each([
    [
      'a name of the protocol among data',
      '{"structuredContent":{"taskId":"a"}}',
      '{"structuredContent":{"taskId":"b"}}',
    ],
    ['such a name in JSON within a text', '{"text":"{\\"cursor\\":1}"}', '{"text":"{\\"cursor\\":2}"}'],
    ['a time that is gone', '{"at":"2026-03-04T10:00:00Z"}', '{}'],
    ['metadata with something else in it', '{"x":1}', '{"x":1,"_meta":{"progressToken":1,"etag":2}}'],
    ['what else a result is', '{"x":1}', '{"x":1,"resultType":"task"}'],
    ['such a word among data', '{"structuredContent":{}}', '{"structuredContent":{"resultType":"complete"}}'],
    ['a date without a time', '{"x":"2026-03-04"}', '{"x":"2026-03-05"}'],
    ['a number under such a name that is no time', '{"time":5}', '{"time":6}'],
    ['what placeholders hide', '{"k":"[REDACTED:github-token:3f9a1c02]"}', '{"k":"[REDACTED:jwt:3f9a1c02]"}'],
    [
      'a second member whose name is redacted',
      '{"[REDACTED:jwt:11111111]":1,"[REDACTED:jwt:22222222]":2}',
      '{"[REDACTED:jwt:11111111]":1}',
    ],
  ])('does not ignore %s', (_, a, b) => {
    expect(compare(a, b)).toHaveLength(1);
  });

  it('also compares volatile values in the strict profile, but never the digits of placeholders', () => {
    const strict: TreeRules = { profile: 'strict' };
    expect(
      compare(
        '{"nextCursor":"a","at":"2026-03-04T10:00:00Z"}',
        '{"nextCursor":"b","at":"2026-03-04T10:00:01Z"}',
        strict,
      ),
    ).toHaveLength(2);
    expect(compare('{"k":"[REDACTED:jwt:3f9a1c02]"}', '{"k":"[REDACTED:jwt:00000000]"}', strict)).toEqual([]);
    expect(compare('{"id":1}', '{"id":2}', strict)).toHaveLength(1);
    expect(compare('{}', '{"resultType":"complete","_meta":{}}', strict)).toHaveLength(2);
  });

  it('compares only names and types in the shape profile', () => {
    const shape: TreeRules = { profile: 'shape' };
    expect(
      compare('{"a":1,"b":"x","c":[{"d":true}]}', '{"a":2.5,"b":"y","c":[{"d":false},{"d":true}]}', shape),
    ).toEqual([]);
    expect(compare('{"a":[]}', '{"a":[1]}', shape)).toEqual([]);
    expect(compare('{"a":1,"b":{"c":1}}', '{"a":"1","b":{"d":1}}', shape).map(({ path }) => path)).toEqual([
      '$.result.a',
      '$.result.b.c',
      '$.result.b.d',
    ]);
    expect(compare('[{"a":1},{"a":2}]', '[{"a":1},{"a":"2"},{"a":3}]', shape)).toEqual([
      { path: '$.result[1]', recorded: undefined, replayed: '{"a":"2"}' },
    ]);
    expect(compare('{"a":null}', '{"a":1}', shape)).toHaveLength(1);
  });

  it('ignores the configured paths, including paths inside texts', () => {
    const ignored = messagePaths(['$.result.took', '$..price', '$.result.list[0]', '$.result.text.seed']);
    const rules: TreeRules = { profile: 'strict', ignored };
    expect(compare('{"took":1,"deep":[{"price":1}]}', '{"deep":[{"price":2}]}', rules)).toEqual([]);
    expect(compare('{"list":[1,2]}', '{"list":[3,2]}', rules)).toEqual([]);
    expect(compare('{"list":[1,2]}', '{"list":[3,4]}', rules)).toHaveLength(1);
    expect(
      compare('{"text":"{\\"seed\\":1}"}', '{"text":"{\\"seed\\":2}"}', { ...rules, profile: 'semantic' }),
    ).toEqual([]);
  });

  it('finds a difference if and only if two JSON texts differ in meaning', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(value, value, (one, other) => {
        const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
        const differences = compareAnswers(answer(a), answer(b), { profile: 'strict' });
        expect(differences.length === 0).toBe(sameJson(a, b));
      }),
    );
  });

  it('compares JSON that is nested 100,000 levels deep', () => {
    const deep = (core: string): string => `${'[{"a":'.repeat(50_000)}${core}${'}]'.repeat(50_000)}`;
    expect(compare(deep('1'), deep('2'))).toMatchObject([{ recorded: '1', replayed: '2' }]);
    expect(compare(deep('1'), deep('1'))).toEqual([]);
  });

  it('compares invalid JSON as a whole', () => {
    expect(compareAnswers('{', '{"a":1}', semantic)).toEqual([{ path: '$', recorded: '{', replayed: '{"a":1}' }]);
    expect(compareAnswers('{', '{', semantic)).toEqual([]);
  });
});
