// Serves the pages of the page benchmark and measures them inside the browser.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { median } from './measure.mjs';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** A page that reads the file and parses each line, and does nothing else. */
const BASELINE = `<!doctype html><title>baseline</title><input type="file"><output></output><script>
  document.querySelector('input').addEventListener('change', async (event) => {
    const start = performance.now();
    const text = await event.target.files[0].text();
    let count = 0;
    for (const line of text.split('\\n')) if (line !== '') { JSON.parse(line); count++; }
    window.tookMs = performance.now() - start;
    document.querySelector('output').textContent = count;
  });
</script>`;

/** Serves the built page and the baseline page on this machine. */
export async function serveFolder(folder) {
  // Files requested before a recording is opened are those that the page needs to start.
  const sent = new Map();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://host').pathname.slice(1) || 'index.html';
    const content = path === 'baseline.html' ? Promise.resolve(BASELINE) : readFile(join(folder, path));
    content.then(
      (bytes) => {
        sent.set(path, gzipSync(bytes).length);
        response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain' }).end(bytes);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    forget: () => sent.clear(),
    bytesAtStart: () => [...sent.values()].reduce((sum, bytes) => sum + bytes, 0),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The baseline shows nothing until it has read the whole file. */
export async function openBaseline(page, url, file) {
  await page.goto(`${url}baseline.html`, { waitUntil: 'networkidle' });
  await page.setInputFiles('input', file);
  await page.waitForFunction(() => window.tookMs !== undefined, undefined, { timeout: 120_000 });
  const tookMs = await page.evaluate(() => window.tookMs);
  return { firstMs: tookMs, allMs: tookMs };
}

/** Opens a file as a user would, and checks every frame for its first rows and for the end of reading. */
export async function openInPage(page, url, file, messages) {
  // Users choose a file only after the page has loaded.
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.locator('input[type=file]').waitFor({ state: 'attached' });
  await page.evaluate((expected) => {
    const seen = {};
    window.seen = seen;
    const look = () => {
      const now = performance.now() - seen.start;
      if (seen.firstMs === undefined && document.querySelectorAll('.row-name').length > 10) seen.firstMs = now;
      const total = document.querySelector('.footer')?.textContent ?? '';
      const isRead = total.startsWith(`${expected.toLocaleString('en-US')} messages`);
      const isReading = document.querySelector('.badges')?.textContent?.includes('reading') ?? true;
      if (seen.allMs === undefined && isRead && !isReading) seen.allMs = now;
      if (seen.allMs === undefined) requestAnimationFrame(look);
    };
    document.addEventListener(
      'change',
      () => {
        seen.start = performance.now();
        requestAnimationFrame(look);
      },
      { capture: true },
    );
  }, messages);
  await page.setInputFiles('input[type=file]', file);
  await page.waitForFunction(() => window.seen.allMs !== undefined, undefined, { timeout: 300_000 });
  return page.evaluate(() => ({ firstMs: window.seen.firstMs, allMs: window.seen.allMs }));
}

/**
 * Types a filter letter by letter. Returns the median time from a key press to the frame that shows the matching rows.
 */
export async function typeFilter(page) {
  await page.locator('#filter').focus();
  const times = [];
  for (const letter of 'search') {
    await page.evaluate(() => {
      window.keyMs = undefined;
      const input = document.querySelector('#filter');
      const begin = () => {
        const start = performance.now();
        const timeline = document.querySelector('.timeline');
        new MutationObserver((_, observer) => {
          if (timeline.dataset.filter !== input.value) return;
          window.keyMs = performance.now() - start;
          observer.disconnect();
        }).observe(timeline, { attributes: true, subtree: true, childList: true, characterData: true });
      };
      input.addEventListener('input', begin, { once: true, capture: true });
    });
    await page.keyboard.type(letter);
    await page.waitForFunction(() => window.keyMs !== undefined, undefined, { timeout: 30_000 });
    times.push(await page.evaluate(() => window.keyMs));
    await page.waitForFunction(() => !document.querySelector('.chips [role=status]')?.textContent?.includes('…'));
  }
  return median(times);
}
