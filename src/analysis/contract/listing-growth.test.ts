import { expect, it } from 'vitest';
import { toolList } from '../../../test/support/calls/sample-calls.ts';
import { expectLinearGrowth } from '../../../test/support/growth.ts';
import type { Call } from '../calls/call.ts';
import { FindingConversations } from '../findings/conversations.ts';
import { ContractReader } from './contract.ts';
import { ToolListings } from './tool-listing.ts';

/** The calls of one listing with a tool on each page. */
function pagesOf(count: number): Call[] {
  return Array.from({ length: count }, (_, n) =>
    toolList([{ name: `tool${n}` }], {
      ...(n > 0 && { cursor: `c${n}` }),
      ...(n < count - 1 && { nextCursor: `c${n + 1}` }),
    }),
  );
}

/** One page in each conversation, with a tool of its own. */
function conversationsOf(count: number): Call[] {
  return Array.from({ length: count }, (_, n) => toolList([{ name: `tool${n}` }], { conversation: n }));
}

const WORK: readonly (readonly [string, (count: number) => Call[], (calls: readonly Call[]) => number | undefined])[] =
  [
    [
      'joins the pages of a listing',
      pagesOf,
      (calls) => {
        const listings = new ToolListings();
        for (const call of calls) listings.take(call);
        return listings.complete?.size;
      },
    ],
    [
      'learns the tools of a conversation page by page',
      pagesOf,
      (calls) => {
        const conversations = new FindingConversations();
        for (const call of calls) conversations.takeCall(call);
        return conversations.of(calls[0]?.conversation).tools.size;
      },
    ],
    [
      'joins the listings of many conversations',
      conversationsOf,
      (calls) => {
        const reader = new ContractReader({ profile: 'semantic' });
        for (const call of calls) reader.take(call);
        return reader.result().listings.get('tool')?.offers.size;
      },
    ],
  ];

it.each(WORK)('%s in time that grows only with their number', async (_, callsOf, work) => {
  const [small, large] = [callsOf(250), callsOf(4000)];
  expect(work(large)).toBe(large.length);
  await expectLinearGrowth({ small: () => work(small), large: () => work(large), times: 16 });
});
