import { describe, expect, it } from 'vitest';
import { expectLinearGrowth } from '../../test/support/growth.ts';
import type { ClientStep } from '../recorded/recorded-dialogue.ts';
import { MockExchangeIndex } from './exchange-index.ts';
import type { MatchLevel } from './match-keys.ts';
import { differencesOf } from './nearest-exchange.ts';
import type { RecordedExchange } from './recorded-exchange.ts';

function scene(params: unknown, method = 'tools/call'): RecordedExchange {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const step = { text, entry: { sequence: 0 } } as unknown as ClientStep;
  return { conversation: 0, step, method, isRequest: true, isModern: false, token: undefined, replies: [] };
}

function asking(params: unknown, method = 'tools/call'): string {
  return JSON.stringify({ method, params, id: 'x' });
}

/** The tier at which a request matches the recorded ones, if it does. */
function tierOf(recorded: unknown, requested: unknown, level: MatchLevel): string | undefined {
  return new MockExchangeIndex([scene(recorded)], level).find(asking(requested), 'tools/call')?.tier;
}

const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  progressToken: 3,
};

describe('matching requests to recorded ones', () => {
  it.each([
    ['the same', { name: 'a' }, { name: 'a' }, 'strict', 'strict'],
    [
      'another progress token',
      { name: 'a', _meta: { progressToken: 1 } },
      { name: 'a', _meta: { progressToken: 2 } },
      'strict',
      'strict',
    ],
    ['metadata of the newest revision', { name: 'a' }, { name: 'a', _meta: modern }, 'normal', 'same'],
    ['metadata that is the same, too', { _meta: modern }, { _meta: modern }, 'normal', 'strict'],
    ['no arguments or empty ones', { name: 'a' }, { name: 'a', arguments: {} }, 'normal', 'same'],
    ['metadata that means something', { name: 'a' }, { name: 'a', _meta: { mine: 1 } }, 'normal', undefined],
    [
      'another input',
      { name: 'a', inputResponses: { q: 1 } },
      { name: 'a', inputResponses: { q: 2 } },
      'normal',
      'input',
    ],
    ['input or none', { name: 'a' }, { name: 'a', inputResponses: { q: 2 } }, 'normal', undefined],
    ['another cursor', { cursor: 'x' }, { cursor: 'y' }, 'normal', undefined],
    ['another cursor, loosely', { cursor: 'x' }, { cursor: 'y' }, 'loose', 'alike'],
    [
      'other arguments, loosely',
      { name: 'a', arguments: { x: 1 } },
      { name: 'a', arguments: { x: 2 } },
      'loose',
      'name',
    ],
    ['another tool, loosely', { name: 'a' }, { name: 'b' }, 'loose', undefined],
  ] as const)('finds the expected match tier: %s', (_, recorded, requested, level, tier) => {
    expect(tierOf(recorded, requested, level)).toBe(tier);
  });

  it('matches an initialize request of any client', () => {
    const index = new MockExchangeIndex([scene({ clientInfo: { name: 'a' } }, 'initialize')], 'normal');
    expect(index.find(asking({ clientInfo: { name: 'b' } }, 'initialize'), 'initialize')?.exchanges).toHaveLength(1);
  });

  it('returns the same list for the same exchanges, even if some values were redacted', () => {
    const index = new MockExchangeIndex(
      [scene({ key: '[REDACTED:token:01234567]' }), scene({ key: 'plain' })],
      'normal',
    );
    const found = index.find(asking({ key: 'secret' }), 'tools/call');
    expect(found?.exchanges).toHaveLength(1);
    expect(index.find(asking({ key: 'another' }), 'tools/call')?.exchanges).toBe(found?.exchanges);
    expect(index.find(asking({ key: 'secret', more: 1 }), 'tools/call')).toBeUndefined();
  });
});

