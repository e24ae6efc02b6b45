import type { Page } from '../state/page.ts';
import { openRecordings } from './open-files.ts';

/** Opens a recording of `mcpreel demo` that comes with the page. */
export async function openDemo(page: Page): Promise<void> {
  const { default: text } = await import('./demo-session.jsonl?raw');
  await openRecordings(page, [{ name: 'demo-session.jsonl', blob: new Blob([text]) }]);
}
