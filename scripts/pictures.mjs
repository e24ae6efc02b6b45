// Takes the pictures of README and docs: records a session with three servers, and shows it in Chromium.
//
//   npm run pictures
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { chromium } from 'playwright-core';
import { findPrograms } from './programs.mjs';
import { root } from './run.mjs';

const MCPREEL = join(root, 'dist', 'mcpreel.cjs');
const SERVERS = join(root, 'node_modules', '@modelcontextprotocol');
/** The folder of the shop in the pictures. */
const SHOWN_FOLDER = '/home/me/shop';
const SHOP_FILES = {
  'src/cart.ts': 'export const total = (prices: number[]) => prices.reduce((sum, price) => sum + price);\n',
  'src/checkout.ts': "import { total } from './cart.ts';\n\nexport const pay = (prices: number[]) => total(prices);\n",
};
const VIEWPORT = { width: 1280, height: 700 };

const { chromium: executablePath } = await findPrograms(['chromium']);
if (executablePath === undefined) process.exit(1);
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcpreel-pictures-')));
try {
  const shop = join(folder, 'shop');
  mkdirSync(join(shop, 'src'), { recursive: true });
  for (const [name, text] of Object.entries(SHOP_FILES)) writeFileSync(join(shop, name), text);
  await takePictures(await recordAgent(shop));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Records an agent that works with three servers, and returns the traces. */
async function recordAgent(shop) {
  const [files, everything, memory] = await Promise.all([
    connect('filesystem', [join(SERVERS, 'server-filesystem/dist/index.js'), shop]),
    connect('everything', [join(SERVERS, 'server-everything/dist/index.js')]),
    connect('memory', [join(SERVERS, 'server-memory/dist/index.js')]),
  ]);
  const all = [files, everything, memory];
  const source = (name) => join(shop, 'src', name);
  await Promise.all(all.map(({ client }) => client.listTools()));
  await delay(150);
  const long = everything.call('trigger-long-running-operation', { duration: 1, steps: 5 });
  await memory.call('search_nodes', { query: 'checkout' });
  await files.call('list_directory', { path: join(shop, 'src') });
  await delay(40);
  await Promise.all([
    files.call('read_text_file', { path: source('cart.ts') }),
    files.call('read_text_file', { path: source('checkout.ts') }),
  ]);
  await delay(120);
  await files.call('read_text_file', { path: join(shop, '../.ssh/config') });
  await delay(90);
  const checkout = { name: 'checkout', entityType: 'module', observations: ['uses cart.ts'] };
  await memory.call('create_entities', { entities: [checkout] });
  await delay(100);
  await Promise.all([
    everything.call('get-sum', { a: 'two', b: 3 }),
    files.call('edit_file', {
      path: source('checkout.ts'),
      edits: [{ oldText: 'total(prices)', newText: 'total(prices) * 1.2' }],
    }),
  ]);
  await delay(90);
  const contents = ['adds 20 % tax'];
  await memory.call('add_observations', { observations: [{ entityName: 'checkout', contents }] });
  await long;
  await everything.call('echo', { message: 'done' });
  return Promise.all(all.map(({ end }) => end()));
}

async function connect(label, server) {
  const trace = join(folder, `${label}.jsonl`);
  const words = ['--label', label, '--trace-file', trace, '--', process.execPath, ...server];
  const env = { ...process.env, MCPREEL_HOME: folder, MEMORY_FILE_PATH: join(folder, 'knowledge.json') };
  const client = new Client({ name: 'agent', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [MCPREEL, ...words], env, stderr: 'ignore' }),
  );
  return {
    client,
    call: (name, given) => client.callTool({ name, arguments: given }, undefined, { onprogress: () => undefined }),
    async end() {
      await client.close();
      const shown = readFileSync(trace, 'utf8')
        .replaceAll(join(folder, 'shop'), SHOWN_FOLDER)
        .replaceAll(folder, '/home/me')
        .replaceAll(root, '/opt');
      writeFileSync(trace, shown);
      return trace;
    },
  };
}

async function takePictures(traces) {
  const env = { ...process.env, MCPREEL_HOME: folder };
  const view = spawn(process.execPath, [MCPREEL, 'view', ...traces, '--no-open'], {
    ...{ env, stdio: ['ignore', 'pipe', 'inherit'] },
  });
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  try {
    const [line] = await Promise.race([once(view.stdout.setEncoding('utf8'), 'data'), once(view, 'exit')]);
    if (typeof line !== 'string') throw new Error('mcpreel view has failed');
    const url = line.trim();
    await takePicture(browser, 'timeline', 'light', `${url}&view=timeline&q=${encodeURIComponent('kind:request')}`);
    await takePicture(browser, 'calls', 'dark', `${url}&view=calls`);
  } finally {
    await browser.close();
    view.kill();
  }
}

/** Opens the failed call in a view, and takes a picture of the page. */
async function takePicture(browser, name, colorScheme, url) {
  const page = await browser.newPage({ viewport: VIEWPORT, deviceScaleFactor: 2, colorScheme });
  await page.goto(url);
  await page.locator('main').getByText('get-sum').first().click();
  await page.getByRole('tab', { name: 'Result' }).click();
  await page.getByText('arguments-invalid').waitFor();
  // Hover effects and the focus ring would be in the picture.
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.activeElement?.blur());
  await page.screenshot({ path: join(root, 'docs', 'pictures', `${name}.png`) });
  await page.close();
}
