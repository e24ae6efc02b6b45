import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the browser, empty where there is none. */
    chromium: string;
  }
}

/** Whether browser tests can be run at all. */
export const hasBrowser: boolean = inject('chromium') !== '';

let browser: Promise<Browser> | undefined;
const open: Page[] = [];

/** A page of a browser of its own, closed after the test. What goes wrong in it fails the test. */
export async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  // As root Chromium has no sandbox.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  browser ??= chromium.launch({ executablePath: inject('chromium'), args });
  const context = await (await browser).newContext({ viewport: { width: 1400, height: 860 }, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  faultsOf.set(page, faults);
  open.push(page);
  return page;
}

const faultsOf = new WeakMap<Page, string[]>();

/** What a page complained about so far. */
export function complaints(page: Page): readonly string[] {
  return faultsOf.get(page) ?? [];
}

afterEach(async () => {
  for (const page of open.splice(0)) await page.context().close();
});

afterAll(async () => {
  await (await browser)?.close();
  browser = undefined;
});
