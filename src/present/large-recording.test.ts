import { expect, it } from 'vitest';
import { largeRecordingNote, MAX_PAGE_TEXT } from './large-recording.ts';

it('describes what the page shows of a recording that is too large for it, and how to open a part', () => {
  expect(largeRecordingNote('a.jsonl', MAX_PAGE_TEXT)).toBeUndefined();
  const note = largeRecordingNote('my day.jsonl', 4_200_000_000);
  expect(note).toContain('my day.jsonl has 4.2 GB. The page keeps the text of its last 1.1 GB');
  expect(note).toMatch(/mcpreel export 'my day\.jsonl' -f trace --filter tool:search -o part\.jsonl$/);
});
