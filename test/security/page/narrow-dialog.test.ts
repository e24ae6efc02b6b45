import { existsSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { isLongRun } from '../../support/long-run.ts';
import { Place } from '../../support/place.ts';
import { unless } from '../../support/unless.ts';
import { SampleTrace, said } from '../../tui/sample-traces.ts';
import { ServedView } from '../../view/served-view.ts';
import { newPage, noBrowser } from '../../web/browser.ts';
import { OWN } from '../hiding-commands.ts';

const MANY = isLongRun ? 10_000 : 1000;

/** Lengths are rounded, and boxes have borders. */
const ROUNDING = 4;

/** A phone, and a small window at a zoom of 400 %. */
type WindowSize = readonly [name: string, width: number, height: number];

const PHONE: WindowSize = ['420 pixels', 420, 700];
const SIZES: readonly WindowSize[] = [PHONE, ['a zoom of 400 %', 320, 256]];

interface Opened {
  readonly page: Page;
  readonly dialog: Locator;
  readonly command: Locator;
  readonly send: Locator;
}

/** Opens the dialog that asks about a call of this tool, in a window of this size. */
async function openDialog(
  place: Place,
  { command, tool = 'read' }: { readonly command: readonly string[]; readonly tool?: string },
  [, width, height]: WindowSize,
): Promise<Opened> {
  const file = new SampleTrace({ command }).call(1, 2, tool, {}, said('x')).write(place, OWN);
  const view = await ServedView.start(place, [file]);
  // The call is chosen in a wide window, as before a window is made smaller.
  const page = await newPage({ viewport: { width: 1000, height: 700 } });
  await page.goto(view.url);
  await page.locator('.row-name').first().click();
  const replay = page.getByRole('button', { name: 'Replay', exact: true });
  await replay.waitFor();
  await page.setViewportSize({ width, height });
  await replay.evaluate((button: HTMLButtonElement) => button.click());
  const dialog = page.getByRole('dialog');
  const rows = dialog.locator('.replay-command');
  await rows.getByText('Replay this call').waitFor({ state: 'attached' });
  return { page, dialog, command: rows, send: dialog.getByRole('button', { name: 'Replay', exact: true }) };
}

/**
 * Has the page note, in the moment in which sending becomes possible, how far the question is on the screen: up to the
 * lower edge of the window and the dialog.
 */
function noteWhenEnabled(command: Locator): Promise<void> {
  return command.evaluate((element: HTMLElement) => {
    const dialog = element.closest('dialog');
    const [, send] = dialog?.querySelectorAll('.live-actions button') ?? [];
    const shown = (): number => {
      const { top } = element.getBoundingClientRect();
      const room = Math.min(
        element.clientHeight,
        Math.min(window.innerHeight, dialog?.getBoundingClientRect().bottom ?? 0) - top,
      );
      return element.scrollTop + Math.max(0, room);
    };
    if (send === undefined) return;
    new MutationObserver(() => {
      element.dataset.shown ??= String(shown());
    }).observe(send, { attributeFilter: ['disabled'] });
  });
}

/** Goes through the dialog by keys alone, until sending is possible. By then, everything was on the screen. */
async function readByKeys({ page, command, send }: Opened): Promise<void> {
  const whole = await command.evaluate(({ scrollHeight }) => scrollHeight);
  await noteWhenEnabled(command);
  // From Cancel backwards to what scrolls.
  for (let n = 0; n < 5 && !(await command.evaluate((element) => element === document.activeElement)); n++) {
    await page.keyboard.press('Shift+Tab');
  }
  for (let n = 0; n < 3000; n++) {
    if (await send.isEnabled()) break;
    await page.keyboard.press(n % 5 === 4 ? 'ArrowDown' : 'PageDown');
    // The page takes back what goes further than it has drawn.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  }
  expect(await send.isEnabled()).toBe(true);
  const shown = await command.evaluate((element: HTMLElement) => Number(element.dataset.shown));
  expect(shown).toBeGreaterThanOrEqual(whole - ROUNDING);
}

function marker(place: Place): string[] {
  return ['sh', '-c', `touch ${place.path('RAN')}; exec cat`];
}

describe.each(SIZES)('the replay dialog in a window of %s', unless(noBrowser), (...size) => {
  it('a long name of the tool is shown whole before a call can be sent', { timeout: 60_000 }, async () => {
    const place = new Place();
    const tool = `read ${'very '.repeat(400)}end-of-name`;
    const opened = await openDialog(place, { command: marker(place), tool }, size);
    const { page, send, dialog, command } = opened;
    expect(await send.isDisabled()).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
    expect(await command.innerText()).toContain('end-of-name');
    // Of the title, only the beginning is there.
    expect((await dialog.getByRole('heading').innerText()).length).toBeLessThan(100);
    await readByKeys(opened);
    expect(existsSync(place.path('RAN'))).toBe(false);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Replay');
    await page.keyboard.press('Enter');
    await expect.poll(() => existsSync(place.path('RAN'))).toBe(true);
  });

  it('a huge word is wrapped, and shown whole before a call can be sent', { timeout: 60_000 }, async () => {
    const place = new Place();
    const command = ['node', 'x'.repeat(3000), `${'W'.repeat(1000)}\u0301${'\u0336'.repeat(500)}`];
    const opened = await openDialog(place, { command }, size);
    expect(await opened.send.isDisabled()).toBe(true);
    expect(await opened.command.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    expect(await opened.command.innerText()).toContain('501 combining characters');
    await readByKeys(opened);
  });

  it('the warnings come before the command, and must be shown whole, too', { timeout: 60_000 }, async () => {
    const place = new Place();
    const command = Array.from({ length: 30 }, () => ['xargs', 'find', '-exec']).flat();
    const opened = await openDialog(place, { command: [...command, 'id'] }, size);
    expect(await opened.send.isDisabled()).toBe(true);
    await readByKeys(opened);
  });
});

it('thousands of words are shown whole before a call can be sent', unless(noBrowser), async () => {
  const place = new Place();
  const command = ['node', 'server.js', ...Array.from({ length: MANY }, (_, n) => `--word-${n}`)];
  const opened = await openDialog(place, { command }, PHONE);
  const { page, command: rows, send } = opened;
  await rows.focus();
  await page.keyboard.press('End');
  expect(await send.isDisabled()).toBe(true);
  // One screen at a time, as often as the page draws.
  const seen = await rows.evaluate(async (element) => {
    const isDisabled = (): boolean =>
      [...document.querySelectorAll('dialog button')].some((button) => button.matches(':disabled'));
    const drawn = (): Promise<unknown> => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    for (let n = 0; n < 5000 && isDisabled(); n++) {
      element.scrollTop += element.clientHeight - 20;
      // The page takes back what goes too far when this is drawn, and counts the rest when that is.
      await drawn();
      await drawn();
    }
    return element.scrollHeight - element.scrollTop - element.clientHeight;
  });
  expect(seen).toBeLessThan(3);
  expect(await send.isEnabled()).toBe(true);
});
