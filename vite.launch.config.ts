import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, UserConfig } from 'vite';
import { define } from './vite.config.ts';

const root = import.meta.dirname;

/** Builds the file that is run: CommonJS, which Node has running sooner, beside the modules that it loads later. */
const config: UserConfig = {
  root,
  define,
  plugins: [modulesAside(), executable('mcpreel.cjs')],
  ssr: { target: 'node', noExternal: true },
  build: {
    ssr: true,
    target: 'node20.19',
    minify: false,
    emptyOutDir: false,
    rolldownOptions: {
      input: { mcpreel: join(root, 'src/cli/launch.ts') },
      output: { format: 'cjs', comments: false, entryFileNames: '[name].cjs' },
    },
  },
};

export default config;

/** What the launcher loads later is the other build's. */
function modulesAside(): Plugin {
  return {
    name: 'modules-aside',
    enforce: 'pre',
    resolveId: (source) =>
      /^\.\/(main|windows-spawn)\.ts$/.test(source) ? { id: source.replace('.ts', '.js'), external: true } : undefined,
  };
}

/** Lets the built file be run by its name. */
function executable(fileName: string): Plugin {
  const shebang = '#!/usr/bin/env node\n';
  return {
    name: 'executable',
    generateBundle(_options, bundle) {
      const chunk = bundle[fileName];
      if (chunk?.type === 'chunk' && !chunk.code.startsWith('#!')) chunk.code = shebang + chunk.code;
    },
    writeBundle({ dir = 'dist' }) {
      chmodSync(join(dir, fileName), 0o755);
    },
  };
}
