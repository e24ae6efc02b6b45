import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { usePage } from '../state/page.ts';
import { LIVE_KEYS } from '../views/live/live-keys.ts';
import { PAGE_KEYS } from './keys.ts';

const NAMES: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  PageDown: 'PgDn',
  PageUp: 'PgUp',
  Escape: 'Esc',
};

/** A list of all keys and their actions. */
export function Help(): JSX.Element {
  const { isHelpOpen } = usePage();
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = isHelpOpen.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const close = (): void => {
    isHelpOpen.value = false;
  };
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={close}>
      <h2 id="help-title">Keys</h2>
      <dl class="help-keys">
        {PAGE_KEYS.map(({ keys, meaning }) => (
          <div key={meaning}>
            <dt>
              {(keys.length > 3 ? [keys[0] ?? '', '…', keys.at(-1) ?? ''] : keys).map((key) => (
                <kbd key={key}>{NAMES[key] ?? key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
        {LIVE_KEYS.map(({ key, meaning }) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning} (Live)</dd>
          </div>
        ))}
      </dl>
      <button type="button" class="button" onClick={close}>
        Close
      </button>
    </dialog>
  );
}
