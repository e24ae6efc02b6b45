// The rules of `npm run boundaries`.
import { mayImport, pure, typeImports } from './scripts/import-table.mjs';

const test = '\\.test\\.tsx?$';
const inFolders = (names) => `^src/(${names.join('|')})/`;

const folderRules = Object.entries(mayImport).map(([folder, others]) => ({
  name: `${folder}-imports`,
  severity: 'error',
  from: { path: inFolders([folder]), pathNot: test },
  to: { path: '^(src|web|test)/', pathNot: inFolders([folder, ...others, ...(typeImports[folder] ?? [])]) },
}));

const typeRules = Object.entries(typeImports).map(([folder, others]) => ({
  name: `${folder}-imports-types-only`,
  severity: 'error',
  from: { path: inFolders([folder]), pathNot: test },
  to: { path: inFolders(others), dependencyTypesNot: ['type-only'] },
}));

export default {
  forbidden: [
    ...folderRules,
    ...typeRules,
    {
      name: 'library-imports',
      comment: 'The entries of the library export what api/ and catalog/ offer; types may come from anywhere.',
      severity: 'error',
      from: { path: '^src/[^/]+\\.ts$', pathNot: test },
      to: {
        path: '^(src|web)/',
        pathNot: inFolders(['api', 'catalog', 'model']),
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'web-imports',
      severity: 'error',
      from: { path: '^web/', pathNot: test },
      to: { path: '^(src|test)/', pathNot: inFolders(pure) },
    },
    {
      name: 'cli-imports-lazily',
      comment: 'Wrapping a server must start fast: the heavy parts are loaded by the command that needs them.',
      severity: 'error',
      from: { path: inFolders(['cli']), pathNot: test },
      to: {
        path: inFolders(['tui', 'server', 'replay', 'mock', 'capture']),
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'nothing-imports-cli',
      severity: 'error',
      from: { pathNot: ['^src/cli/', test] },
      to: { path: '^src/cli/' },
    },
    {
      name: 'pure-without-node',
      comment: 'The pure folders also run in browsers.',
      severity: 'error',
      from: { path: [inFolders(pure), '^web/'], pathNot: test },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'sdk-in-the-demo-only',
      comment: 'SDK code rejects or rewrites what a recorder exists to show.',
      severity: 'error',
      from: { path: '^(src|web)/', pathNot: ['^src/cli/demo/', test] },
      to: { path: '@modelcontextprotocol/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolvable',
      comment: 'An import that cannot be followed would escape the table.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    // Imports of types count too: without this they are gone before they are seen.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
};
