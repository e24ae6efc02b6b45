// Tries everything that reads what others have made with inputs that nobody made, for as long as is wanted:
// npm run fuzz -- --target read-trace --seconds 600 --seed 7
import { spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { root } from './run.mjs';

// Among the packages, because the sources of the fuzzers name some of them.
const packages = join(root, 'node_modules');
const built = join(packages, `.fuzz-${process.pid}`);
removeLeftovers();

// Compiled once, because a program that is translated while it runs tries a fraction of the inputs.
await build({
  configFile: false,
  root,
  logLevel: 'warn',
  define: { __MCPREEL_VERSION__: '"0.0.0"' },
  plugins: [{ name: 'own-places', enforce: 'pre', transform: namePlace }],
  build: {
    ssr: true,
    target: 'node20.19',
    minify: false,
    outDir: built,
    rolldownOptions: { input: { run: join(root, 'test/fuzz/run.ts') }, output: { entryFileNames: '[name].js' } },
  },
});
const child = spawn(process.execPath, [join(built, 'run.js'), ...process.argv.slice(2)], { stdio: 'inherit' });
child.once('close', (code) => {
  rmSync(built, { recursive: true, force: true });
  process.exitCode = code ?? 1;
});

/** Files that are found from where a source stands are to be found still, where all sources are one. */
function namePlace(code, id) {
  if (!id.startsWith(join(root, 'test')) || !code.includes('import.meta.url')) return undefined;
  return code.replaceAll(/(?<=new URL\([^()]*)import\.meta\.url/g, JSON.stringify(pathToFileURL(id).href));
}

/** What those have left behind that were ended before their time. */
function removeLeftovers() {
  for (const name of readdirSync(packages)) {
    const [, owner] = /^\.fuzz-(\d+)$/.exec(name) ?? [];
    if (owner !== undefined && !isRunning(Number(owner)))
      rmSync(join(packages, name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
