// The folders that each folder right under src/ may import. ARCHITECTURE.md has the same table for people.

/** The folders without side effects, which also run in browsers. biome.json has the same list for its rules. */
export const pure = ['model', 'json', 'protocol', 'analysis', 'present', 'formats', 'redact'];

export const mayImport = {
  model: [],
  json: [],
  protocol: ['model', 'json'],
  analysis: ['model', 'json', 'protocol'],
  present: ['model', 'json', 'protocol', 'analysis'],
  formats: ['model', 'json', 'protocol', 'analysis', 'present'],
  redact: ['model', 'json', 'protocol'],
  files: ['model'],
  state: ['model', 'files'],
  transport: ['model', 'json', 'protocol'],
  intercept: ['model', 'json', 'protocol', 'analysis', 'redact'],
  proxy: ['model', 'json', 'protocol', 'transport', 'intercept'],
  record: ['model', 'json', 'protocol', 'formats', 'files', 'transport'],
  catalog: ['model', 'json', 'formats', 'files', 'state', 'record'],
  control: ['model', 'json', 'files', 'state'],
  recovery: ['model', 'formats', 'redact', 'files', 'state', 'record', 'control'],
  capture: [
    'model',
    'json',
    'protocol',
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
  replay: ['model', 'json', 'protocol', 'analysis', 'present', 'redact', 'transport', 'record', 'recorded'],
  mock: ['model', 'json', 'protocol', 'analysis', 'redact', 'transport', 'recorded'],
  install: ['model', 'json', 'files'],
  api: [
    'model',
    'protocol',
    'analysis',
    'present',
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
  tui: ['model', 'json', 'protocol', 'analysis', 'present', 'formats', 'files', 'state', 'control', 'replay'],
};

/** Imports of types beyond the row of a folder. */
export const typeImports = {
  record: ['intercept'],
  control: ['intercept'],
  tui: ['intercept'],
};

/** Every folder that may exist under src/. */
export const folders = [...Object.keys(mayImport), 'cli'];

/** The rows of the table, for the check that every permission is used. */
export const permissions = Object.entries(mayImport).map(([folder, others]) => [
  folder,
  [...others, ...(typeImports[folder] ?? [])],
]);
