import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { EXPORT_FORMATS, type ExportFormat } from '../model/export-formats.ts';
import type { ExportedFile } from '../model/export-shown.ts';
import { saveFile } from '../parts/save-file.ts';
import { usePage } from '../state/page.ts';
import { counted } from '../state/times.ts';

const FORMATS = Object.keys(EXPORT_FORMATS) as ExportFormat[];

/** A menu that exports the shown entries to a file, redacted by default. */
export function ExportMenu(): JSX.Element {
  const page = usePage();
  const [isOpen, setIsOpen] = useState(false);
  const [format, setFormat] = useState<ExportFormat>('trace');
  const [redacts, setRedacts] = useState(true);
  const [isBusy, setIsBusy] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useOutside(box, isOpen, () => setIsOpen(false));
  const { entries, isComplete } = page.shown.value;

  const run = async (): Promise<void> => {
    setIsBusy(true);
    try {
      const salt = crypto.getRandomValues(new Uint8Array(16));
      const files = await page.engine.exportShown({ format, redacts, salt });
      for (const { name, blob } of files) saveFile(name, blob);
      page.notice.value = describe(files, redacts);
      setIsOpen(false);
    } catch (error) {
      page.notice.value = (error as Error).message;
    }
    setIsBusy(false);
  };

  return (
    <div class="menu" ref={box}>
      <button
        type="button"
        id="export"
        class="button"
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(!isOpen)}
      >
        Export shown…
      </button>
      {isOpen && (
        <div class="menu-box" role="dialog" aria-label="Export shown">
          <fieldset class="menu-choices">
            <legend>Export visible rows as</legend>
            {FORMATS.map((id) => (
              <label key={id}>
                <input type="radio" name="export-format" checked={format === id} onChange={() => setFormat(id)} />
                {EXPORT_FORMATS[id].title}
              </label>
            ))}
          </fieldset>
          <label>
            <input type="checkbox" checked={redacts} onChange={(event) => setRedacts(event.currentTarget.checked)} />
            Redact secrets
          </label>
          {!redacts && <p class="menu-warning">The file will contain tokens and passwords of the traffic.</p>}
          <button
            type="button"
            class="button button-main"
            disabled={isBusy || entries === 0 || !isComplete}
            onClick={() => void run()}
          >
            Export {counted(entries, 'row')}
          </button>
        </div>
      )}
    </div>
  );
}

/** Closes the menu on a click elsewhere or on Escape. */
function useOutside(box: { readonly current: HTMLElement | null }, isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPointer = (event: PointerEvent): void => {
      if (event.target instanceof Node && box.current?.contains(event.target) === false) close();
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      close();
      box.current?.querySelector('button')?.focus();
    };
    window.addEventListener('pointerdown', onPointer);
    window.addEventListener('keydown', onKey, true);
    return () => {
      window.removeEventListener('pointerdown', onPointer);
      window.removeEventListener('keydown', onKey, true);
    };
  }, [isOpen]);
}

/** `Exported 3 messages to a.jsonl. Removed 2 secrets: 2 github-token. It does not hold times.` */
function describe(files: readonly ExportedFile[], redacts: boolean): string {
  const messages = files.reduce((sum, file) => sum + file.messages, 0);
  const removed = new Map<string, number>();
  for (const [kind, count] of files.flatMap((file) => file.removed))
    removed.set(kind, (removed.get(kind) ?? 0) + count);
  const total = [...removed.values()].reduce((sum, count) => sum + count, 0);
  const kinds = [...removed].map(([kind, count]) => `${count} ${kind}`).join(', ');
  const sent = [
    `Exported ${counted(messages, 'message')} to ${files.map(({ name }) => name).join(', ')}.`,
    total > 0 ? `Redacted ${counted(total, 'secret')}: ${kinds}.` : redacts ? 'No secrets found.' : '',
    files[0] !== undefined && files[0].loses.length > 0
      ? `Not included in this format: ${files[0].loses.join(', ')}.`
      : '',
  ];
  return sent.filter((part) => part !== '').join(' ');
}
