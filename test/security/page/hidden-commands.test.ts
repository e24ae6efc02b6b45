import { existsSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { Place } from '../../support/place.ts';
import { unless } from '../../support/unless.ts';
import { ServedView } from '../../view/served-view.ts';
import { newPage, noBrowser } from '../../web/browser.ts';
import { BLANKS, hiding, OWN, writeRecording } from '../hiding-commands.ts';

async function openDialog(place: Place, file: string): Promise<{ page: Page; dialog: Locator; send: Locator }> {
  const view = await ServedView.start(place, [file]);
  const page = await newPage({ viewport: { width: 900, height: 700 } });
  await page.goto(view.url);
  await page.locator('.row-name', { hasText: 'read' }).click();
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('runs word 3').waitFor();
  return { page, dialog, send: dialog.getByRole('button', { name: 'Replay', exact: true }) };
}

describe('a hidden command in the page', unless(noBrowser), () => {
  it.each(BLANKS)(
    'shows a command despite %s, names its shell, and does not run it on Enter',
    async (_, blanks, mark) => {
      const place = new Place();
      const { page, dialog } = await openDialog(place, writeRecording(place, hiding(place, blanks), OWN));
      await dialog.getByText('sh -c runs word 3').waitFor();
      if (!blanks.startsWith('\t')) expect(await dialog.getByText(';id >').isVisible()).toBe(true);
      expect(await dialog.getByText(mark).isVisible()).toBe(true);
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
      await page.keyboard.press('Enter');
      await expect.poll(() => dialog.count()).toBe(0);
      expect(existsSync(place.path('HIDDEN'))).toBe(false);
    },
  );

  it('sends a hidden command only after all of it was on the screen', async () => {
    const place = new Place();
    const long = Array.from({ length: 200 }, (_, line) => `# line ${line}`).join('\n');
    const { page, send } = await openDialog(place, writeRecording(place, hiding(place, `\n${long}\n`), OWN));
    expect(await send.isDisabled()).toBe(true);
    const command = page.locator('.replay-command');
    const scrollTo = (top: number): Promise<unknown> => command.evaluate((element, to) => element.scrollTo(0, to), top);
    await scrollTo(1e6);
    await expect.poll(() => command.evaluate(({ scrollTop }) => scrollTop)).toBeLessThan(1000);
    expect(await send.isDisabled()).toBe(true);
    await scrollTo(0);
    await command.focus();
    await expect
      .poll(
        async () => {
          await page.keyboard.press('PageDown');
          return send.isEnabled();
        },
        { timeout: 20_000 },
      )
      .toBe(true);
  });

  it('marks the command of a foreign recording, which must be typed once', async () => {
    const place = new Place();
    const command = ['sh', '-c', `id > ${place.path('RAN')}; exec cat`];
    const { dialog, send } = await openDialog(place, writeRecording(place, command, 'foreign.jsonl'));
    await dialog.getByText('Somebody else may have made this recording').waitFor();
    expect(await send.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('sh -c true');
    await send.click();
    await dialog.getByText('The typed value differs from the recorded one').waitFor();
    expect(existsSync(place.path('RAN'))).toBe(false);
    await dialog.getByRole('button', { name: 'Close' }).click();
    const page = dialog.page();
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await dialog.getByRole('textbox').fill(`sh -c 'id > ${place.path('RAN')}; exec cat'`);
    await send.click();
    await expect.poll(() => existsSync(place.path('RAN'))).toBe(true);
  });
});
