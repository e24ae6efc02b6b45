// Counts the phrases of plain-words.json in what people read, and fails where there are too many: comments, names of
// tests and identifiers (code), strings and JSX text (strings), README, docs and changesets (documents).
//
//   node scripts/plain-words.mjs                   counts, and the files with the most hits
//   node scripts/plain-words.mjs src/json docs …   every hit in these files or folders, with what to write instead
import { root } from './run.mjs';
import { checkWording } from './wording.mjs';

const LISTED_FILES = 10;

const chosen = process.argv.slice(2);
for (const { kind, lines, rate, limit, hits, forbidden, isTooMany } of checkWording(root, chosen)) {
  for (const { file, line, found, write } of chosen.length > 0 ? hits : forbidden) {
    console.log(`${file}:${line}: "${found}": ${write}`);
  }
  console.log(
    `plain words in ${kind}: ${hits.length} hits in ${lines} lines, ${rate.toFixed(1)} per 1,000 (at most ${limit})`,
  );
  if (isTooMany && chosen.length === 0) console.error(mostOften(hits).join('\n'));
  if (isTooMany || forbidden.length > 0) process.exitCode = 1;
}

function mostOften(hits) {
  const byFile = new Map();
  for (const { file } of hits) byFile.set(file, (byFile.get(file) ?? 0) + 1);
  const worst = [...byFile].sort(([, a], [, b]) => b - a).slice(0, LISTED_FILES);
  return worst.map(([file, count]) => `  ${String(count).padStart(4)}  ${file}`);
}
