import { expect, it } from 'vitest';
import { LARGE_RECORDING, largeRecordingNote } from './large-recording.ts';

it('describes how the page opens a recording that takes long to read, and how to open a part', () => {
  expect(largeRecordingNote('a.jsonl', LARGE_RECORDING)).toBeUndefined();
  const note = largeRecordingNote('my day.jsonl', 4_200_000_000);
  expect(note).toContain('my day.jsonl has 4.2 GB. The page reads all of it once to list its messages');
  expect(note).toMatch(/mcpreel export 'my day\.jsonl' -f trace --filter tool:search -o part\.jsonl$/);
});
