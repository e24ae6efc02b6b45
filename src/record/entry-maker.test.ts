import { expect, it } from 'vitest';
import type { Entry } from '../model/entry.ts';
import { EntryMaker } from './entry-maker.ts';

it('records a gap for a line that exceeds the maximum string length', () => {
  const bytes = new Uint8Array(0x1fffffe8);
  const entries: Entry[] = [];
  new EntryMaker('id').addFrame({ kind: 'binary', bytes }, 'server_to_client', 0, entries);
  expect(entries).toMatchObject([{ kind: 'event', event: 'mcpreel.gap', raw: expect.stringContaining('"missed":1') }]);
});
