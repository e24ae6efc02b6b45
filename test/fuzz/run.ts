import { parseArgs } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import { minimise } from './minimise.ts';
import { keepFind } from './seeds.ts';
import type { Target } from './target.ts';
import { targets } from './targets.ts';
import { serveTries, Trial, type Tried } from './trial.ts';

/** Runs every fuzz target for a number of seconds, and stores the finds in test/corpus/fuzz. */

const DEFAULT_SECONDS = 60;
/** The maximum number of different faults per target and run. */
const MAX_FINDS = 5;
const MAX_TRIES = 2000;
const MAX_SLICE_MS = 2000;

interface Row {
  readonly name: string;
  readonly inputs: number;
  readonly seconds: number;
  readonly finds: number;
}

interface Choice {
  readonly chosen: readonly Target[];
  readonly seed: number;
  readonly seconds: number;
}

async function main(): Promise<void> {
  const choice = readChoice();
  if (typeof choice === 'string') {
    process.stderr.write(`fuzz: ${choice}\n`);
    process.exitCode = 2;
  } else await fuzzAll(choice);
}

/** Reads the arguments; returns an error message if they are invalid. */
function readChoice(): Choice | string {
  try {
    return choiceFrom(process.argv.slice(2));
  } catch (error) {
    return (error as Error).message;
  }
}

function choiceFrom(args: string[]): Choice {
  const { values } = parseArgs({
    args,
    options: {
      target: { type: 'string', multiple: true, default: [] },
      seconds: { type: 'string', default: String(DEFAULT_SECONDS) },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    },
  });
  const [seed, seconds] = [Number(values.seed), Number(values.seconds)];
  if (!Number.isInteger(seed) || !(seconds > 0)) throw new Error('--seed and --seconds take a number.');
  const chosen = targets.filter(
    ({ name }) => values.target.length === 0 || values.target.some((part) => name.includes(part)),
  );
  if (chosen.length === 0)
    throw new Error(`No such target. There are properties, ${targets.map(({ name }) => name).join(', ')}.`);
  return { chosen, seed, seconds };
}

async function fuzzAll({ chosen, seed, seconds }: Choice): Promise<void> {
  say(`seed ${seed} (repeat with --seed ${seed}), ${seconds} s for each of ${chosen.length} targets\n\n`);
  say(`${'target'.padEnd(22)}${'inputs'.padStart(10)}${'inputs/s'.padStart(10)}${'finds'.padStart(7)}\n`);
  const rows: Row[] = [];
  for (const target of chosen) {
    const row = await fuzz(target, seed, seconds);
    rows.push(row);
    sayRow(row);
  }
  const sum = (key: 'inputs' | 'seconds' | 'finds'): number => rows.reduce((total, row) => total + row[key], 0);
  sayRow({ name: 'all', inputs: sum('inputs'), seconds: sum('seconds'), finds: sum('finds') });
  process.exitCode = rows.some(({ finds }) => finds > 0) ? 1 : 0;
}

async function fuzz({ name }: Target, seed: number, seconds: number): Promise<Row> {
  const trial = new Trial(name, seed);
  const faults = new Set<string>();
  let [inputs, spentMs] = [0, 0];
  try {
    while (spentMs < seconds * 1000 && faults.size < MAX_FINDS) {
      const start = performance.now();
      const { tried, find } = await trial.next(inputs, [...faults]);
      inputs += tried;
      // Time in which the machine was suspended does not count.
      spentMs += Math.min(performance.now() - start, MAX_SLICE_MS);
      if (find === undefined) continue;
      faults.add(find.fault);
      await keep(trial, name, find, seed, inputs - 1);
    }
  } finally {
    await trial.close();
  }
  return { name, inputs, seconds: spentMs / 1000, finds: faults.size };
}

async function keep(
  trial: Trial,
  name: string,
  find: NonNullable<Tried['find']>,
  seed: number,
  number: number,
): Promise<void> {
  const smallest = await minimise(
    find.input,
    async (input) => (await trial.try(input))?.fault === find.fault,
    MAX_TRIES,
  );
  const file = keepFind(name, smallest);
  const shown = (await trial.try(smallest)) ?? find;
  say(`\n${name}: ${find.fault}\n  input ${number} of seed ${seed}, kept as test/corpus/fuzz/${file}\n`);
  say(`  ${shown.detail.split('\n').slice(0, 9).join('\n  ')}\n\n`);
}

function sayRow({ name, inputs, seconds, finds }: Row): void {
  say(`${name.padEnd(22)}${cell(inputs, 10)}${cell(inputs / seconds, 10)}${cell(finds, 7)}\n`);
}

function cell(number: number, width: number): string {
  return Math.round(number).toLocaleString('en').padStart(width);
}

function say(text: string): void {
  process.stdout.write(text);
}

if (isMainThread) await main();
else serveTries(targets);
