import { describe, expect, it } from 'vitest';
import { message, response } from '../../../test/contract/factories.ts';
import type { RuleOutcome } from '../../model/rule-outcome.ts';
import { loadRegexEngine, parseFilter } from '../filter/filter.ts';
import { type Rule, Rulebook, type RuleSubject } from './rulebook.ts';

const compileRegex = await loadRegexEngine();

interface Parts extends Partial<Omit<Rule, 'filter'>> {
  readonly match?: string;
}

/** A rulebook. By default, its rules leave messages unchanged. */
function rulebook(...rules: readonly Parts[]): Rulebook {
  return new Rulebook(
    rules.map(({ match, ...parts }, index) => ({
      name: `rule ${index + 1}`,
      filter: match === undefined ? undefined : parseFilter(match, compileRegex),
      skip: 0,
      times: Number.POSITIVE_INFINITY,
      changes: [],
      delayMs: 0,
      ...parts,
    })),
  );
}

function swap(from: string, to: string): Rule['changes'] {
  return [(text) => text.replace(from, to)];
}

const asks = (text: string): RuleSubject => ({ entry: message({ text }) });
const call = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search","arguments":{"q":"a"}}}';
const search = asks(call);
const notification = asks('{"jsonrpc":"2.0","method":"notifications/progress","params":{}}');
const answer = (text: string, facts: Partial<RuleSubject> = {}): RuleSubject => ({
  entry: response({ text }),
  call: { method: 'tools/call', name: 'search' },
  ...facts,
});
const result = answer('{"jsonrpc":"2.0","id":7,"result":{"content":[]}}');

const hold = { kind: 'hold' } as const;
const drop = { kind: 'drop' } as const;
const says = (json: string) => ({ kind: 'answer', body: { key: 'result', json } }) as const;
const fails = (json: string) => ({ kind: 'answer', body: { key: 'error', json } }) as const;

describe('Rulebook', () => {
  it('returns undefined for messages that no rule matches', () => {
    const rules = rulebook({ match: 'tool:other', ending: drop });
    expect(rules.rule(search)).toBeUndefined();
    expect(rules.counts()).toEqual([{ name: 'rule 1', applied: 0 }]);
  });

  it('returns an outcome that a gate can apply', () => {
    const outcome: RuleOutcome | undefined = rulebook({ ending: hold }).rule(search);
    expect(outcome).toEqual({ rules: ['rule 1'], text: call, delayMs: 0, holds: true });
  });

  it('applies all matching rules in order, each to the output of the previous ones', () => {
    const rules = rulebook(
      { changes: swap('"a"', '"b"'), delayMs: 100 },
      { match: '"\\"q\\":\\"a\\""', changes: swap('search', 'never') },
      { name: 'second', match: '"\\"q\\":\\"b\\"" edited', changes: swap('"b"', '"c"') },
      { delayMs: 20 },
    );
    expect(rules.rule(search)).toEqual({
      rules: ['rule 1', 'second', 'rule 4'],
      text: call.replace('"a"', '"c"'),
      delayMs: 120,
      holds: false,
    });
  });

  it('matches a request in its rewritten form, and a response by its original request', () => {
    const rules = rulebook(
      { changes: swap('search', 'find') },
      { match: 'tool:find kind:request', delayMs: 1 },
      { changes: swap('[]', '[1]') },
      { match: 'tool:search <', delayMs: 2 },
    );
    const envelope = { kind: 'request', id: '7', method: 'tools/call' } as const;
    const known = { entry: message({ text: call, envelope }), call: { method: 'tools/call', name: 'search' } };
    expect(rules.rule(known)?.rules).toEqual(['rule 1', 'rule 2']);
    expect(rules.rule(result)?.rules).toEqual(['rule 3', 'rule 4']);
  });

  it.each([
    ['holds', hold, { holds: true, end: undefined }],
    ['drops', drop, { holds: false, end: { action: 'drop' } }],
    ['answers', says('{}'), { holds: false, end: { action: 'answer', text: '{"jsonrpc":"2.0","id":7,"result":{}}' } }],
  ])(
    'applies no further rule after one that %s, and keeps the text as changed up to that rule',
    (_, ending, outcome) => {
      const rules = rulebook({ changes: swap('a', 'b') }, { ending, delayMs: 5 }, { changes: swap('b', 'c') });
      expect(rules.rule(search)).toEqual({
        rules: ['rule 1', 'rule 2'],
        text: call.replace('a', 'b'),
        delayMs: 5,
        ...outcome,
      });
      expect(rules.counts().map(({ applied }) => applied)).toEqual([1, 1, 0]);
    },
  );

  it('does not count a rule that changes nothing', () => {
    const rules = rulebook({ changes: swap('nowhere', 'x'), times: 1 }, { changes: swap('a', 'a') });
    expect(rules.rule(search)).toBeUndefined();
    expect(rules.counts().map(({ applied }) => applied)).toEqual([0, 0]);
    expect(rules.rule(asks(call.replace('search', 'nowhere')))?.rules).toEqual(['rule 1']);
  });

  it('counts a rule that delays or holds even if it changes nothing', () => {
    const rules = rulebook(
      { changes: swap('nowhere', 'x'), delayMs: 1 },
      { changes: swap('nowhere', 'x'), ending: hold },
    );
    expect(rules.rule(search)).toMatchObject({ rules: ['rule 1', 'rule 2'], text: call });
  });

  it('applies a rule at most `times` times, after the first `skip` matches', () => {
    const rules = rulebook({ match: 'tool:search', skip: 1, times: 2, ending: drop });
    const drops = [search, notification, search, search, search].map((subject) => rules.rule(subject) !== undefined);
    expect(drops).toEqual([false, false, true, true, false]);
    expect(rules.counts()).toEqual([{ name: 'rule 1', applied: 2 }]);
  });
});

