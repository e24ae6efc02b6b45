import { expect, it } from 'vitest';
import { LastRequestHeads } from './last-request-heads.ts';

it('forgets the least recently active conversation beyond the limit', () => {
  const heads = new LastRequestHeads();
  const head = { method: 'POST', path: '/', headers: [] };
  for (let conversation = 1; conversation <= 1000; conversation++) heads.spoke(conversation, head);
  heads.spoke(1, head);
  heads.spoke(1001, head);
  expect([heads.headOf(1), heads.headOf(2), heads.headOf(1001)]).toEqual([head, undefined, head]);
});
