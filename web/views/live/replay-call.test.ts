import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import type { ServedReplay } from '../../sources/served-replay.ts';
import type { PageState } from '../../state/page.ts';
import { replayCall } from './replay-call.ts';

const PLAN = { method: 'tools/call', name: 'search', question: { heading: '', rows: [], notes: [] }, nonce: 'once' };

/** A page whose server answers a replay request in this way. */
async function requested(run: (signal: AbortSignal) => Promise<unknown>): Promise<() => ServedReplay | undefined> {
  const replay = signal<ServedReplay | undefined>(undefined);
  const api = {
    post: (path: string, _body: object, cancelled: AbortSignal) =>
      path.endsWith('/plan') ? Promise.resolve(PLAN) : run(cancelled),
  };
  const page = {
    served: signal({ api, replay }),
    timeline: signal({ lanes: [{ served: 'x' }] }),
    engine: { detail: async () => ({ entry: { kind: 'message', proxyId: 'm0' } }) },
  };
  await replayCall(page as unknown as PageState, 0);
  const first = replay.value;
  if (first?.stage === 'asking') first.run('');
  return () => replay.value;
}

describe('a replayed call', () => {
  it('reports the outcome of a replayed call, or why it failed', async () => {
    const done = await requested(async () => ({ verdict: 'match' }));
    await expect.poll(done).toMatchObject({ stage: 'done', outcome: { verdict: 'match' } });
    const failed = await requested(() => Promise.reject(new Error('It does not respond.')));
    await expect.poll(failed).toEqual({ stage: 'failed', why: 'It does not respond.' });
  });

  it('reports nothing more about a replayed call after it was cancelled', async () => {
    let isOver = false;
    const replay = await requested(
      (cancelled) =>
        new Promise((_, reject) => {
          cancelled.addEventListener('abort', () => {
            reject(cancelled.reason as Error);
            isOver = true;
          });
        }),
    );
    const running = replay();
    if (running?.stage !== 'running') throw new Error('It does not run.');
    running.cancel();
    await expect.poll(() => isOver).toBe(true);
    // The rejection has been handled by now.
    await new Promise((resolve) => setTimeout(resolve));
    expect(replay()).toBe(running);
  });
});
