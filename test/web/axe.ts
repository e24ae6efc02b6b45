import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What axe holds against the page or a part of it, of those that matter. */
export async function seriousFindings(page: Page, within = 'html'): Promise<string[]> {
  // The page's own policy forbids scripts that are put into it, so axe is run in its own world.
  await page.evaluate(await readFile(axe, 'utf8'));
  const results = await page.evaluate(
    (part) => (globalThis as unknown as { axe: { run(part: string): Promise<AxeResults> } }).axe.run(part),
    within,
  );
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${String(target)} ${failureSummary}`),
    );
}
