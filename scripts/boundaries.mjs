// Enforces the import table and the size of folders.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import config from '../.dependency-cruiser.mjs';
import { folders as knownFolders, permissions } from './import-table.mjs';
import { root } from './run.mjs';
import { sourcesIn } from './source-files.mjs';

process.chdir(root);
const folders = ['src', 'web'].filter((folder) => existsSync(folder));
const { forbidden, options } = config;
const { output } = await cruise(folders, { ...options, validate: true, ruleSet: { forbidden } }, undefined, {
  tsConfig: extractTSConfig(options.tsConfig.fileName),
});

const problems = output.summary.violations.map(({ rule, from, to, cycle = [] }) => {
  const path = [from, ...(cycle.length > 0 ? cycle.map(({ name }) => name) : [to])];
  return `${rule.name}: ${path.join(' -> ')}`;
});

// A cruiser that fails to read the sources reports no violations. Compare the files it saw with the files that exist.
const seen = new Set(output.modules.map(({ source }) => source));
const files = folders.flatMap((folder) => sourcesIn(folder));
for (const file of files) {
  const folder = folderOf(file);
  if (!seen.has(file)) problems.push(`not-read: ${file}`);
  if (folder !== undefined && !knownFolders.includes(folder)) problems.push(`not-in-the-table: ${file}`);
}
if (files.length === 0) problems.push('no-sources: nothing to check under src');

// An unused permission would silently allow a later import.
const used = new Set(
  output.modules
    .filter(({ source }) => !isTest(source))
    .flatMap(({ source, dependencies }) =>
      dependencies.map(({ resolved }) => `${folderOf(source)} ${folderOf(resolved)}`),
    ),
);
for (const [folder, others] of permissions) {
  for (const other of others) {
    if (!used.has(`${folder} ${other}`)) problems.push(`unused-permission: nothing in ${folder} imports ${other}`);
  }
}

const MAX_FILES_IN_FOLDER = 25;
const sizes = new Map();
for (const file of files.filter((path) => !isTest(path))) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
for (const [folder, size] of sizes) {
  if (size > MAX_FILES_IN_FOLDER)
    problems.push(`large-folder: ${folder} has ${size} files (at most ${MAX_FILES_IN_FOLDER})`);
}

if (problems.length > 0) console.error(problems.join('\n'));
console.log(
  `boundaries: ${files.length} modules, ${output.summary.totalDependenciesCruised} imports, ${problems.length} problems`,
);
process.exitCode = problems.length > 0 ? 1 : 0;

function folderOf(file) {
  return /^src\/([^/]+)\//.exec(file)?.[1];
}

function isTest(file) {
  return /\.test\.tsx?$/.test(file);
}
