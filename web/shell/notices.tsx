import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { visible } from '../../src/present/visible-text.ts';
import { usePage } from '../state/page.ts';

const SHOWN_MS = 4000;

/** Shows a notice for a short time. */
export function Notices(): JSX.Element {
  const { notice } = usePage();
  const text = notice.value;
  useEffect(() => {
    if (text === undefined) return undefined;
    const timer = setTimeout(() => {
      notice.value = undefined;
    }, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class="notice" role="status" aria-live="polite" hidden={text === undefined}>
      {visible(text ?? '')}
    </div>
  );
}
