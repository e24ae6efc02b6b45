// Holds the import table of .dependency-cruiser.mjs.
import { existsSync, readdirSync } from 'node:fs';
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import config, { rooms } from '../.dependency-cruiser.mjs';
import { root } from './run.mjs';

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

// A cruiser that cannot read the sources finds nothing wrong with them, so what it saw is compared with what is there.
const seen = new Set(output.modules.map(({ source }) => source));
const files = folders.flatMap((folder) => sourcesIn(folder));
for (const file of files) {
  const room = /^src\/([^/]+)\//.exec(file)?.[1];
  if (!seen.has(file)) problems.push(`not-read: ${file}`);
  if (room !== undefined && !rooms.includes(room)) problems.push(`not-in-the-table: ${file}`);
}
if (files.length === 0) problems.push('no-sources: nothing to check under src');

if (problems.length > 0) console.error(problems.join('\n'));
console.log(
  `boundaries: ${files.length} modules, ${output.summary.totalDependenciesCruised} imports, ${problems.length} problems`,
);
process.exitCode = problems.length > 0 ? 1 : 0;

function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path));
}
