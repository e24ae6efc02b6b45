import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { visible } from '../../src/present/visible-text.ts';
import { openRecordings } from '../sources/open-files.ts';
import type { OpeningFault } from '../sources/opening.ts';
import { usePage } from '../state/page.ts';
import type { ViewId } from '../state/place.ts';
import { useRemarks } from './remarks.ts';

/** Banners for files that could not be opened, and explanations of the badges when requested. */
export function Banners(): JSX.Element {
  const { faults, isExplained } = usePage().opening;
  const dismiss = (): void => {
    faults.value = [];
  };
  return (
    <>
      {faults.value.length > 0 && (
        <div class="banner banner-fault" role="alert">
          <ul>
            {faults.value.map((fault) => (
              <Fault key={fault.what} fault={fault} />
            ))}
          </ul>
          <Close label="Dismiss" onClose={dismiss} />
        </div>
      )}
      {isExplained.value && <Explained />}
    </>
  );
}

function Explained(): JSX.Element | null {
  const { isExplained } = usePage().opening;
  const remarks = useRemarks();
  const hide = (): void => {
    isExplained.value = false;
  };
  if (remarks.length === 0) return null;
  return (
    <aside class="banner" aria-label="Notes on the open recordings">
      <dl class="remarks">
        {remarks.map(({ id, badge, sentences, view }) => (
          <div key={id}>
            <dt>{badge}</dt>
            {sentences.map((sentence) => (
              <dd key={sentence}>{visible(sentence)}</dd>
            ))}
            {view !== undefined && <ViewLink view={view} />}
          </div>
        ))}
      </dl>
      <Close label="Hide" onClose={hide} />
    </aside>
  );
}

function Close({ label, onClose }: { readonly label: string; onClose(): void }): JSX.Element {
  return (
    <button type="button" class="icon" aria-label={label} title={label} onClick={onClose}>
      ✕
    </button>
  );
}

function ViewLink({ view }: { readonly view: ViewId }): JSX.Element {
  const page = usePage();
  return (
    <dd>
      <button type="button" class="link" onClick={() => page.go({ view })}>
        Show them
      </button>
    </dd>
  );
}

function Fault({ fault: { what, file } }: { readonly fault: OpeningFault }): JSX.Element {
  const page = usePage();
  const [formats, setFormats] = useState<readonly { readonly id: string; readonly title: string }[]>([]);
  useEffect(() => {
    if (file !== undefined) void page.engine.formats().then(setFormats);
  }, [file]);
  return (
    <li>
      ✕ {visible(what)}
      {file !== undefined && formats.length > 0 && (
        <label class="fault-format">
          {' '}
          Read it as{' '}
          <select
            value=""
            onChange={(event) => void openRecordings(page, [{ ...file, format: event.currentTarget.value }])}
          >
            <option value="" disabled>
              …
            </option>
            {formats.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
      )}
    </li>
  );
}
