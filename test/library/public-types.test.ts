import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const types = fileURLToPath(new URL('../../dist/types/', import.meta.url));
const entries = ['index.d.ts', 'vitest.d.ts'];

const program = ts.createProgram(
  entries.map((name) => types + name),
  {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    skipLibCheck: true,
    types: ['node'],
  },
);
const checker = program.getTypeChecker();

/** Resolves an imported name to its symbol. */
function meant(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The exports of one of the package's entry points, by name. */
function exportsOf(entry: string): Map<string, ts.Symbol> {
  const file = program.getSourceFile(types + entry);
  const module = file && checker.getSymbolAtLocation(file);
  return new Map((module ? checker.getExportsOfModule(module) : []).map((symbol) => [symbol.name, meant(symbol)]));
}

/** mcpreel's types that a declaration refers to. */
function* namedIn(node: ts.Node): Generator<ts.Symbol> {
  if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) {
    const symbol = checker.getSymbolAtLocation(ts.isTypeReferenceNode(node) ? node.typeName : node.expression);
    const target = symbol && meant(symbol);
    if (target?.declarations?.some((declaration) => isOurs(declaration))) yield target;
  }
  for (const child of node.getChildren()) yield* namedIn(child);
}

function isOurs(declaration: ts.Declaration): boolean {
  return !ts.isTypeParameterDeclaration(declaration) && declaration.getSourceFile().fileName.startsWith(types);
}

const exported = new Map(entries.flatMap((entry) => [...exportsOf(entry)]));

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
