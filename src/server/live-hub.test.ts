import { expect, it } from 'vitest';
import { ReelError } from '../model/errors.ts';
import { LiveHub } from './live-hub.ts';

it('reports no session as ended before checking whether it runs, however many pages connect at once', async () => {
  const requested: string[] = [];
  let look: () => void = () => undefined;
  const looked = new Promise<void>((resolve) => {
    look = resolve;
  });
  const hub = new LiveHub({
    running: async () => {
      await looked;
      requested.push('running');
      return [];
    },
    findTrace: async (id) => {
      requested.push(`trace of ${id}`);
      return undefined;
    },
    openTrace: () => Promise.reject(new ReelError('file-not-found', 'nothing')),
    nowMs: () => 0,
  });
  const readers = ['one', 'two'].map((id) => hub.visit(new Map([[id, 0]])).getReader());
  // A request that does not wait has been sent by now.
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  look();
  for (const reader of readers) {
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toContain('"type":"lost"');
  }
  expect(requested).toEqual(['running', 'trace of one', 'trace of two']);
  hub.close();
});
