import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { sayingLeftOut } from '../../src/model/shell-line.ts';
import type { EntryDetail } from '../model/entry-detail.ts';
import { copyText } from '../parts/clipboard.ts';
import { usePage } from '../state/page.ts';
import { type CopyForm, copyForms } from './copy-forms.ts';

/** A menu that copies an entry in one of several formats. */
export function CopyMenu({ detail }: { readonly detail: EntryDetail }): JSX.Element {
  const page = usePage();
  const box = useRef<HTMLDivElement>(null);
  const [forms, setForms] = useState<readonly CopyForm[] | undefined>(undefined);
  const toggle = async (): Promise<void> => {
    if (forms !== undefined) setForms(undefined);
    else setForms(copyForms(detail, await page.engine.findingsAbout(detail.key)));
  };
  const close = (): void => {
    setForms(undefined);
    box.current?.querySelector('button')?.focus();
  };
  const copy = async ({ title, text, isCommand }: CopyForm): Promise<void> => {
    page.notice.value = await copyText(text, sayingLeftOut(`Copied as ${title}.`, isCommand ? text : ''));
    close();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handler only closes the menu inside
    <div
      class="copy-menu"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || forms === undefined) return;
        event.preventDefault();
        close();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node) || !box.current?.contains(relatedTarget)) setForms(undefined);
      }}
    >
      <button type="button" class="button" aria-expanded={forms !== undefined} onClick={() => void toggle()}>
        Copy as
      </button>
      {forms !== undefined && (
        <ul class="copy-forms" aria-label="Copy as">
          {forms.map((form) => (
            <li key={form.title}>
              <button type="button" onClick={() => void copy(form)}>
                {form.title}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
