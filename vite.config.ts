import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { UserConfig } from 'vite';

const root = import.meta.dirname;
const manifest: { version: string; dependencies: Record<string, string> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

/** Constants that the build and the tests put in place of their names. */
export const define: Record<string, string> = { __MCPREEL_VERSION__: JSON.stringify(manifest.version) };

const config: UserConfig = {
  root,
  define,
  // A user installs only what package.json names under dependencies; everything else comes along in the bundle.
  ssr: { target: 'node', noExternal: true, external: Object.keys(manifest.dependencies) },
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
        'demo-server': join(root, 'src/cli/demo/server.ts'),
      },
      output: {
        comments: false,
        entryFileNames: '[name].js',
        chunkFileNames: (chunk) => `chunks/${chunkName(chunk.facadeModuleId) ?? chunk.name}.js`,
      },
    },
  },
};

export default config;

/** Names a lazy chunk after the source it starts at, so that a stack trace tells where to look. */
function chunkName(moduleId: string | null | undefined): string | undefined {
  const path = moduleId ? relative(join(root, 'src'), moduleId) : '..';
  return path.startsWith('..') ? undefined : path.replace(/\.[jt]sx?$/, '').replaceAll(/[\\/]/g, '-');
}
