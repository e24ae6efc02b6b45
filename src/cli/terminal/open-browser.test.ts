import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { skipOnWindows } from '../../../test/support/unless.ts';
import { browserCommands, openBrowser } from './open-browser.ts';

const URL = 'file:///home/a%20b/open-x/abc.html?a=1&b=2';
const linux = { platform: 'linux', env: {} } as const;

describe('browserCommands', () => {
  it('uses the default opener of each platform', () => {
    expect(browserCommands(URL, linux)).toEqual([['xdg-open', URL]]);
    expect(browserCommands(URL, { ...linux, platform: 'darwin' })).toEqual([['open', URL]]);
    expect(browserCommands(URL, { ...linux, platform: 'win32' })).toEqual([
      ['rundll32', 'url.dll,FileProtocolHandler', URL],
    ]);
  });

  it('tries the commands in $BROWSER first', () => {
    const env = { BROWSER: 'firefox --new-window %s:/opt/my-browser' };
    expect(browserCommands(URL, { ...linux, env })).toEqual([
      ['firefox --new-window %s', URL],
      ['firefox', '--new-window', URL],
      ['/opt/my-browser', URL],
      ['xdg-open', URL],
    ]);
  });
});

describe('openBrowser', skipOnWindows('its browsers are scripts of a POSIX shell'), () => {
  function script(text: string): { path: string; folder: string } {
    const folder = mkdtempSync(join(tmpdir(), 'mcpreel-browser-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'browser');
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
    return { path, folder };
  }

  it('tries the next program if one is missing or fails', async () => {
    const { path, folder } = script(`echo "$1" > "$(dirname "$0")/address"`);
    const failing = script('exit 3').path;
    const env = { PATH: '/bin:/usr/bin', BROWSER: `/no/such/browser:${failing}:${path}` };
    expect(await openBrowser(URL, { ...linux, env })).toBe(true);
    expect(readFileSync(join(folder, 'address'), 'utf8')).toBe(`${URL}\n`);
  });

  it('returns false if no program opens the URL', async () => {
    const env = { PATH: script('').folder, BROWSER: script('exit 1').path };
    expect(await openBrowser(URL, { ...linux, env })).toBe(false);
  });
});
