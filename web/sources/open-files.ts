import type { Page } from '../state/page.ts';

/** Opens files in place of what is open. */
export async function openFiles(page: Page, files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  await page.engine.close();
  await page.engine.open(files.map((file) => ({ name: file.name, blob: file })));
}
