import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { isLongRun } from '../support/long-run.ts';

interface WithAxe {
  readonly axe?: { run(part: string, options: RunOptions): Promise<AxeResults> };
}

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The themes in which the page is looked at, with the rules of axe for each. */
export const THEMES: readonly { readonly colorScheme: 'light' | 'dark'; readonly rules?: readonly string[] }[] = [
  { colorScheme: 'light' },
  // A theme changes colors and nothing else; long runs try all rules all the same.
  { colorScheme: 'dark', ...(!isLongRun && { rules: ['color-contrast'] }) },
];

/** What axe holds against the page or a part of it, of those that matter. */
export async function seriousFindings(page: Page, within = 'html', rules?: readonly string[]): Promise<string[]> {
  const isThere = await page.evaluate(() => (globalThis as WithAxe).axe !== undefined);
  // The page's own policy forbids scripts that are put into it, so axe is run in its own world.
  if (!isThere) await page.evaluate(await axe);
  const results = await page.evaluate(({ part, options }) => (globalThis as WithAxe).axe?.run(part, options), {
    part: within,
    options: { resultTypes: ['violations' as const], ...(rules && { runOnly: [...rules] }) } satisfies RunOptions,
  });
  if (results === undefined) throw new Error('axe is not in the page');
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${String(target)} ${failureSummary}`),
    );
}