describe('a response generated by a rule', () => {
  it.each(['7', '"7"', '12345678901234567890', '1.50', String.raw`"\u0061"`])(
    'gives a generated response the id of the request: %s',
    (id) => {
      const requested = asks(`{"method":"ping" ,"id": ${id}}`);
      expect(rulebook({ ending: says('{"a":1.0}') }).rule(requested)?.end).toEqual({
        action: 'answer',
        text: `{"jsonrpc":"2.0","id":${id},"result":{"a":1.0}}`,
      });
    },
  );

  it('gives a generated response the id that was sent, even if a rule changed it', () => {
    const rules = rulebook({ changes: swap('7', '8') }, { ending: fails('{"code":1,"message":"x"}') });
    expect(rules.rule(search)?.end).toEqual({
      action: 'answer',
      text: '{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"x"}}',
    });
  });

  it('answers a server request by an answer rule', () => {
    const requested = { entry: message({ direction: 'server_to_client', text: '{"id":0,"method":"roots/list"}' }) };
    expect(rulebook({ match: '<', ending: says('{"roots":[]}') }).rule(requested)?.end).toEqual({
      action: 'answer',
      text: '{"jsonrpc":"2.0","id":0,"result":{"roots":[]}}',
    });
  });

  it.each([
    ['a result by a result', '{"id": 7,"result" : {"a":1},"x":1.0}', says('{}'), '{"id": 7,"result" : {},"x":1.0}'],
    ['a result by an error', '{"id":7,"result":{"a":1},"x":1.0}', fails('{}'), '{"id":7,"error":{},"x":1.0}'],
    ['an error by a result', '{"error":{}, "id":7}', says('[]'), '{"result":[], "id":7}'],
    ['both', '{"id":"a","result":1,"error":null}', says('2'), '{"jsonrpc":"2.0","id":"a","result":2}'],
    ['an error about no request', '{"id":null,"error":{}}', says('2'), '{"id":null,"result":2}'],
  ])('replaces in a response by an answer rule: %s', (_, text, ending, changed) => {
    const rules = rulebook({ ending }, { delayMs: 1 });
    expect(rules.rule(answer(text))).toEqual({ rules: ['rule 1'], text: changed, delayMs: 0, holds: false });
  });

  it('does not count an answer rule if the response already has the same content', () => {
    const rules = rulebook({ ending: says('{"content":[]}') }, { delayMs: 1 });
    expect(rules.rule(result)?.rules).toEqual(['rule 2']);
  });

  it.each(['{"method":"notifications/x"}', '{"x":1}', '[1]', 'no JSON'])(
    'does not apply an answer rule to a message that is not a request: %s',
    (text) => {
      const rules = rulebook({ ending: says('{}'), delayMs: 1, changes: swap('x', 'y') });
      expect(rules.rule(asks(text))).toBeUndefined();
    },
  );
});

describe('what the rules need to know', () => {
  it('outcome filters match only responses', () => {
    const rules = rulebook({ match: 'status:error or dur:>1s or status:pending', delayMs: 1 });
    const outcome = { call: { method: 'tools/call', name: 'search', status: 'error', durationMs: 2000 } as const };
    expect(rules.rule({ ...search, ...outcome })).toBeUndefined();
    expect(
      rules.rule({ ...search, call: { method: 'tools/call', name: 'search', status: 'pending' } }),
    ).toBeUndefined();
    expect(rules.rule({ ...result, ...outcome })?.rules).toEqual(['rule 1']);
    expect(rules.rule(answer('{"id":7,"result":{"isError":true}}'))?.rules).toEqual(['rule 1']);
    expect(rules.rule(result)).toBeUndefined();
  });

  it('reports whether the rules need calls, outcomes or exchanges', () => {
    const needs = ({ needsCalls, needsOutcomes, needsExchanges }: Rulebook) => [
      needsCalls,
      needsOutcomes,
      needsExchanges,
    ];
    expect(needs(rulebook({ ending: drop }, { match: '> needle', ending: drop }))).toEqual([false, false, false]);
    expect(needs(rulebook({ match: 'x' }, { match: 'tool:search' }))).toEqual([true, false, false]);
    expect(needs(rulebook({ match: 'dur:>1s http:500' }))).toEqual([true, true, true]);
  });

  it('recognizes with names() the calls that have to be remembered', () => {
    const rules = rulebook({}, { match: 'tool:a*' }, { match: 'method:ping' });
    const names = ['tools/call', 'ping', 'tools/list'].map((method) => rules.names({ method, name: 'abc' }));
    expect(names).toEqual([true, true, false]);
  });
});