describe('requests with redacted values', () => {
  const redacted = (digits: number): string => `[REDACTED:token:${String(digits).padStart(8, '0')}]`;
  const numbered = (params: unknown, sequence: number): RecordedExchange => {
    const exchange = scene(params);
    return { ...exchange, step: { ...exchange.step, entry: { ...exchange.step.entry, sequence } } };
  };

  it('matches redacted values by the text around the placeholders, at any depth, in recorded order', () => {
    const keys = [`Bearer ${redacted(1)}`, `${redacted(2)} for ${redacted(3)}`, redacted(4), `Bearer ${redacted(5)}`];
    const exchanges = keys.map((key, n) => numbered({ name: 'a', arguments: { list: [{ key }], n: 1 } }, n));
    const index = new MockExchangeIndex(exchanges, 'normal');
    const found = (key: unknown, n = 1): number[] | undefined =>
      index
        .find(asking({ name: 'a', arguments: { list: [{ key }], n } }), 'tools/call')
        ?.exchanges.map(({ step }) => step.entry.sequence);
    expect(found('Bearer x')).toEqual([0, 2, 3]);
    expect(found('a for b')).toEqual([1, 2]);
    expect(found('anything')).toEqual([2]);
    expect([found('Bearer x', 2), found(7), found(undefined)]).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    ['equal otherwise', (n: number) => ({ key: redacted(n) }), (n: number) => ({ key: `secret ${n}` })],
    ['with other arguments', (n: number) => ({ n, key: redacted(n) }), (n: number) => ({ n, key: 'secret' })],
    ['with other text', (n: number) => ({ key: `${redacted(n)} of ${n}` }), (n: number) => ({ key: `secret of ${n}` })],
  ])('finds redacted requests in time that does not grow with their number: %s', async (_, recorded, sent) => {
    const work = (count: number): (() => void) => {
      const exchanges = Array.from({ length: count }, (_empty, n) =>
        numbered({ name: 'a', arguments: recorded(n) }, n),
      );
      const requests = exchanges.map((_exchange, n) => asking({ name: 'a', arguments: sent(n) }));
      return () => {
        const index = new MockExchangeIndex(exchanges, 'normal');
        const found = requests.filter((text) => index.find(text, 'tools/call') !== undefined);
        expect(found).toHaveLength(count);
      };
    };
    await expectLinearGrowth({ small: work(25), large: work(600), times: 24 });
  });
});

describe('the nearest recorded request', () => {
  it('finds the nearest request among thousands in the time of ten answers', () => {
    const params = (n: number): object => ({ name: `tool${n % 7}`, arguments: { n, path: `/a/${n}`, mode: 'x' } });
    const exchanges = Array.from({ length: 2000 }, (_, n) => scene(params(n)));
    const index = new MockExchangeIndex(exchanges, 'normal');
    const texts = exchanges.slice(0, 100).map((_, n) => asking({ ...params(n * 20), more: n }));
    expect(index.find(texts[3] ?? '', 'tools/call')).toBeUndefined();
    expect(index.nearest(texts[3] ?? '', 'tools/call')).toMatchObject({
      exchange: exchanges[60],
      differences: [{ path: '$.params.more' }],
    });
    const timeOf = (work: (n: number) => void): number => {
      const startMs = performance.now();
      for (const n of texts.keys()) work(n);
      return performance.now() - startMs;
    };
    let ratio = Number.POSITIVE_INFINITY;
    // A busy machine distorts some measurements, but not all of this many.
    for (let attempt = 0; attempt < 30 && ratio >= 10; attempt++) {
      const hits = timeOf((n) => index.find(exchanges[n * 20]?.step.text ?? '', 'tools/call'));
      const misses = timeOf((n) => {
        index.find(texts[n] ?? '', 'tools/call');
        index.nearest(texts[n] ?? '', 'tools/call');
      });
      ratio = Math.min(ratio, misses / hits);
    }
    expect(ratio).toBeLessThan(10);
  });

  it('prefers a request for the same tool even if another has fewer differences', () => {
    const near = scene({ name: 'a', arguments: { x: 1, y: 2 } });
    const index = new MockExchangeIndex([scene({ name: 'b', arguments: { x: 5 } }), near], 'normal');
    const nearest = index.nearest(asking({ name: 'a', arguments: { x: 5 } }), 'tools/call');
    expect(nearest?.exchange).toBe(near);
    expect(nearest?.differences.map(({ path }) => path)).toEqual(['$.params.arguments.x', '$.params.arguments.y']);
  });

  it('ignores differences in irrelevant metadata', () => {
    expect(differencesOf(scene({ name: 'a', _meta: modern }), asking({ name: 'a' }))).toEqual([]);
  });
});
