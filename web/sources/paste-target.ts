import { useEffect } from 'preact/hooks';
import type { PageState } from '../state/page.ts';
import { namedFile } from './drop-target.ts';
import { openFiles } from './open-files.ts';
import { openText } from './open-text.ts';

/** Opens files and recording texts that the user pastes anywhere outside text fields. */
export function usePasteTarget(page: PageState): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      if (isWritten(event.target)) return;
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length > 0) void openFiles(page, files.map(namedFile));
      else openText(page, event.clipboardData?.getData('text/plain') ?? '');
    };
    window.addEventListener('paste', paste);
    return () => window.removeEventListener('paste', paste);
  }, [page]);
}

function isWritten(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}
