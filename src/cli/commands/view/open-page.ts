import { release } from 'node:os';
import { pathToFileURL } from 'node:url';
import type { OpeningFile } from '../../../server/one-time-link.ts';
import type { PageServer } from '../../../server/page-server.ts';
import type { CommandEnvironment } from '../../context.ts';

/** A page that is being opened in the user's browser. */
export interface BrowserOpening {
  /** Removes the file that leads to the page, and reports nothing more. */
  cancel(): void;
}

/** How long a browser may take to ask for the page. */
const PATIENCE_MS = 10_000;

/**
 * Opens the page in the user's browser, through a file that only this user can read. Browsers that are installed as
 * snap or flatpak cannot read it, and neither can a browser of Windows under WSL; the address is printed for them.
 */
export function openInBrowser(page: PageServer, context: CommandEnvironment): BrowserOpening {
  const { direct, platform, env, stateFolder } = context;
  let isOver = false;
  let file: OpeningFile | undefined;
  const note = (why: string): void => {
    clearTimeout(timer);
    if (!isOver) direct.note(`${why} Open ${page.url}`);
  };
  const timer = setTimeout(() => note('The browser has not loaded the page yet.'), PATIENCE_MS);
  const cancel = (): void => {
    isOver = true;
    clearTimeout(timer);
    file?.remove();
  };
  void page.opened.then(cancel);
  void open().catch(() => note('Cannot write the file that opens the page.'));
  return { cancel };

  async function open(): Promise<void> {
    file = page.openingFile(stateFolder);
    const { openBrowser } = await import('../../terminal/open-browser.ts');
    const isOpen = await openBrowser(pathToFileURL(file.path).href, { platform, env });
    if (!isOpen) note('Cannot open a browser.');
    else if (isWsl()) note('If no browser opens:');
  }
}

/** The kernel of WSL has "microsoft" in its release. */
function isWsl(): boolean {
  return /microsoft/i.test(release());
}
