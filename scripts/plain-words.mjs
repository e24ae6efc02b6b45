// Counts the phrases of plain-words.json in comments, test names, identifiers and documents, and fails where there are
// too many.
//
//   node scripts/plain-words.mjs                   counts, and the files with the most hits
//   node scripts/plain-words.mjs src/json docs …   every hit in these files or folders, with what to write instead
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { phrasesIn, phrasesInMarkdown } from './plain-phrases.mjs';
import { root } from './run.mjs';
import { sourcesIn } from './source-files.mjs';

const CODE_FOLDERS = ['src', 'web', 'test', 'bench', 'scripts'];
const DOCUMENT_FOLDERS = ['.', 'docs', '.changeset'];
const LISTED_FILES = 10;
const TEST_FUNCTIONS = new Set(['it', 'test', 'describe']);

const { identifiers, maxHitsPerThousandLines, withoutHits } = JSON.parse(
  readFileSync(new URL('plain-words.json', import.meta.url), 'utf8'),
);
const inIdentifiers = identifiers.map(({ avoid, write }) => ({ pattern: new RegExp(avoid), write }));

const chosen = process.argv.slice(2);
const code = CODE_FOLDERS.flatMap((folder) => sourcesIn(folder, ['ts', 'tsx', 'mjs']));
checkFiles('code', code, hitsInCode);
checkFiles('documents', DOCUMENT_FOLDERS.flatMap(documentsIn), hitsInDocument);

/** Prints the hits in these files, and sets the exit code if there are too many. */
function checkFiles(kind, files, hitsIn) {
  let lines = 0;
  const hits = [];
  for (const file of files.filter(isChosen)) {
    const text = readFileSync(join(root, file), 'utf8');
    lines += text.split('\n').length - 1;
    hits.push(...hitsIn(file, text));
  }
  const forbidden = hits.filter(({ file }) => withoutHits.includes(file));
  for (const { file, line, found, write } of chosen.length > 0 ? hits : forbidden) {
    console.log(`${file}:${line}: "${found}": ${write}`);
  }
  const rate = (1000 * hits.length) / Math.max(1, lines);
  console.log(
    `plain words in ${kind}: ${hits.length} hits in ${lines} lines, ${rate.toFixed(1)} per 1,000 (at most ${maxHitsPerThousandLines})`,
  );
  if (rate > maxHitsPerThousandLines && chosen.length === 0) console.error(mostOften(hits).join('\n'));
  if (rate > maxHitsPerThousandLines || forbidden.length > 0) process.exitCode = 1;
}

function isChosen(file) {
  return chosen.length === 0 || chosen.some((path) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`));
}

/** The Markdown files of a folder, without those of its subfolders. */
function documentsIn(folder) {
  if (!existsSync(join(root, folder))) return [];
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.md'));
  return names.map((name) => (folder === '.' ? name : `${folder}/${name}`)).sort();
}

function* hitsInDocument(file, text) {
  for (const { at, found, write } of phrasesInMarkdown(text)) {
    yield { file, line: text.slice(0, at).split('\n').length, found, write };
  }
}

function* hitsInCode(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineAt = (at) => source.getLineAndCharacterOfPosition(at).line + 1;
  for (const [start, end] of [...commentsIn(source), ...testNamesIn(source)]) {
    const words = text.slice(start, end).replace(/\n\s*\*/g, (lead) => '\n'.padEnd(lead.length));
    for (const { at, found, write } of phrasesIn(words)) yield { file, line: lineAt(start + at), found, write };
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

function mostOften(hits) {
  const counts = new Map();
  for (const { file } of hits) counts.set(file, (counts.get(file) ?? 0) + 1);
  const worst = [...counts].sort(([, a], [, b]) => b - a).slice(0, LISTED_FILES);
  return worst.map(([file, count]) => `  ${String(count).padStart(4)}  ${file}`);
}
