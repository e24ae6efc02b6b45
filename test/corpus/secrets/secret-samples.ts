import type { PlantedRow } from './planted-rows.ts';
import { generated, password, RandomValues } from './random-values.ts';
import { SYNTAXES, type SecretSyntax } from './syntaxes.ts';

/** A text with a secret in it, as a tool may take or return it. */
export interface PlantedSecret {
  readonly title: string;
  readonly text: string;
  readonly secret: string;
}

/** Words of names, the last of which says what the value is. */
const NAMES: readonly (readonly string[])[] = [
  ['db', 'password'],
  ['airtable', 'api', 'key'],
  ['foo', 'secret'],
  ['github', 'token'],
  ['mysql', 'root', 'password'],
  ['client', 'secret'],
  ['refresh', 'token'],
  ['aws', 'secret', 'access', 'key'],
  ['smtp', 'pass'],
  ['jwt', 'secret'],
  ['secret', 'key', 'base'],
  ['encryption', 'key'],
  ['admin', 'passwd'],
  ['openai', 'api', 'key'],
  ['spring', 'datasource', 'password'],
  ['auth', 'token'],
  ['private', 'key', 'passphrase'],
  ['service', 'credentials'],
];

/** Each syntax with several names and values. */
export function namedSecrets(seed: number, perSyntax: number): PlantedSecret[] {
  const random = new RandomValues(seed);
  return SYNTAXES.flatMap((syntax) =>
    Array.from({ length: perSyntax }, () => {
      const words = random.pick(NAMES);
      const isPassword = /pass/.test(words.join('')) && !/token|npmrc|key|connection string|aws/i.test(syntax.title);
      const secret = isPassword ? password(random) : generated(random);
      const value = fits(syntax, secret) ? secret : generated(random);
      const text = syntax.write(nameOf(words, syntax.naming), value);
      return { title: `${syntax.title}: ${words.join(' ')}`, text, secret: value };
    }),
  );
}

const NESTINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify({ output: text }),
  (text) => JSON.stringify({ output: JSON.stringify({ stdout: text, code: 0 }) }),
  (text) => JSON.stringify({ output: JSON.stringify({ stdout: JSON.stringify([{ file: text }]) }) }),
];

/** Each row as it is, and in JSON at three depths. */
export function plantedRows(seed: number, rows: readonly PlantedRow[]): PlantedSecret[] {
  const random = new RandomValues(seed);
  return rows.flatMap(([title, make, write]) =>
    NESTINGS.map((nest, depth) => {
      const secret = make(random);
      return { title: `${title} (depth ${depth})`, text: nest(write(secret)), secret };
    }),
  );
}

/** Returns whether a value can be written in a syntax without quotes. */
function fits({ title }: SecretSyntax, secret: string): boolean {
  return !/[#$!@]/.test(secret) || /JSON|double|single|YAML in|TOML|Python|Java/.test(title);
}

function nameOf(words: readonly string[], naming: SecretSyntax['naming']): string {
  switch (naming) {
    case 'upper':
      return words.join('_').toUpperCase();
    case 'snake':
      return words.join('_');
    case 'kebab':
      return words.join('-');
    case 'dotted':
      return words.join('.');
    case 'camel':
      return words.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('');
  }
}
