import { describe, expect, it } from 'vitest';
import { CALL_COLUMNS, readCallOrder, sortedBy, withCallOrder } from './call-columns.ts';

describe('the order of calls in a link', () => {
  it.each([
    {},
    { sort: '-duration' },
    { sort: 'name', group: 'tool' },
    { group: 'server', tab: 'raw' },
    { sort: '-start' },
  ])('comes back as it was: %j', (more) => {
    expect(withCallOrder(more, readCallOrder(more))).toEqual(more);
  });

  it('is that of the recording where the link says what nobody knows', () => {
    expect(readCallOrder({ sort: '-beauty', group: 'mood' })).toMatchObject({ sort: 'start', group: 'none' });
  });

  it('turns around with the second click on a title', () => {
    const duration = CALL_COLUMNS.find(({ sort }) => sort === 'duration');
    if (duration === undefined) throw new Error('no such column');
    const once = sortedBy(readCallOrder({}), duration);
    expect(once).toMatchObject({ sort: 'duration', descending: true });
    expect(sortedBy(once, duration)).toMatchObject({ sort: 'duration', descending: false });
  });
});
