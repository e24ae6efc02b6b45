// Runs every benchmark in sequence and prints one table of the results. Exits with 1 if mcpreel misses a limit.
//
//   npm run bench                                    all benchmarks
//   npm run bench -- --only stdio,http --rounds 1    some of them, with fewer rounds
//   npm run bench -- --json results.json             write the results to this file (default: bench/results.json)
//   npm run bench -- --only page --add               run the page again and keep the other earlier results
//   npm run bench -- --docs                          also write the tables of docs/proof.md and the plots
//   npm run bench -- --from bench/results.json       print the table of an earlier run, without running anything
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../scripts/run.mjs';
import { readFlags } from './flags.mjs';
import { drawGrowth } from './growth-tables.mjs';
import { inTemporaryFolder } from './measure.mjs';
import { overview, placeTables } from './overview.mjs';
import { here, node } from './programs.mjs';

/** The command and the default number of rounds of each benchmark. */
const TOPICS = {
  stdio: { program: 'stdio.mjs', rounds: 9 },
  memory: { program: 'stdio.mjs', flags: ['--memory', '1000000'] },
  screen: { program: 'stdio.mjs', flags: ['--screen'], rounds: 5 },
  keys: { program: 'stdio.mjs', flags: ['--keys'] },
  http: { program: 'http.mjs', rounds: 5 },
  bridge: { program: 'bridge.mjs', rounds: 5 },
  mock: { program: 'mock.mjs', rounds: 5 },
  replay: { program: 'replay.mjs', rounds: 5 },
  files: { program: 'files.mjs', rounds: 3 },
  page: { program: 'web.mjs', rounds: 5 },
  growth: { program: 'growth.mjs', rounds: 3 },
};

const given = readFlags({
  only: Object.keys(TOPICS).join(','),
  rounds: Number,
  json: here('results.json'),
  from: String,
  date: new Date().toISOString().slice(0, 10),
  add: Boolean,
  docs: Boolean,
});

const results = given.from === undefined ? await runAll() : JSON.parse(readFileSync(given.from, 'utf8'));
const { tables, missed } = overview(results);
for (const table of Object.values(tables)) console.log(`\n${table}`);
console.log('');
if (given.docs) writeDocs();
for (const line of missed) console.log(`MISSED ${line}`);
for (const topic of results.failed) console.log(`FAILED ${topic}`);
process.exitCode = missed.length === 0 && results.failed.length === 0 ? 0 : 1;

function writeDocs() {
  const docs = join(root, 'docs');
  const growth = results.benchmarks.find(({ benchmark }) => benchmark === 'growth');
  const placed =
    growth === undefined
      ? tables
      : { ...tables, growth: `${tables.growth}\n\n${drawGrowth(growth, join(docs, 'pictures'))}` };
  placeTables(join(docs, 'proof.md'), placed);
}

async function runAll() {
  const topics = chosenTopics();
  const found = { date: given.date, benchmarks: given.add ? earlierBut(topics) : [], failed: [] };
  await inTemporaryFolder(async (folder) => {
    for (const topic of topics) {
      const started = performance.now();
      console.log(`\n## ${topic}`);
      const result = await runOne(topic, join(folder, `${topic}.json`));
      if (result === undefined) found.failed.push(topic);
      else found.benchmarks.push(result);
      console.log(`(${Math.round((performance.now() - started) / 1000)} s)`);
    }
  });
  const order = Object.keys(TOPICS);
  found.benchmarks.sort((a, b) => order.indexOf(a.benchmark) - order.indexOf(b.benchmark));
  writeFileSync(given.json, `${JSON.stringify(found, undefined, 2)}\n`);
  console.log(`\nWritten to ${relative(process.cwd(), given.json)}`);
  return found;
}

function earlierBut(topics) {
  if (!existsSync(given.json)) return [];
  return JSON.parse(readFileSync(given.json, 'utf8')).benchmarks.filter(({ benchmark }) => !topics.includes(benchmark));
}

function chosenTopics() {
  const topics = given.only.split(',');
  const unknown = topics.find((topic) => !Object.hasOwn(TOPICS, topic));
  if (unknown === undefined) return topics;
  console.error(`There is no benchmark ${unknown}, only ${Object.keys(TOPICS).join(', ')}.`);
  process.exit(2);
}

/** Runs a benchmark as a separate process, so that none starts with another's memory. A failed one has no result. */
async function runOne(topic, file) {
  const { program, flags = [], rounds } = TOPICS[topic];
  const wanted = rounds === undefined ? [] : ['--rounds', String(given.rounds ?? rounds)];
  const args = [here(program), ...flags, ...wanted, '--json', file];
  const child = spawn(node, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const kill = () => child.kill();
  process.once('exit', kill);
  await once(child, 'close');
  process.off('exit', kill);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
