import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, UserConfig } from 'vite';
import { define } from './vite.config.ts';

const root = join(import.meta.dirname, 'web');

/** What the build of the page wrote before: whoever passes this page on passes it on, too. */
const LICENCES = 'THIRD-PARTY-LICENSES.md';

/** The page as one file, into which recordings are put: `mcpreel export -f html`. */
const config: UserConfig = {
  root,
  define,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [oneFile('single.html')],
  worker: { format: 'iife', rolldownOptions: { output: { codeSplitting: false } } },
  build: {
    target: 'es2023',
    emptyOutDir: false,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    rolldownOptions: {
      input: join(root, 'single.tsx'),
      output: { format: 'iife', codeSplitting: false },
    },
  },
};

export default config;

/** Puts the script and the styles into the document, which allows these and nothing else. */
function oneFile(fileName: string): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle({ dir = '' }, bundle) {
      let script = '';
      let styles = '';
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type === 'chunk') script += part.code;
        else if (name.endsWith('.css')) styles += String(part.source);
        else this.error(`${name} would be a second file`);
        delete bundle[name];
      }
      // What ends an element, or hides the rest of it, is written otherwise; within strings it means the same.
      const code = script.replaceAll(/<(?=\/script|!--)/gi, '\\x3C');
      if (/<\/style/i.test(styles)) this.error('the styles would end their element');
      const filled: Readonly<Record<string, string>> = {
        'script-hash': hashOf(code),
        'style-hash': hashOf(styles),
        script: code,
        styles,
        // In a comment nothing may look like its end.
        licences: licencesIn(dir).replaceAll('--', '- -'),
      };
      const page = readFileSync(join(root, 'single.html'), 'utf8');
      const source = page.replaceAll(/\{\{([a-z-]+)\}\}/g, (hole, name: string) => filled[name] ?? hole);
      this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

function licencesIn(folder: string): string {
  const path = join(folder, LICENCES);
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
