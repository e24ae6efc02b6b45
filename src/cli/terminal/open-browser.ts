import { spawn } from 'node:child_process';

export interface BrowserDeps {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Opens a URL in the user's browser; resolves with whether a program accepted it. */
export async function openBrowser(url: string, deps: BrowserDeps): Promise<boolean> {
  for (const command of browserCommands(url, deps)) if (await accepts(command, deps)) return true;
  return false;
}

/** The commands that open a URL on this system, in the order they are tried. None of them runs in a shell. */
export function browserCommands(url: string, { platform, env }: BrowserDeps): string[][] {
  // Unlike `start`, this accepts a URL that contains `&`.
  if (platform === 'win32') return [['rundll32', 'url.dll,FileProtocolHandler', url]];
  if (platform === 'darwin') return [['open', url]];
  // By convention a list, where %s stands for the URL; a path may contain spaces.
  const chosen = (env.BROWSER ?? '').split(':').filter((browser) => browser !== '');
  return [
    ...chosen.flatMap((browser) =>
      browser.includes(' ') ? [[browser, url], wordsWith(browser, url)] : [[browser, url]],
    ),
    ['xdg-open', url],
  ];
}

function wordsWith(browser: string, url: string): string[] {
  const words = browser.split(' ').filter((word) => word !== '');
  const isPlaced = words.some((word) => word.includes('%s'));
  return isPlaced ? words.map((word) => word.replaceAll('%s', url)) : [...words, url];
}

/** A program that still runs after this time, or exits with 0, has accepted the URL. */
const TAKEN_AFTER_MS = 2000;

function accepts([program = '', ...args]: readonly string[], { env }: BrowserDeps): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env: { ...env }, stdio: 'ignore', detached: true, windowsHide: true });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    // It keeps running after mcpreel exits, and does not keep mcpreel alive.
    child.unref();
    setTimeout(() => resolve(true), TAKEN_AFTER_MS).unref();
  });
}
