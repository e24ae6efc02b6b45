import { useEffect } from 'preact/hooks';
import type { LiveController } from './live-controller.ts';

/** The keys for what is held, as in the terminal. */
export const LIVE_KEYS: readonly { readonly key: string; readonly meaning: string; press(desk: LiveController): void }[] = [
  { key: 'f', meaning: 'forward', press: (desk) => desk.decideChosen({ action: 'forward' }) },
  { key: 'm', meaning: 'edit', press: (desk) => desk.write('edit') },
  { key: 'a', meaning: 'answer', press: (desk) => desk.write('answer') },
  { key: 'd', meaning: 'drop', press: (desk) => desk.decideChosen({ action: 'drop' }) },
  { key: 'n', meaning: 'next', press: (desk) => desk.chooseNext() },
  { key: 'F', meaning: 'forward all', press: (desk) => desk.forwardAll() },
  { key: 'i', meaning: 'intercept or let pass', press: (desk) => desk.toggleMode() },
];

/** Listens to them while the view is open and nothing is being written. */
export function useLiveKeys(desk: LiveController): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
      const found = LIVE_KEYS.find(({ key }) => key === event.key);
      if (found === undefined) return;
      event.preventDefault();
      found.press(desk);
    };
    // Before the keys of the page, which mean something else.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [desk]);
}

function isWriting(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true;
  return target instanceof HTMLElement && target.closest('input:not([type="radio"]), textarea, select') !== null;
}
