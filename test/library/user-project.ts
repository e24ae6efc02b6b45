import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Place } from '../support/place.ts';
import { SHOP } from './shop.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The packages that a user installs besides mcpreel and its dependencies. */
const OWN = [
  'vitest',
  '@modelcontextprotocol/sdk',
  '@modelcontextprotocol/client',
  'zod',
  '@types/node',
  'undici-types',
];

/** How a program ended, and its output. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** The folder of a user who installed mcpreel, with the first version of the server in `server.js`. */
export class UserProject {
  readonly #place = new Place();

  constructor() {
    this.write('package.json', '{ "private": true, "type": "module" }');
    this.serve(1);
    const manifest = readFileSync(join(root, 'package.json'), 'utf8');
    const { dependencies = {} } = JSON.parse(manifest) as { dependencies?: Record<string, string> };
    for (const name of [...OWN, ...Object.keys(dependencies)]) this.#link(name);
    this.write('node_modules/mcpreel/package.json', manifest);
    cpSync(join(root, 'dist'), this.path('node_modules/mcpreel/dist'), { recursive: true });
  }

  /** Installs this version of the server. */
  serve(version: 1 | 2): void {
    this.write('server.js', `process.argv[2] = '${version}';\nawait import(${JSON.stringify(SHOP)});\n`);
  }

  path(name: string): string {
    return this.#place.path(name);
  }

  write(name: string, text: string): void {
    this.#place.write(name, text);
  }

  read(name: string): string {
    return this.#place.read(name);
  }

  /** The user's own files. */
  files(): string[] {
    return this.#place.files().filter((name) => !name.startsWith('node_modules/'));
  }

  node(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    // Programs named in the server's command must be on the PATH.
    const path = `${dirname(process.execPath)}:${process.env.PATH ?? ''}`;
    const child = spawn(process.execPath, args, {
      cwd: this.#place.folder,
      env: { ...this.#place.environment(), PATH: path, NO_COLOR: '1', ...env },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
  }

  vitest(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const patience = ['--testTimeout', '30000', '--hookTimeout', '30000'];
    return this.node([join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', '.', ...patience, ...args], env);
  }

  /** Checks the types of these files with strict settings. */
  tsc(files: readonly string[]): Promise<Ended> {
    const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', '--types', 'node'];
    const kind = ['--ignoreConfig', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom'];
    return this.node([join(root, 'node_modules/typescript/bin/tsc'), ...flags, ...kind, ...files]);
  }

  #link(name: string): void {
    const path = this.path(`node_modules/${name}`);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), path);
  }
}
