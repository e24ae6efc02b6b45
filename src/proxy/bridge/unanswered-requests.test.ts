import { describe, expect, it } from 'vitest';
import { expectLinearGrowth } from '../../../test/support/growth.ts';
import { UnansweredRequests } from './unanswered-requests.ts';

describe('UnansweredRequests', () => {
  it('finds the id under which a request was sent until it is answered', () => {
    const open = new UnansweredRequests();
    open.add('1');
    open.add('2');
    open.rename('1', '"a"');
    expect([open.sentFor('1'), open.sentFor('1.0'), open.sentFor('2'), open.ownOf('"a"')]).toEqual([
      ...['"a"', '"a"', '2', '1'],
    ]);
    open.remove('"a"');
    expect(open.sentFor('1')).toBe('1');
  });

  it('finds the ids of renamed requests in time that grows with their number only', async () => {
    const cancelled = (count: number) => () => {
      const open = new UnansweredRequests();
      for (let n = 0; n < count; n++) {
        open.add(String(n));
        open.rename(String(n), `"r${n}"`);
      }
      for (let n = 0; n < count; n++) open.sentFor(String(n));
    };
    await expectLinearGrowth({ small: cancelled(200), large: cancelled(6400), times: 32 });
  });
});
