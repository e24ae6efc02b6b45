// Finds the phrases of plain-words.json in comments, names and strings of code, and in documents.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { phrasesIn, phrasesInMarkdown } from './plain-phrases.mjs';
import { shownTextsIn } from './shown-texts.mjs';
import { sourcesIn } from './source-files.mjs';

const CODE_FOLDERS = ['src', 'web', 'test', 'bench', 'scripts'];
/** The folders whose strings people read. Those of tests are samples. */
const STRING_FOLDERS = ['src', 'web', 'bench', 'scripts'];
const DOCUMENT_FOLDERS = ['.', 'docs', '.changeset'];
const TEST_FUNCTIONS = new Set(['it', 'test', 'describe']);

const { identifiers, maxHitsPerThousandLines, withoutHits } = JSON.parse(
  readFileSync(new URL('plain-words.json', import.meta.url), 'utf8'),
);
const inIdentifiers = identifiers.map(({ avoid, write }) => ({ pattern: new RegExp(avoid), write }));

/**
 * Checks these files and folders of `base`, or all of them: for each kind of text, the hits, how many there are per 1,000
 * lines, and those in files that must have none.
 */
export function checkWording(base, chosen = []) {
  const isChosen = (file) => chosen.length === 0 || chosen.some((path) => isIn(file, path));
  const counts = { code: countOf(), strings: countOf(), documents: countOf() };
  for (const file of CODE_FOLDERS.flatMap((folder) => sourcesIn(folder, ['ts', 'tsx', 'mjs'], base)).filter(isChosen)) {
    const text = readFileSync(join(base, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    counts.code.lines += linesOf(text);
    counts.code.hits.push(...hitsInCode(file, source));
    if (!STRING_FOLDERS.includes(file.split('/')[0]) || /\.test\.tsx?$/.test(file)) continue;
    for (const shown of shownTextsIn(source)) {
      counts.strings.lines += linesOf(shown.text.trim()) + 1;
      counts.strings.hits.push(...hitsInShown(file, source, shown));
    }
  }
  for (const file of DOCUMENT_FOLDERS.flatMap((folder) => documentsIn(folder, base)).filter(isChosen)) {
    const text = readFileSync(join(base, file), 'utf8');
    counts.documents.lines += linesOf(text);
    counts.documents.hits.push(...hitsInDocument(file, text));
  }
  return Object.entries(counts).map(([kind, count]) => verdictOn(kind, count));
}

function countOf() {
  return { lines: 0, hits: [] };
}

function linesOf(text) {
  return text.split('\n').length - 1;
}

function verdictOn(kind, { lines, hits }) {
  const rate = (1000 * hits.length) / Math.max(1, lines);
  const forbidden = hits.filter(({ file }) => withoutHits[kind]?.some((path) => isIn(file, path)));
  return {
    kind,
    lines,
    rate,
    limit: maxHitsPerThousandLines,
    hits,
    forbidden,
    isTooMany: rate > maxHitsPerThousandLines,
  };
}

function isIn(file, path) {
  return file === path || file.startsWith(`${path.replace(/\/$/, '')}/`);
}

/** The Markdown files of a folder, without those of its subfolders. */
function documentsIn(folder, base) {
  if (!existsSync(join(base, folder))) return [];
  const names = readdirSync(join(base, folder)).filter((name) => name.endsWith('.md'));
  return names.map((name) => (folder === '.' ? name : `${folder}/${name}`)).sort();
}

function* hitsInDocument(file, text) {
  for (const { at, found, write } of phrasesInMarkdown(text)) {
    yield { file, line: text.slice(0, at).split('\n').length, found, write };
  }
}

function* hitsInShown(file, source, { text, positionAt }) {
  for (const { at, found, write } of phrasesIn(text))
    yield { file, line: lineIn(source, positionAt(at)), found, write };
}

function* hitsInCode(file, source) {
  const { text } = source;
  for (const [start, end] of [...commentsIn(source), ...testNamesIn(source)]) {
    const prose = text.slice(start, end).replace(/\n\s*\*/g, (lead) => '\n'.padEnd(lead.length));
    for (const { at, found, write } of phrasesIn(prose)) yield { file, line: lineIn(source, start + at), found, write };
  }
  for (const name of declaredNames(source)) {
    for (const { pattern, write } of inIdentifiers) {
      if (pattern.test(name.text.replace(/^#/, ''))) {
        yield { file, line: lineIn(source, name.getStart(source)), found: name.text, write };
      }
    }
  }
}

function lineIn(source, at) {
  return source.getLineAndCharacterOfPosition(at).line + 1;
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
