import { describe, expect, it } from 'vitest';
import { event, message, other, response } from '../../../test/contract/factories.ts';
import type { Entry } from '../../model/entry.ts';
import { type Filter, loadFilter, loadRegexEngine, parseFilter } from './filter.ts';
import type { FilterSubject } from './filter-subject.ts';

const compileRegex = await loadRegexEngine();

function filter(text: string): Filter {
  return parseFilter(text, compileRegex);
}

/** Whether a filter matches an entry. */
function wants(text: string, entry: Entry, facts: Omit<FilterSubject, 'entry'> = {}): boolean {
  return filter(text).matches({ entry, ...facts });
}

const sent = (text: string): Entry => message({ text });
const search = message({
  text: '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search","arguments":{"q":"Käse"}}}',
});
const answer = response({ text: '{"jsonrpc":"2.0","id":7,"result":{}}', correlatedId: 'msg-001' });
const searching = { method: 'tools/call', name: 'search' };

describe('tool: and method:', () => {
  it('matches tool: and method: against the name and method of a request', () => {
    expect(wants('tool:search', search)).toBe(true);
    expect(wants('tool:SEARCH method:tools/*', search)).toBe(true);
    expect(wants('tool:sea', search)).toBe(false);
    expect(wants('method:tools/list', search)).toBe(false);
  });

  it('matches tool: and method: against the request of a response', () => {
    expect(wants('tool:search method:tools/call', answer, { call: searching })).toBe(true);
    expect(wants('tool:search or method:tools/call', answer)).toBe(false);
  });

  it('matches method: against notifications, but not events', () => {
    expect(wants('method:notifications/*', sent('{"method":"notifications/initialized"}'))).toBe(true);
    expect(wants('method:*', event())).toBe(false);
  });

  it('does not match tool: against the name of a prompt', () => {
    const prompt = sent('{"id":1,"method":"prompts/get","params":{"name":"search"}}');
    expect(wants('tool:search', prompt)).toBe(false);
    expect(wants('tool:search', prompt, { call: { method: 'prompts/get', name: 'search' } })).toBe(false);
  });

  it('matches tool: and method: against a request that is too long to parse', () => {
    const long = sent(
      `{"id":1,"params":{"arguments":"${'x'.repeat(1 << 17)}","name":"sear\\u0063h"},"method":"tools/call"}`,
    );
    expect(wants('tool:search method:tools/call kind:request', long)).toBe(true);
    expect(wants('tool:other', long)).toBe(false);
  });

  it('does not match tool: if the params contain no tool name', () => {
    for (const params of ['null', '[]', '"search"', '{"name":7}', '{}']) {
      expect(wants('tool:*', sent(`{"id":1,"method":"tools/call","params":${params}}`))).toBe(false);
    }
  });
});

