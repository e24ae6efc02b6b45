import type { PageState } from '../state/page.ts';
import { openRecordings } from './open-files.ts';

/** Opens the recording of `mcpreel demo` that ships with the page. */
export async function openDemo(page: PageState): Promise<void> {
  const { default: text } = await import('./demo-session.jsonl?raw');
  await openRecordings(page, [{ name: 'demo-session.jsonl', blob: new Blob([text]) }]);
}
