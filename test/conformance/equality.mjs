import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPeers } from '../../scripts/peers.mjs';
import { startFixture, startMcpreel, startMock, startPassThrough } from './programs.mjs';
import { runSuite, scenariosOf } from './suite.mjs';
import { differences, faultsOf, figuresOf } from './verdict.mjs';

/**
 * Runs the conformance scenarios of a revision directly and through a proxy, each against a fresh fixture, and returns
 * both results. `only` selects the scenarios whose names contain it.
 */
export async function compareRuns({ revision, only, proxy = 'mcpreel' }) {
  await installPeers();
  const left = proxy === 'mock' ? NOT_PLAYED_BACK : [];
  const scenarios = scenariosOf(revision, only).filter((name) => !left.includes(name));
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcpreel-conformance-')));
  const clean = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', clean);
  const suite = { revision, only: only === undefined ? undefined : scenarios };
  try {
    const direct = await runDirect({ ...suite, folder: join(folder, 'direct') });
    const proxied = await THROUGH[proxy]({ ...suite, folder: join(folder, 'proxied') });
    for (const name of left) for (const results of [direct, proxied.results]) results.delete(name);
    return {
      direct: figuresOf(direct),
      proxied: { ...figuresOf(proxied.results), messages: proxied.messages },
      differences: differences(direct, proxied.results),
      faults: [...faultsOf(direct, scenarios), ...proxied.faults],
    };
  } finally {
    clean();
    process.off('exit', clean);
  }
}

/** The proxies between the suite and the fixture, or the mock in the fixture's place. */
export const THROUGH = { mcpreel: runThroughMcpreel, 'pass-through': runThroughPassThrough, mock: runAgainstMock };

/** Scenarios about HTTP itself, which a mock does not replay: opening, polling and resuming streams. */
const NOT_PLAYED_BACK = ['server-sse-polling', 'server-sse-multiple-streams'];

async function runDirect(suite) {
  const fixture = await startFixture();
  try {
    return await runSuite({ ...suite, url: fixture.url });
  } finally {
    await fixture.stop();
  }
}

async function runThroughMcpreel(suite) {
  const folder = join(suite.folder, 'mcpreel');
  mkdirSync(folder, { recursive: true });
  const { results, status, output } = await runThrough(suite, (target) => startMcpreel(target, folder));
  const messages = countMessages(readFileSync(join(folder, 'trace.jsonl'), 'utf8'));
  return {
    results,
    messages,
    faults: [
      ...(status === 0 ? [] : [`mcpreel ended with ${status}: ${output}`]),
      ...(messages > 0 ? [] : ['mcpreel recorded nothing']),
    ],
  };
}

/** In a trace, only messages have no type. */
function countMessages(trace) {
  const lines = trace.split('\n').filter((line) => line !== '');
  return lines.filter((line) => JSON.parse(line).type === undefined).length;
}

/** Records the suite, and runs it again with a mock of the recording in place of the fixture. */
async function runAgainstMock(suite) {
  const folder = join(suite.folder, 'mcpreel');
  mkdirSync(folder, { recursive: true });
  const recorded = { ...suite, folder: join(suite.folder, 'recorded') };
  await runThrough(recorded, (target) => startMcpreel(target, folder));
  const mock = await startMock(join(folder, 'trace.jsonl'), folder);
  const results = await runSuite({ ...suite, url: mock.url }).finally(() => mock.stop());
  return { results, messages: undefined, faults: [] };
}

async function runThroughPassThrough(suite) {
  const { results } = await runThrough(suite, startPassThrough);
  return { results, messages: undefined, faults: [] };
}

async function runThrough(suite, startProxy) {
  const fixture = await startFixture();
  try {
    const proxy = await startProxy(fixture.url);
    const results = await runSuite({ ...suite, url: proxy.url }).catch(async (error) => {
      await proxy.stop();
      throw error;
    });
    return { results, ...(await proxy.stop()) };
  } finally {
    await fixture.stop();
  }
}
