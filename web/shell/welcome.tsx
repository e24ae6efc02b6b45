import type { JSX } from 'preact';
import { openFiles } from '../sources/open-files.ts';
import { usePage } from '../state/page.ts';

/** What is there before anything is open. */
export function Welcome(): JSX.Element {
  const page = usePage();
  return (
    <main class="welcome">
      <h1>See what an MCP client and a server said to each other.</h1>
      <label class="drop">
        <span>Drop a recording here, paste it, or choose a file. It stays in this browser.</span>
        <input
          type="file"
          multiple
          onChange={(event) => void openFiles(page, [...(event.currentTarget.files ?? [])])}
        />
      </label>
    </main>
  );
}
