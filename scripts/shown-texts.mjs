// Finds the texts in a source file that people may read: strings, templates and the content of JSX elements.
import ts from 'typescript';

/** What a substitution or an inner element leaves in a text. It belongs to no word, so no phrase spans it. */
const GAP = '\u2026';
const INLINE_ELEMENTS = new Set(['a', 'b', 'bdi', 'code', 'em', 'i', 'kbd', 'q', 'small', 'span', 'strong']);
const HIDDEN_ATTRIBUTES = new Set(['class', 'd', 'href', 'rel', 'src', 'style', 'viewBox']);
const COMPARISONS = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.InKeyword,
]);

/**
 * The texts of a source file, and a function that maps an index in a text to the source. Strings joined with `+` are one
 * text, and so is an element with the inline elements in it, because a phrase may be split between them.
 */
export function* shownTextsIn(source) {
  const pending = [source];
  while (pending.length > 0) {
    const node = pending.pop();
    const parts = isText(node) ? partsOf(node, source) : undefined;
    pending.push(...(parts?.flatMap(({ inner = [] }) => inner) ?? childrenOf(node)).reverse());
    if (parts === undefined) continue;
    const text = parts.map((part) => part.text).join('');
    // A string of one word is a key, a method or a class name far more often than a label.
    const isShown = isElement(node) ? /\p{L}{2}/u.test(text) : hasTwoWords(text);
    if (isShown) yield { text, positionAt: (index) => positionIn(parts, index) };
  }
}

function hasTwoWords(text) {
  return /\p{L}{2}.*\s.*\p{L}{2}/su.test(text);
}

function isText(node) {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || isJoined(node) || isElement(node);
}

function isJoined(node) {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;
}

function isElement(node) {
  return ts.isJsxElement(node) || ts.isJsxFragment(node);
}

/** The pieces of a text, with their positions and the expressions in between, which have texts of their own. */
function partsOf(node, source) {
  if (ts.isStringLiteralLike(node)) return [{ text: node.text, start: node.getStart(source) + 1 }];
  if (ts.isTemplateExpression(node)) {
    return [
      { text: node.head.text, start: node.head.getStart(source) + 1 },
      ...node.templateSpans.flatMap(({ expression, literal }) => [
        gapOf(expression, source),
        { text: literal.text, start: literal.getStart(source) + 1 },
      ]),
    ];
  }
  if (isJoined(node)) return [...partsOf(node.left, source), ...partsOf(node.right, source)];
  if (ts.isParenthesizedExpression(node)) return partsOf(node.expression, source);
  return isElement(node) ? elementParts(node, source) : [gapOf(node, source)];
}

function elementParts(element, source) {
  const inner = ts.isJsxElement(element) ? [element.openingElement] : [];
  return [{ text: '', start: element.getStart(source), inner }, ...element.children.flatMap(childParts)];

  function childParts(child) {
    if (ts.isJsxText(child)) return [{ text: child.text, start: child.pos }];
    if (ts.isJsxExpression(child)) return child.expression ? partsOf(child.expression, source) : [];
    const isInline = ts.isJsxElement(child) && INLINE_ELEMENTS.has(child.openingElement.tagName.getText(source));
    return isInline || ts.isJsxFragment(child) ? elementParts(child, source) : [gapOf(child, source)];
  }
}

function gapOf(node, source) {
  return { text: GAP, start: node.getStart(source), inner: [node] };
}

/** The children that may hold texts: no types, module names, keys, class names or values that are compared. */
function childrenOf(node) {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return [];
  if (ts.isBinaryExpression(node) && COMPARISONS.has(node.operatorToken.kind)) return [];
  if (ts.isPropertyAssignment(node)) return [node.initializer];
  if (ts.isJsxAttribute(node) && HIDDEN_ATTRIBUTES.has(node.name.text)) return [];
  const children = [];
  ts.forEachChild(node, (child) => void children.push(child));
  return children;
}

/** Escapes in a string make this too small by a few characters, which does not change the line. */
function positionIn(parts, index) {
  let rest = index;
  for (const { text, start } of parts) {
    if (rest < text.length) return start + rest;
    rest -= text.length;
  }
  return parts.at(-1).start;
}
