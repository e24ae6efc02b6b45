// Who may import whom. A folder without a row here may not exist under src/.
const pure = ['model', 'json', 'protocol', 'analysis', 'formats', 'redact'];

const mayImport = {
  model: [],
  json: [],
  protocol: ['model', 'json'],
  analysis: ['model', 'json', 'protocol'],
  formats: ['model', 'json', 'protocol', 'analysis'],
  redact: ['model', 'json', 'protocol'],
  state: ['model'],
  transport: ['model', 'json', 'protocol'],
  proxy: ['model', 'json', 'protocol', 'transport'],
  record: ['model', 'json', 'protocol', 'formats', 'redact', 'state'],
  live: ['model', 'json', 'protocol', 'state'],
  capture: [...pure, 'state', 'transport', 'proxy', 'record', 'live'],
  replay: [...pure, 'state', 'transport', 'record', 'capture'],
  install: ['model', 'json', 'state'],
  library: [...pure, 'state', 'transport', 'record', 'capture', 'replay'],
  server: [...pure, 'state', 'live', 'replay'],
  tui: [...pure, 'state', 'live', 'replay'],
};

/** Imports beyond the row of a folder: single files, or types only. */
const exceptions = {
  live: { files: '^src/analysis/filter[./-]', typesOf: ['proxy', 'record'] },
};

/** Every folder that may exist under src/. */
export const rooms = [...Object.keys(mayImport), 'cli'];

const test = '\\.test\\.tsx?$';
const inFolders = (names) => `^src/(${names.join('|')})/`;

const folderRules = Object.entries(mayImport).map(([folder, others]) => {
  const { files, typesOf = [] } = exceptions[folder] ?? {};
  return {
    name: `${folder}-imports`,
    severity: 'error',
    from: { path: inFolders([folder]), pathNot: test },
    to: { path: '^(src|web)/', pathNot: [inFolders([folder, ...others, ...typesOf]), ...(files ? [files] : [])] },
  };
});

const typeRules = Object.entries(exceptions).map(([folder, { typesOf }]) => ({
  name: `${folder}-imports-types-only`,
  severity: 'error',
  from: { path: inFolders([folder]), pathNot: test },
  to: { path: inFolders(typesOf), dependencyTypesNot: ['type-only'] },
}));

export default {
  forbidden: [
    ...folderRules,
    ...typeRules,
    {
      name: 'library-imports',
      comment: 'The library offers capture, replay and what they need; types may come from anywhere.',
      severity: 'error',
      from: { path: '^src/[^/]+\\.ts$', pathNot: test },
      to: {
        path: '^(src|web)/',
        pathNot: inFolders(['capture', 'replay', 'record', 'formats', 'analysis', 'model', 'state', 'library']),
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'web-imports',
      severity: 'error',
      from: { path: '^web/', pathNot: test },
      to: { path: '^src/', pathNot: inFolders(pure) },
    },
    {
      name: 'cli-imports-lazily',
      comment: 'Wrapping a server must start fast: the heavy parts are loaded by the command that needs them.',
      severity: 'error',
      from: { path: inFolders(['cli']), pathNot: test },
      to: {
        path: inFolders(['tui', 'server', 'replay', 'capture']),
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
