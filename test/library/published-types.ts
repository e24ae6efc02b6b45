import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const folder = fileURLToPath(new URL('../../dist/types/', import.meta.url));
const entries = ['index.d.ts', 'vitest.d.ts'];

const program = ts.createProgram(
  entries.map((name) => folder + name),
  {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    skipLibCheck: true,
    types: ['node'],
  },
);

/** The checker of the built declarations. */
export const checker: ts.TypeChecker = program.getTypeChecker();

/** Resolves an imported name to its symbol. */
export function resolved(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Whether a declaration is one of mcpreel's. */
export function isOwn(declaration: ts.Declaration): boolean {
  return !ts.isTypeParameterDeclaration(declaration) && declaration.getSourceFile().fileName.startsWith(folder);
}

/** Everything that the package's entry points export, by name. */
export const exported: ReadonlyMap<string, ts.Symbol> = new Map(
  entries.flatMap((entry) => {
    const file = program.getSourceFile(folder + entry);
    const module = file && checker.getSymbolAtLocation(file);
    return (module ? checker.getExportsOfModule(module) : []).map((symbol) => [symbol.name, resolved(symbol)] as const);
  }),
);

/** The members that the package adds to Vitest's matchers, by name. */
export const matchers: ReadonlyMap<string, ts.Symbol> = new Map(
  matcherDeclarations().map((member) => {
    const symbol = checker.getSymbolAtLocation(member.name);
    if (symbol === undefined) throw new Error(`${member.name.getText()} has no symbol`);
    return [symbol.name, symbol] as const;
  }),
);

function matcherDeclarations(): ts.MethodSignature[] {
  const found: ts.MethodSignature[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isMethodSignature(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  const augmentations = program.getSourceFile(`${folder}vitest.d.ts`)?.statements.filter(ts.isModuleDeclaration) ?? [];
  for (const augmentation of augmentations) visit(augmentation);
  return found;
}
