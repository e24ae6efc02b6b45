import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { isLongRun } from '../support/long-run.ts';

interface WithAxe {
  readonly axe?: { run(part: string, options: RunOptions): Promise<AxeResults> };
}

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The themes in which the page is checked, with axe's rules for each. */
export const THEMES: readonly { readonly colorScheme: 'light' | 'dark'; readonly rules?: readonly string[] }[] = [
  { colorScheme: 'light' },
  // A theme changes only colors; long runs check all rules in both themes.
  { colorScheme: 'dark', ...(!isLongRun && { rules: ['color-contrast'] }) },
];

/** The serious findings of axe in the page or a part of it. */
export async function seriousFindings(page: Page, within = 'html', rules?: readonly string[]): Promise<string[]> {
  const isThere = await page.evaluate(() => (globalThis as WithAxe).axe !== undefined);
  // The page's policy forbids injected scripts, so axe runs in an isolated world.
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
