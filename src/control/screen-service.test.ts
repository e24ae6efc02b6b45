import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SampleSession } from '../../test/support/control/sample-session.ts';
import type { LiveReply } from './control-protocol.ts';
import { ScreenService } from './screen-service.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('sends nothing from the previous follow after a control client follows again', async () => {
  const session = new SampleSession();
  const reported: LiveReply[] = [];
  const service = new ScreenService(session, {
    hasRoom: true,
    send: (reply) => reported.push(reply),
    finish: () => undefined,
    guard: (work) => work(),
  });
  await service.do(1, { type: 'follow' });
  // Too much to send line by line: a later event reports that the screen missed it.
  session.write('x'.repeat(70_000));
  await service.do(2, { type: 'follow', from: 1 });
  vi.advanceTimersByTime(1000);
  session.write('{}');
  const events = reported.filter(({ type }) => type === 'missed' || type === 'lines');
  expect(events).toEqual([{ type: 'lines', firstSeq: 1, lines: ['{}'] }]);
});
