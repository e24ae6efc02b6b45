// Measures how fast the page shows a long recording, as a ratio to a page that only parses each line.
//
//   npm run bench:web                                   medians of five interleaved rounds, and a million messages
//   npm run bench:web -- --rounds 1 --messages 20000    a quick look
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { chromium as playwright } from 'playwright-core';
import { findPrograms } from '../scripts/programs.mjs';
import { root } from '../scripts/run.mjs';
import { readFlags } from './flags.mjs';
import { Figure, interleave } from './interleave.mjs';
import { inTemporaryFolder } from './measure.mjs';
import { report } from './report.mjs';
import { writeTrace } from './sample-files.mjs';
import { openBaseline, openInPage, serveFolder, typeFilter } from './web-pages.mjs';

const given = readFlags({ rounds: 5, messages: 100_000, many: 1_000_000, json: String });

const BASELINE = 'JSON.parse of each line';
const PAGE = 'mcpreel';
const LARGEST_START_KB = 120;

const { chromium: executablePath } = await findPrograms(['chromium']);
if (executablePath === undefined) process.exit(1);
const met = await inTemporaryFolder(compare);
process.exitCode = met ? 0 : 1;

async function compare(folder) {
  const { rounds, messages } = given;
  const file = join(folder, 'trace.jsonl');
  writeTrace(file, messages);
  const megabytes = (statSync(file).size / 1e6).toFixed(0);
  const about = `${messages} messages (${megabytes} MB), medians of ${rounds} interleaved rounds`;
  console.log(about);
  const host = await serveFolder(join(root, 'dist', 'web'));
  const browser = await playwright.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    let startBytes = 0;
    const figures = { first: new Figure(), all: new Figure(), key: new Figure() };
    await interleave({ [BASELINE]: openBaseline, [PAGE]: openInPage }, rounds, async (name, open) => {
      const page = await browser.newPage({ viewport: { width: 1400, height: 860 } });
      host.forget();
      const { firstMs, allMs } = await open(page, host.url, file, messages);
      if (name === PAGE) startBytes = host.bytesAtStart();
      figures.first.add(name, firstMs);
      figures.all.add(name, allMs);
      figures.key.add(name, name === PAGE ? await typeFilter(page) : allMs);
      await page.close();
    });
    console.log(`For orientation: the baseline takes ${figures.all.median(BASELINE).toFixed(0)} ms`);
    await openMany(browser, host.url, folder);
    const rows = [
      { title: 'until the first rows are visible', figures: figures.first.ratiosTo(BASELINE), atMost: 0.5 },
      { title: 'until everything is read', figures: figures.all.ratiosTo(BASELINE), atMost: 3 },
      { title: 'a keystroke in the filter', figures: figures.key.ratiosTo(BASELINE), atMost: 0.1 },
      { title: 'loaded at the start, kB gzip', figures: { [PAGE]: startBytes / 1000 }, atMost: LARGEST_START_KB },
    ];
    return report({ benchmark: 'page', about, names: [BASELINE, PAGE], limited: PAGE, rows }, given.json);
  } finally {
    await browser.close();
    host.close();
  }
}

async function openMany(browser, url, folder) {
  const messages = given.many;
  if (messages === 0) return;
  const file = join(folder, 'many.jsonl');
  writeTrace(file, messages);
  const page = await browser.newPage({ viewport: { width: 1400, height: 860 } });
  const { allMs } = await openInPage(page, url, file, messages);
  const keyMs = await typeFilter(page);
  const megabytes = (statSync(file).size / 1e6).toFixed(0);
  console.log(
    `${messages} messages (${megabytes} MB) opened in ${(allMs / 1000).toFixed(1)} s, a keystroke ${keyMs.toFixed(0)} ms`,
  );
  await page.close();
}
