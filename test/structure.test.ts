import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
// biome-ignore lint/correctness/useImportExtensions: its declarations are beside it, not in it
import { permissions } from '../scripts/import-table.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

function sourcesIn(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name}`)
      .filter((path) => /\.(tsx?|mjs)$/.test(path) && !/\/(node_modules|corpus)\//.test(path)),
  );
}

const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');

it('gives every exported type of src and web a unique name', () => {
  const files = new Map<string, string[]>();
  for (const path of sourcesIn('src', 'web').filter((file) => !/\.test\.tsx?$/.test(file))) {
    for (const [, name = ''] of read(path).matchAll(/^export (?:abstract )?(?:interface|class|type) (\w+)/gm)) {
      files.set(name, [...(files.get(name) ?? []), path]);
    }
  }
  expect(files.size).toBeGreaterThan(500);
  expect([...files].filter(([, paths]) => paths.length > 1)).toEqual([]);
});

it('puts what a file of src or web exports before its private functions and classes', () => {
  const files = sourcesIn('src', 'web').filter((file) => !/\.test\.tsx?$/.test(file));
  const first = (text: string, pattern: RegExp): number => text.search(pattern);
  const found = files.filter((path) => {
    const text = read(path);
    const exported = first(text, /^export (?!type \{|\{|\*)/m);
    const hidden = first(text, /^(?:async )?(?:function|class|abstract class)\b/m);
    return exported > -1 && hidden > -1 && hidden < exported;
  });
  expect(found).toEqual([]);
});

it('lets commands print only through the output that main makes', () => {
  const files = sourcesIn('src').filter((file) => !/\.test\.tsx?$/.test(file) && file !== 'src/cli/main.ts');
  const printing = /\bprocess\.(?:stdout|stderr)\b|^\s*console\./m;
  expect(files.filter((path) => printing.test(read(path)))).toEqual([]);
});

it('names limits MAX_ and MIN_', () => {
  const superlatives = /\b(?:MOST|LONGEST|SHORTEST|LEAST)_[A-Z_]+/g;
  const found = sourcesIn('src', 'web', 'test', 'bench', 'scripts').flatMap((path) =>
    [...read(path).matchAll(superlatives)].map(([name]) => `${path}: ${name}`),
  );
  expect(found).toEqual([]);
});

it('describes the import table in ARCHITECTURE.md as it is enforced', () => {
  const rows = [...read('ARCHITECTURE.md').matchAll(/^\| `([a-z]+)` \| .* \| ([^|]+) \|$/gm)];
  const documented = rows.map(([, folder = '', imports = '']) => [folder, namesIn(imports)]);
  expect(documented.filter(([folder]) => folder !== 'cli')).toEqual(permissions);
});

/** The folders that a row names; types of a folder come last. */
function namesIn(imports: string): string[] {
  if (imports === 'nothing') return [];
  return imports.replace('; types of ', ', ').split(', ');
}
