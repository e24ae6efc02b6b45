import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';

const corpus = fileURLToPath(new URL('../corpus/', import.meta.url));

export function corpusSeeds(...folders: readonly string[]): Uint8Array[] {
  return folders.flatMap((folder) => filesIn(join(corpus, folder)));
}

export function textSeeds(...texts: readonly string[]): Uint8Array[] {
  return texts.map((text) => new TextEncoder().encode(text));
}

/** A fixed sample of the inputs of a format's property tests. */
export function randomSeeds(texts: fc.Arbitrary<string>, count = 40): Uint8Array[] {
  return textSeeds(...fc.sample(texts, { seed: 1, numRuns: count }));
}

/** Inputs that once showed a fault of a target. */
export function findsOf(target: string): { readonly name: string; readonly input: Uint8Array }[] {
  const folder = join(corpus, 'fuzz', target);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).sort();
  return names.map((name) => ({ name, input: new Uint8Array(readFileSync(join(folder, name))) }));
}

/** Stores an input permanently. Returns its file name in test/corpus/fuzz. */
export function keepFind(target: string, input: Uint8Array): string {
  const folder = join(corpus, 'fuzz', target);
  mkdirSync(folder, { recursive: true });
  const name = createHash('sha256').update(input).digest('hex').slice(0, 12);
  writeFileSync(join(folder, name), input);
  return `${target}/${name}`;
}

function filesIn(folder: string): Uint8Array[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return paths.map((path) => new Uint8Array(readFileSync(path)));
}
