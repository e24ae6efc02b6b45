import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { inject, onTestFinished } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the browser that scripts/test-programs.mjs started, or an empty text. */
    browser: string;
  }
}

/** Why browser tests cannot run here; `undefined` where they can. */
export const noBrowser: string | undefined = inject('browser') === '' ? 'needs Chromium' : undefined;

let browser: Promise<Browser> | undefined;
let shared: Promise<BrowserContext> | undefined;

const VIEWPORT = { width: 1400, height: 860 };

/**
 * A page that is closed after the test, without data that earlier pages stored.
 *
 * Pages share a context, and so the page's compiled scripts, unless a test needs context options.
 */
export async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  const { viewport, colorScheme, ...more } = options;
  browser ??= chromium.connect(inject('browser'));
  const needsOwn = Object.keys(more).length > 0;
  shared ??= sharedContext(await browser);
  const context = needsOwn ? await (await browser).newContext({ viewport: VIEWPORT, ...more }) : await shared;
  const page = await context.newPage();
  onTestFinished(async () => {
    await (needsOwn ? context : page).close();
  });
  if (viewport) await page.setViewportSize(viewport);
  if (colorScheme) await page.emulateMedia({ colorScheme });
  if (!needsOwn) await forgetStored(context, page);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  faultsOf.set(page, faults);
  return page;
}

const faultsOf = new WeakMap<Page, string[]>();

/** The errors that a page reported so far. */
export function complaints(page: Page): readonly string[] {
  return faultsOf.get(page) ?? [];
}

async function sharedContext(inBrowser: Browser): Promise<BrowserContext> {
  const context = await inBrowser.newContext({ viewport: VIEWPORT });
  // The process of a site ends with its last page; this page keeps it for the next test.
  await context.newPage();
  return context;
}

async function forgetStored(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' });
  await session.detach();
}
