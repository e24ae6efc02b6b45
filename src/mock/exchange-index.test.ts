import { describe, expect, it } from 'vitest';
import type { ClientStep } from '../recorded/recorded-dialogue.ts';
import { differencesOf, MockExchangeIndex } from './exchange-index.ts';
import type { MatchLevel } from './match-keys.ts';
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

describe('the nearest recorded request', () => {
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
