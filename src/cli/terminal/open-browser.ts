import { spawn } from 'node:child_process';

export interface BrowserDeps {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The release of the kernel, which names Microsoft where Linux runs under Windows (WSL). */
  readonly kernelRelease: string;
}

/** Opens an address in the user's browser. Resolves with whether a program was found that took it. */
export async function openBrowser(url: string, deps: BrowserDeps): Promise<boolean> {
  for (const command of browserCommands(url, deps)) if (await accepts(command, deps)) return true;
  return false;
}

/** The programs that open an address here, in the order in which they are tried. None of them is given to a shell. */
export function browserCommands(url: string, { platform, env, kernelRelease }: BrowserDeps): string[][] {
  // Unlike `start`, this takes an address with & as it is.
  const windows = (program: string): string[] => [program, 'url.dll,FileProtocolHandler', url];
  if (platform === 'win32') return [windows('rundll32')];
  if (platform === 'darwin') return [['open', url]];
  // A list by convention, in which %s stands for the address; a path may hold spaces.
  const chosen = (env.BROWSER ?? '').split(':').filter((browser) => browser !== '');
  return [
    ...chosen.flatMap((browser) =>
      browser.includes(' ') ? [[browser, url], wordsWith(browser, url)] : [[browser, url]],
    ),
    ...(/microsoft/i.test(kernelRelease) ? [windows('rundll32.exe')] : []),
    ['xdg-open', url],
  ];
}

function wordsWith(browser: string, url: string): string[] {
  const words = browser.split(' ').filter((word) => word !== '');
  const isPlaced = words.some((word) => word.includes('%s'));
  return isPlaced ? words.map((word) => word.replaceAll('%s', url)) : [...words, url];
}

/** A browser that stays open has taken the address; so has a program that ends well. */
const TAKEN_AFTER_MS = 2000;

function accepts([program = '', ...args]: readonly string[], { env }: BrowserDeps): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env: { ...env }, stdio: 'ignore', detached: true, windowsHide: true });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    // It goes on when mcpreel ends, and does not keep it from ending.
    child.unref();
    setTimeout(() => resolve(true), TAKEN_AFTER_MS).unref();
  });
}
