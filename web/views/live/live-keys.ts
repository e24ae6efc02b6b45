import { useEffect } from 'preact/hooks';
import type { LiveController } from './live-controller.ts';

/** The keys for held messages, as in the terminal UI. */
export const LIVE_KEYS: readonly {
  readonly key: string;
  readonly meaning: string;
  press(desk: LiveController): void;
}[] = [
  { key: 'f', meaning: 'forward', press: (controller) => controller.decideChosen({ action: 'forward' }) },
  { key: 'm', meaning: 'edit', press: (controller) => controller.write('edit') },
  { key: 'a', meaning: 'answer', press: (controller) => controller.write('answer') },
  { key: 'd', meaning: 'drop', press: (controller) => controller.decideChosen({ action: 'drop' }) },
  { key: 'n', meaning: 'next', press: (controller) => controller.chooseNext() },
  { key: 'F', meaning: 'forward all', press: (controller) => controller.forwardAll() },
  { key: 'i', meaning: 'intercept or pass through', press: (controller) => controller.toggleMode() },
];

/** Handles these keys while the view is open and the user is not writing. */
export function useLiveKeys(controller: LiveController): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
      const found = LIVE_KEYS.find(({ key }) => key === event.key);
      if (found === undefined) return;
      event.preventDefault();
      found.press(controller);
    };
    // Runs before the page's own keys, which have other meanings.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [controller]);
}

function isWriting(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true;
  return target instanceof HTMLElement && target.closest('input:not([type="radio"]), textarea, select') !== null;
}
