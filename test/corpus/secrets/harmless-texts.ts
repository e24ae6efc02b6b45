import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A text without secrets, as a tool may take or return it. */
export interface HarmlessText {
  readonly title: string;
  readonly text: string;
}

const MODULES = join(import.meta.dirname, '../../../node_modules');
/** Packages that quote tokens in their documentation, or scan for them. */
const QUOTES_SECRETS = /secretlint|hono|pkce|noble/;
const MAX_SIZE = 200_000;

/** Files of the packages that are installed: documentation, manifests, declarations, schemas and source code. */
export function harmlessFiles(perKind: number): HarmlessText[] {
  const names = readdirSync(MODULES, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !QUOTES_SECRETS.test(name))
    .sort();
  return [/\/README\.md$/i, /\/package\.json$/, /\.d\.ts$/, /schema[^/]*\.json$|tsconfig[^/]*\.json$/, /\/(?:src|lib)\/[^/]+\.js$/, /\.ya?ml$/]
    .flatMap((kind) => spread(names.filter((name) => kind.test(name)), perKind))
    .flatMap((name) => {
      const file = statSync(join(MODULES, name));
      return file.isFile() && file.size <= MAX_SIZE ? [{ title: name, text: readFileSync(join(MODULES, name), 'utf8') }] : [];
    });
}

/** So many of a list, at equal distances. */
function spread<T>(all: readonly T[], count: number): T[] {
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, index) => index % step === 0).slice(0, count);
}

/** Types, examples, references, prose and other tools' placeholders. */
export const HARMLESS_LINES: readonly string[] = readFileSync(join(import.meta.dirname, 'harmless-lines.txt'), 'utf8')
  .trimEnd()
  .split('\n');
