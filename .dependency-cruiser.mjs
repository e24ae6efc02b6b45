// Who may import whom. A folder without a row here may not exist under src/.
const pure = ['model', 'json', 'protocol', 'analysis', 'present', 'formats', 'redact'];

const mayImport = {
  model: [],
  json: [],
  protocol: ['model', 'json'],
  analysis: ['model', 'json', 'protocol'],
  present: ['model', 'json', 'protocol', 'analysis'],
  formats: ['model', 'json', 'protocol', 'analysis'],
  redact: ['model', 'json', 'protocol'],
  files: ['model'],
  state: ['files'],
  transport: ['model', 'json', 'protocol'],
  intercept: ['model', 'json', 'protocol'],
  proxy: ['model', 'json', 'protocol', 'transport', 'intercept'],
  record: ['model', 'json', 'formats', 'files'],
  catalog: ['model', 'json', 'formats', 'files', 'state', 'record'],
  control: ['model', 'json', 'files', 'state'],
  capture: [
    'model',
    'json',
    'protocol',
    'analysis',
    'redact',
    'state',
    'transport',
    'intercept',
    'proxy',
    'record',
    'catalog',
    'control',
  ],
  recorded: ['model', 'json', 'protocol', 'analysis', 'formats', 'files', 'transport', 'record'],
  replay: ['model', 'json', 'protocol', 'analysis', 'present', 'redact', 'transport', 'capture', 'recorded'],
  mock: ['model', 'json', 'protocol', 'analysis', 'redact', 'transport', 'capture', 'recorded'],
  install: ['model', 'json', 'files'],
  api: [
    'model',
    'json',
    'protocol',
    'analysis',
    'redact',
    'files',
    'state',
    'transport',
    'record',
    'catalog',
    'capture',
    'recorded',
    'replay',
    'mock',
  ],
  server: ['model', 'protocol', 'present', 'formats', 'files', 'state', 'control', 'replay'],
  tui: ['model', 'json', 'protocol', 'analysis', 'present', 'formats', 'state', 'control', 'replay'],
};

/** Imports of types beyond the row of a folder. */
const typeImports = {
  control: ['intercept'],
};

/** Every folder that may exist under src/. */
export const folders = [...Object.keys(mayImport), 'cli'];

/** The rows of the table, for the check that every permission is used. */
export const permissions = Object.entries(mayImport).map(([folder, others]) => [
  folder,
  [...others, ...(typeImports[folder] ?? [])],
]);

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
