import type { PageState } from '../state/page.ts';
import { type HowToOpen, openFiles } from './open-files.ts';

/** Opens the text of a recording. Anything else that was pasted or dropped is none of our business, and that is said. */
export function openText(page: PageState, text: string, how: HowToOpen = {}): void {
  const content = text.trim();
  if (content === '') return;
  if (/^[[{]/.test(content)) void openFiles(page, [{ name: 'pasted text', blob: new Blob([text]) }], how);
  else page.notice.value = 'That is not the text of a recording.';
}
