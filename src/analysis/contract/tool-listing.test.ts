import { describe, expect, it } from 'vitest';
import { sampleMessage, toolCall, toolList } from '../../../test/support/calls/sample-calls.ts';
import type { Call } from '../calls/call.ts';
import { ToolListings, toolPageOf } from './tool-listing.ts';

const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];

function listingsOf(...calls: readonly Call[]): ToolListings {
  const listings = new ToolListings();
  for (const call of calls) listings.take(call);
  return listings;
}

const names = (tools: ReadonlyMap<string, string> | undefined): string[] | undefined => tools && [...tools.keys()];

describe('toolPageOf', () => {
  it('keeps tool definitions as they were sent', () => {
    const text = '{"id":1,"result":{"tools":[ {"name":"\\u0061", "n":1.0} ,{"title":"no name"}, 7]}}';
    const page = toolPageOf(toolList([], { answer: sampleMessage(text) }));
    expect(page?.tools).toEqual([{ name: 'a', text: '{"name":"\\u0061", "n":1.0}' }]);
  });

  it.each([
    ['another method', toolCall('a')],
    ['a request of the server', toolList([a], { direction: 'server_to_client' })],
    ['no answer', toolList([a], { answer: undefined })],
    ['tools that are no list', toolList([], { answer: sampleMessage('{"id":1,"result":{"tools":"none"}}') })],
    ['an error', toolList([a], { answer: sampleMessage('{"id":1,"error":{"code":-1,"message":"no"}}') })],
  ])('returns undefined for %s', (_, call) => {
    expect(toolPageOf(call)).toBeUndefined();
  });
});

describe('ToolListings', () => {
  it('joins pages by their cursors', () => {
    const listings = listingsOf(
      toolList([a], { nextCursor: 'x' }),
      toolList([b], { cursor: 'x', nextCursor: 'y' }),
      toolList([c], { cursor: 'y' }),
    );
    expect(names(listings.complete)).toEqual(['a', 'b', 'c']);
  });

  it('keeps the listings of different clients separate', () => {
    const listings = listingsOf(
      toolList([a], { conversation: 1, nextCursor: 'x' }),
      toolList([b], { conversation: 2, nextCursor: 'x' }),
      toolList([c], { conversation: 1, cursor: 'x' }),
    );
    expect(names(listings.complete)).toEqual(['a', 'c']);
  });

  it('has no complete listing if the first or the last page is missing', () => {
    expect(listingsOf(toolList([a], { nextCursor: 'x' })).complete).toBeUndefined();
    const withoutFirst = listingsOf(toolList([b], { cursor: 'x' }));
    expect({ complete: withoutFirst.complete, latest: names(withoutFirst.latest) }).toEqual({
      complete: undefined,
      latest: ['b'],
    });
  });

  it('drops a tool that is missing from a later listing', () => {
    expect(names(listingsOf(toolList([a, b]), toolList([b])).complete)).toEqual(['b']);
  });

  it('keeps a bounded number of unfinished listings', () => {
    const first = toolList([a], { nextCursor: 'first' });
    const others = Array.from({ length: 100 }, (_, n) => toolList([b], { nextCursor: `n${n}` }));
    expect(listingsOf(first, ...others, toolList([c], { cursor: 'first' })).complete).toBeUndefined();
    expect(names(listingsOf(first, ...others.slice(1), toolList([c], { cursor: 'first' })).complete)).toEqual([
      'a',
      'c',
    ]);
  });
});
