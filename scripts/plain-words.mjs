// Counts the phrases of plain-words.json in comments, test names and identifiers, and fails where there are too many.
//
//   node scripts/plain-words.mjs              counts, and the files with the most hits
//   node scripts/plain-words.mjs src/json …   every hit in these files or folders, with what to write instead
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './run.mjs';
import { sourcesIn } from './source-files.mjs';

const FOLDERS = ['src', 'web', 'test', 'bench', 'scripts'];
const LISTED_FILES = 10;
const TEST_FUNCTIONS = new Set(['it', 'test', 'describe']);

const { comments, identifiers, maxHitsPerThousandLines } = JSON.parse(
  readFileSync(new URL('plain-words.json', import.meta.url), 'utf8'),
);
const inComments = comments.map(({ avoid, write }) => ({ pattern: new RegExp(`\\b(?:${avoid})`, 'gi'), write }));
const inIdentifiers = identifiers.map(({ avoid, write }) => ({ pattern: new RegExp(avoid), write }));

const chosen = process.argv.slice(2);
let lines = 0;
const hits = [];
for (const file of FOLDERS.flatMap((folder) => sourcesIn(folder, ['ts', 'tsx', 'mjs']))) {
  if (chosen.length > 0 && !chosen.some((path) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`)))
    continue;
  const text = readFileSync(join(root, file), 'utf8');
  lines += text.split('\n').length - 1;
  hits.push(...hitsIn(file, text));
}

if (chosen.length > 0)
  for (const { file, line, found, write } of hits) console.log(`${file}:${line}: "${found}": ${write}`);
const rate = (1000 * hits.length) / Math.max(1, lines);
console.log(
  `plain words: ${hits.length} hits in ${lines} lines, ${rate.toFixed(1)} per 1,000 (at most ${maxHitsPerThousandLines})`,
);
if (rate > maxHitsPerThousandLines) {
  if (chosen.length === 0) console.error(mostOften().join('\n'));
  process.exitCode = 1;
}

function* hitsIn(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineAt = (at) => source.getLineAndCharacterOfPosition(at).line + 1;
  for (const [start, end] of [...commentsIn(source), ...testNamesIn(source)]) {
    const prose = text.slice(start, end).replace(/\n\s*\*/g, (lead) => '\n'.padEnd(lead.length));
    for (const { pattern, write } of inComments) {
      for (const match of prose.matchAll(pattern)) {
        yield { file, line: lineAt(start + match.index), found: match[0], write };
      }
    }
  }
  for (const name of declaredNames(source)) {
    for (const { pattern, write } of inIdentifiers) {
      if (pattern.test(name.text.replace(/^#/, ''))) {
        yield { file, line: lineAt(name.getStart(source)), found: name.text, write };
      }
    }
  }
}

/** The ranges of all comments. They lie before a token or after one on its line. */
function commentsIn(source) {
  const ranges = new Map();
  const visit = (node) => {
    const found = [
      ...(ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(source.text, node.getEnd()) ?? []),
    ];
    for (const { pos, end } of found) ranges.set(pos, end);
    for (const child of node.getChildren(source)) if (!ts.isJSDoc(child)) visit(child);
  };
  visit(source);
  return [...ranges].sort(([a], [b]) => a - b);
}

/** The ranges of the names of tests and of their groups. */
function* testNamesIn(node, source = node) {
  if (ts.isCallExpression(node)) {
    let called = node.expression;
    while (ts.isPropertyAccessExpression(called) || ts.isCallExpression(called)) called = called.expression;
    const [name] = node.arguments;
    if (TEST_FUNCTIONS.has(called.text) && name && (ts.isStringLiteralLike(name) || ts.isTemplateExpression(name))) {
      yield [name.getStart(source), name.getEnd()];
    }
  }
  const children = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* testNamesIn(child, source);
}

function* declaredNames(node) {
  const { name } = node;
  const isName = name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name));
  // A property may be part of a format or of the library's API.
  if (
    isName &&
    !ts.isPropertySignature(node) &&
    !ts.isPropertyAssignment(node) &&
    !ts.isPropertyAccessExpression(node)
  ) {
    yield name;
  }
  const children = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* declaredNames(child);
}

function mostOften() {
  const counts = new Map();
  for (const { file } of hits) counts.set(file, (counts.get(file) ?? 0) + 1);
  const worst = [...counts].sort(([, a], [, b]) => b - a).slice(0, LISTED_FILES);
  return worst.map(([file, count]) => `  ${String(count).padStart(4)}  ${file}`);
}
