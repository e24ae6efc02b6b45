import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { checker, exported, isOwn, resolved } from './published-types.ts';

/** mcpreel's types that a declaration refers to. */
function* namedIn(node: ts.Node): Generator<ts.Symbol> {
  if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) {
    const symbol = checker.getSymbolAtLocation(ts.isTypeReferenceNode(node) ? node.typeName : node.expression);
    const target = symbol && resolved(symbol);
    if (target?.declarations?.some((declaration) => isOwn(declaration))) yield target;
  }
  for (const child of node.getChildren()) yield* namedIn(child);
}

describe('the published types', () => {
  it('exports every type that a public signature names', () => {
    const known = new Set(exported.values());
    const unknown = [...exported].flatMap(([name, { declarations = [] }]) =>
      declarations.flatMap((declaration) =>
        [...namedIn(declaration)]
          .filter((symbol) => !known.has(symbol))
          .map((symbol) => `${name} names ${symbol.name}`),
      ),
    );
    expect(exported.size).toBeGreaterThan(30);
    expect([...new Set(unknown)]).toEqual([]);
  });

  it('documents every published type and every option', () => {
    const isSent = (symbol: ts.Symbol): boolean => symbol.getDocumentationComment(checker).length > 0;
    const unsaid = [...exported].flatMap(([name, symbol]) => {
      const options = /Options$|Target$|Clients|OnMiss$/.test(name)
        ? checker.getDeclaredTypeOfSymbol(symbol).getProperties()
        : [];
      // A member that must be absent has the type `undefined`, and needs no documentation.
      const optional = options.filter(
        (option) => checker.typeToString(checker.getTypeOfSymbol(option)) !== 'undefined',
      );
      return [
        ...(isSent(symbol) ? [] : [name]),
        ...optional.filter((option) => !isSent(option)).map((option) => `${name}.${option.name}`),
      ];
    });
    expect(unsaid).toEqual([]);
  });
});
