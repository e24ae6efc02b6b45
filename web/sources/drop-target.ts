import { useEffect, useState } from 'preact/hooks';
import type { PageState } from '../state/page.ts';
import { openFiles } from './open-files.ts';
import { openText } from './open-text.ts';

/**
 * Opens files that the user drops anywhere on the page. They replace the open recordings or, with Shift, are added to
 * them. Returns whether the user is dragging files over the page.
 */
export function useDropTarget(page: PageState): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent): void => {
      event.preventDefault();
      setIsOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setIsOver(false);
    };
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      setIsOver(false);
      const { files } = event.dataTransfer ?? { files: [] };
      const adds = event.shiftKey && page.isOpen.value;
      if (files.length > 0) void openFiles(page, [...files].map(namedFile), { adds });
      else openText(page, event.dataTransfer?.getData('text/plain') ?? '', { adds });
    };
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, [page]);
  return isOver;
}

/** Converts a browser file to a file to open. */
export function namedFile(file: File): { readonly name: string; readonly blob: Blob } {
  return { name: file.name, blob: file };
}
