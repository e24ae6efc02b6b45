import type { JSX } from 'preact';
import { formatSize } from '../../src/present/figures.ts';
import { visible } from '../../src/present/visible-text.ts';
import { openDemo } from '../sources/demo.ts';
import { FilePicker } from '../sources/file-picker.tsx';
import type { Download } from '../sources/opening.ts';
import { usePage } from '../state/page.ts';

/** The welcome screen, shown when nothing is open. */
export function Welcome(): JSX.Element {
  const page = usePage();
  const downloads = page.opening.downloads.value;
  if (downloads.length > 0) return <Coming downloads={downloads} />;
  return (
    <main class="welcome">
      <h1>See the traffic between an MCP client and its server.</h1>
      <div class="drop">
        <p>Drop recordings here, paste one, or choose files.</p>
        <p class="drop-answers">
          <FilePicker label="Choose files" />
          <button type="button" class="button" onClick={() => void openDemo(page)}>
            Open a demo session
          </button>
        </p>
      </div>
      <p class="welcome-note">Local only: your files never leave this browser.</p>
    </main>
  );
}

function Coming({ downloads }: { readonly downloads: readonly Download[] }): JSX.Element {
  return (
    <main class="welcome">
      <h1>Fetching {downloads.length === 1 ? 'a recording' : `${downloads.length} recordings`} …</h1>
      <ul class="coming">
        {downloads.map(({ name, bytes, of }) => (
          <li key={name}>
            <span class="coming-name">{visible(name)}</span>
            <progress aria-label={visible(name)} value={of === undefined ? undefined : bytes} max={of} />
            <span>{of === undefined ? formatSize(bytes) : `${formatSize(bytes)} of ${formatSize(of)}`}</span>
          </li>
        ))}
      </ul>
    </main>
  );
}
