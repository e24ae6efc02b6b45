import { join } from 'node:path';
import type { UserConfig } from 'vite';
import { define } from './vite.config.ts';

const root = join(import.meta.dirname, 'web');

/** The page, for `mcpreel view` and for static hosting: relative addresses, so that it may stand anywhere. */
const config: UserConfig = {
  root,
  base: './',
  define,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    // Inlined pictures would need a looser content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'THIRD-PARTY-LICENSES.md' },
  },
};

export default config;
