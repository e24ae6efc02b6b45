// Vitest's global setup for a project: finds or installs the programs that the project's tests start.
import { findPrograms } from './programs.mjs';

const NEEDED = { unit: ['age'], whole: ['zsh', 'fish'], web: ['chromium'] };

export async function setup(project) {
  const { chromium } = await findPrograms(NEEDED[project.name] ?? []);
  if (project.name !== 'web') return undefined;
  const browser = chromium && (await startBrowser(chromium));
  project.provide('browser', browser ? browser.wsEndpoint() : '');
  return () => browser?.close();
}

/** All browser test files share one browser: starting one takes half a second of both cores. */
async function startBrowser(executablePath) {
  const { chromium } = await import('playwright-core');
  // As root, Chromium has no sandbox. With a process per site it needs no process per page, which costs as much as
  // loading the page.
  const args = ['--process-per-site', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  return chromium.launchServer({ executablePath, args });
}