describe('id:', () => {
  it.each([
    ['id:7', '7', true],
    ['id:7', '"7"', true],
    ['id:7', '7.0', true],
    ['id:7', '77', false],
    ['id:"7"', '"7"', true],
    ['id:"7"', '7', false],
    ['id:abc', '"abc"', true],
    ['id:abc', '"ABC"', false],
    ['id:é', String.raw`"\u00e9"`, true],
    ['id:12345678901234567890', '12345678901234567890', true],
    ['id:12345678901234567890', '12345678901234567891', false],
    ['id:-1', '-1', true],
    ['id:null', 'null', false],
  ])('decides whether the filter %s matches the id %s', (text, id, fits) => {
    expect(wants(text, sent(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`))).toBe(fits);
  });
});

describe('kind:', () => {
  const entries = {
    request: search,
    response: answer,
    notification: sent('{"method":"x"}'),
    invalid: sent('{"x":1}'),
    stderr: event({ event: 'stdio.stderr' }),
    stray: event({ event: 'stdio.noise' }),
    http: event({ event: 'http.exchange', raw: '{}' }),
  };

  it.each(Object.keys(entries))('matches kind:%s against that kind only', (kind) => {
    const fitting = Object.entries(entries).filter(([, entry]) => wants(`kind:${kind}`, entry));
    expect(fitting.map(([name]) => name)).toEqual([kind]);
    expect(wants(`kind:${kind}`, other())).toBe(false);
  });
});

describe('status: and dur:', () => {
  it('matches status: and dur: against requests and responses by the outcome of their call', () => {
    const call = { ...searching, status: 'late' as const, durationMs: 1500 };
    for (const entry of [search, answer]) {
      expect(wants('status:late dur:>=1.5s dur:<=1500 dur:=1.5s dur:<2m', entry, { call })).toBe(true);
      expect(wants('status:ok or dur:>1.5s or dur:<1500ms', entry, { call })).toBe(false);
    }
  });

  it('does not match status: and dur: against an entry without a known call', () => {
    expect(wants('status:pending or status:ok or dur:>=0', search)).toBe(false);
    expect(wants('status:ok', event())).toBe(false);
  });

  it.each([
    ['{"id":1,"error":{"code":1,"message":"x"}}', 'error'],
    ['{"id":1,"result":{"isError":true}}', 'error'],
    ['{"id":1,"result":{"isError":false}}', 'ok'],
    ['{"id":1,"result":{},"error":null}', 'ok'],
  ])('matches status: against a response without a known call by its content: %s', (text, status) => {
    expect(wants(`status:${status}`, response({ text }))).toBe(true);
    expect(wants('status:ok status:error', response({ text }))).toBe(false);
  });
});

describe('http:', () => {
  it('matches http: against exchanges by their status and messages by the status of their exchange', () => {
    const exchange = event({ event: 'http.exchange', raw: '{"exchange":3,"status":401}' });
    expect(wants('http:401', exchange)).toBe(true);
    expect(wants('http:>=400 http:<500', exchange)).toBe(true);
    expect(wants('http:200', exchange)).toBe(false);
    expect(wants('http:401', search, { httpStatus: 401 })).toBe(true);
    expect(wants('http:401', search)).toBe(false);
  });
});

describe('other terms', () => {
  it('matches size: against sizes in bytes', () => {
    const euros = sent(`{"x":"${'€'.repeat(100)}"}`);
    expect(wants('size:=308 size:>307 size:<1k', euros)).toBe(true);
    expect(wants('size:<308 or size:>308 or size:>1k', euros)).toBe(false);
  });

  it('matches direction, server:, conv: and the edit flags against their fields', () => {
    expect(wants('> -<', search)).toBe(true);
    expect(wants('<', answer)).toBe(true);
    expect(wants('> or <', event())).toBe(false);
    expect(wants('server:f*', search, { server: 'FS' })).toBe(true);
    expect(wants('server:*', search)).toBe(false);
    expect(wants('conv:2', message({ conversation: 2 }))).toBe(true);
    expect(wants('conv:0', message())).toBe(true);
    expect(wants('conv:0', event({ conversation: 2 }))).toBe(false);
    expect(wants('edited -dropped -injected', message({ modified: true }))).toBe(true);
    expect(wants('dropped -edited', message({ dropped: true }))).toBe(true);
    expect(wants('injected -edited', message({ injected: true }))).toBe(true);
  });
});

describe('text terms', () => {
  it('matches text case-insensitively in the whole message', () => {
    expect(wants('KÄSE', search)).toBe(true);
    expect(wants(String.raw`"\"NAME\":\"search\""`, search)).toBe(true);
    expect(wants('TOOLS/call', search)).toBe(true);
    expect(wants('käse nothing', search)).toBe(false);
    expect(wants('käse or nothing', search)).toBe(true);
  });

  it('matches text also in events and in entries that only traces contain', () => {
    expect(wants('READY', event())).toBe(true);
    expect(wants('user', other())).toBe(true);
  });

  it('finds text that the message escapes', () => {
    const escaped = sent(String.raw`{"a":"K\u00e4se \"gut\"\nund \/mild\/"}`);
    for (const text of ['käse', String.raw`"käse \"gut\""`, '/K.se "gut"\\nund/', '"/mild/"', String.raw`"\\u00E4"`]) {
      expect([text, wants(text, escaped)]).toEqual([text, true]);
    }
  });

  it('text is also found in a message without \\u escapes', () => {
    const escaped = sent(String.raw`{"a":"say \"hi\"\nthere"}`);
    expect(wants(String.raw`"SAY \"hi\""`, escaped)).toBe(true);
    expect(wants('"\nthere"', escaped)).toBe(true);
    expect(wants(String.raw`"hi\"there"`, escaped)).toBe(false);
  });

  it('matches a regular expression case-sensitively unless it has the i flag', () => {
    expect(wants('/"id":\\d,/', search)).toBe(true);
    expect(wants('/SEARCH/', search)).toBe(false);
    expect(wants('/SEARCH/i', search)).toBe(true);
    expect(wants(String.raw`/tools\/(call|list)/`, search)).toBe(true);
  });

  it('evaluates a regular expression prone to catastrophic backtracking in linear time', () => {
    expect(wants('/(a+)+$/', sent(`{"x":"${'a'.repeat(50_000)}"}`))).toBe(false);
  });

  it('reports the column of an unsupported regular expression', () => {
    expect(() => filter('a /(/')).toThrow('Cannot use /(/: missing closing ): `(` (column 3)');
    expect(() => filter('/a/ (b or /(?=x)/)')).toThrow(/^Cannot use \/\(\?=x\)\/: .* \(column 11\)$/);
  });
});

describe('a filter', () => {
  it.each([
    ['', []],
    ['text /x/ > id:1 conv:1 edited server:x size:>1', []],
    ['tool:x', ['needsCalls']],
    ['a (b or -method:x)', ['needsCalls']],
    ['status:ok', ['needsCalls', 'needsOutcomes']],
    ['dur:>1', ['needsCalls', 'needsOutcomes']],
    ['http:401', ['asksForEvents', 'needsExchanges']],
    ['-http:401', ['needsExchanges']],
    ['kind:stderr', ['asksForEvents']],
    ['-kind:stderr', []],
    ['-(a or -kind:http)', ['asksForEvents']],
  ])('reports for the filter %j what it needs: %j', (text, facts) => {
    const { needsCalls, needsOutcomes, needsExchanges, asksForEvents } = filter(text);
    const all = Object.entries({ needsCalls, needsOutcomes, needsExchanges, asksForEvents });
    expect(all.filter(([, holds]) => holds).map(([name]) => name)).toEqual(
      facts.length < 2 ? facts : expect.arrayContaining(facts),
    );
  });

  it('recognizes with names() the calls that the filter mentions', () => {
    const { names } = filter('tool:search or -method:ping');
    expect(names(searching)).toBe(true);
    expect(names({ method: 'ping', name: undefined })).toBe(true);
    expect(names({ method: 'prompts/get', name: 'search' })).toBe(false);
  });

  it('matches everything with an empty filter', () => {
    for (const entry of [search, answer, event(), other()]) expect(wants('', entry)).toBe(true);
  });

  it('loads the regular expression engine with loadFilter if the filter needs it', async () => {
    expect((await loadFilter('/sea.ch/')).matches({ entry: search })).toBe(true);
    expect((await loadFilter('search')).matches({ entry: search })).toBe(true);
    await expect(loadFilter('x /[/')).rejects.toThrow('(column 3)');
  });
});
