import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { McpreelProcess, type Outcome } from './mcpreel-process.ts';

export interface RunOptions {
  /** The whole stdin, which then ends. */
  readonly input?: string | Uint8Array;
  /** Variables in addition to those of every run. */
  readonly env?: Readonly<Record<string, string>>;
}

/** An empty folder to run mcpreel in, with its own state folder. It is removed after the test. */
export class Place {
  readonly folder: string = realpathSync(mkdtempSync(join(tmpdir(), 'mcpreel-test-')));
  readonly home: string = this.path('home');

  constructor() {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 }));
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Writes a file and returns its name relative to this folder. */
  write(name: string, content: string | Uint8Array): string {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
    return name;
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  mode(name: string): number {
    return statSync(this.path(name)).mode & 0o777;
  }

  /** Every file below this folder, by relative path. */
  files(): string[] {
    return readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.folder.length + 1))
      .sort();
  }

  /** The traces in the state folder, by relative path. */
  traces(): string[] {
    return this.files().filter((name) => name.startsWith('home/sessions/'));
  }

  /** The text of the only trace in the state folder. */
  trace(): string {
    const [name, ...others] = this.traces();
    if (name === undefined || others.length > 0) throw new Error(`Not one trace: ${this.traces().join(', ')}`);
    return this.read(name);
  }

  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): McpreelProcess {
    return new McpreelProcess(args, { cwd: this.folder, env: { ...this.environment(), ...env } });
  }

  run(args: readonly string[], { input = '', env = {} }: RunOptions = {}): Promise<Outcome> {
    const running = this.start(args, env);
    running.end(input);
    return running.ended;
  }

  /** The variables of every run: only what is needed to find programs and the state folder. */
  environment(): Record<string, string> {
    return { PATH: process.env.PATH ?? '', MCPREEL_HOME: this.home };
  }
}
