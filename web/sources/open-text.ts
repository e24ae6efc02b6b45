import type { PageState } from '../state/page.ts';
import { type HowToOpen, openFiles } from './open-files.ts';

/** Opens the pasted or dropped text of a recording. Shows a notice for any other text. */
export function openText(page: PageState, text: string, how: HowToOpen = {}): void {
  const content = text.trim();
  if (content === '') return;
  if (/^[[{]/.test(content)) void openFiles(page, [{ name: 'pasted text', blob: new Blob([text]) }], how);
  else page.notice.value = 'The pasted text is not a recording.';
}
