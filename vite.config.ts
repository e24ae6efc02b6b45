import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin, UserConfig } from 'vite';

const root = import.meta.dirname;
const manifest: { version: string; dependencies?: Record<string, string> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

/** Constants that the build and the tests put in place of their names. */
export const define: Record<string, string> = { __MCPREEL_VERSION__: JSON.stringify(manifest.version) };

/**
 * Modules that load together are one file with all that they import: what wraps a server, what every command needs and
 * what reads a session. Node takes 0.4 ms for each file, and a wrapped server would wait for 60.
 */
const together = [
  {
    name: 'wrapper',
    priority: 3,
    test: /[\\/]src[\\/](?:cli[\\/](?:exit-codes|output|run-capture)|capture[\\/]stdio[\\/]stdio-capture)\.ts$/,
  },
  { name: 'program', priority: 2, test: /[\\/]src[\\/]cli[\\/]program\.ts$/ },
  { name: 'sessions', priority: 1, test: /[\\/]src[\\/]catalog[\\/]open-session\.ts$/ },
];

const config: UserConfig = {
  root,
  define: { ...define, 'process.env.NODE_ENV': '"production"' },
  plugins: [withoutDevtools()],
  // A user installs only what package.json names under dependencies; everything else comes along in the bundle.
  ssr: { target: 'node', noExternal: true, external: [...Object.keys(manifest.dependencies ?? {}), 'vitest'] },
  build: {
    ssr: true,
    target: 'node20.19',
    // Lines and names stay as written for readable stack traces; dropping the comments is what makes it small.
    minify: false,
    license: { fileName: 'THIRD-PARTY-LICENSES.md' },
    rolldownOptions: {
      input: {
        main: join(root, 'src/cli/main.ts'),
        index: join(root, 'src/index.ts'),
        vitest: join(root, 'src/vitest.ts'),
        'demo-server': join(root, 'src/cli/demo/server.ts'),
        // The launcher loads it too, so it needs a name that does not change.
        'long-line-worker': join(root, 'src/capture/long-lines/long-line-worker.ts'),
        'windows-spawn': join(root, 'src/transport/process/windows-spawn.ts'),
      },
      output: {
        comments: false,
        entryFileNames: '[name].js',
        codeSplitting: { groups: together },
        chunkFileNames: (chunk) => `chunks/${chunkName(chunk) ?? chunk.name}.js`,
      },
    },
  },
};

export default config;

/** The terminal's library brings along a debugger for those who develop it. */
function withoutDevtools(): Plugin {
  const nothing = '\0nothing';
  return {
    name: 'without-devtools',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source === './devtools.js' && importer?.includes('/ink/build/') ? nothing : undefined,
    load: (id) => (id === nothing ? 'export {};' : undefined),
  };
}

/** Names a lazy chunk after the source or the package it starts at, so that a stack trace tells where to look. */
function chunkName({
  facadeModuleId,
  moduleIds,
}: {
  facadeModuleId?: string | null;
  moduleIds: string[];
}): string | undefined {
  const start = facadeModuleId ?? moduleIds.at(-1) ?? '';
  const [, library] = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(start) ?? [];
  if (library !== undefined) return library.replace('@', '').replaceAll(/[\\/]/g, '-');
  const path = facadeModuleId ? relative(join(root, 'src'), facadeModuleId) : '..';
  return path.startsWith('..') ? undefined : path.replace(/\.[jt]sx?$/, '').replaceAll(/[\\/]/g, '-');
}
